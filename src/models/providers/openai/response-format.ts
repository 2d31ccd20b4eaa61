import type { OpenAI } from 'openai'
import { isObject } from '../../../basics/plain-data.ts'
import type { CompletionRequest } from '../../provider.ts'

export type ResponseFormat = NonNullable<OpenAI.ChatCompletionCreateParamsNonStreaming['response_format']>

/** The forms to ask a reply in, the most exact first: its schema with lengths of lists, and without; none for text. */
export function responseFormats({ task, schema }: CompletionRequest): readonly ResponseFormat[] {
  if (!schema) return []
  const exact = schemaFormat(task, schema, true)
  const simple = schemaFormat(task, schema, false)
  return JSON.stringify(exact) === JSON.stringify(simple) ? [exact] : [exact, simple]
}

type Schema = Readonly<Record<string, unknown>>

/** A response format that holds a reply to a schema. A list is wrapped in an object with `items`. */
function schemaFormat(task: string, schema: Schema, bounded: boolean): ResponseFormat {
  const { $defs, ...list } = schema
  // references point from the root, so the definitions stay there
  const wrapped = { type: 'object', properties: { items: list }, required: ['items'], ...($defs ? { $defs } : {}) }
  const name = task.replace(/[^\w-]/g, '_').slice(0, 64)
  const sent = sentSchema(schema['type'] === 'array' ? wrapped : schema, bounded)
  return { type: 'json_schema', json_schema: { name, ...sent } }
}

/** What every strict mode takes; lengths of texts, ranges and patterns are left to the check of the reply. */
const takenByAll = new Set(['type', 'enum', 'const', 'description', 'required', '$ref'])

/** A schema as strict modes take it; `strict`: objects are closed, all properties required, and all has a type. */
function sentSchema(schema: Schema, bounded: boolean): { schema: Record<string, unknown>; strict: boolean } {
  let strict = true
  const one = (value: unknown): unknown => (isObject(value) ? walk(value) : value)
  const each = (value: Schema): Schema =>
    Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, one(inner)]))
  const walk = (value: Schema): Record<string, unknown> => {
    const { properties, $defs, anyOf, oneOf, allOf, required } = value
    const sent: Record<string, unknown> = Object.fromEntries(
      Object.entries(value).filter(([keyword]) => takenByAll.has(keyword)),
    )
    if (isObject($defs)) sent['$defs'] = each($defs)
    const choices = anyOf ?? oneOf
    if (Array.isArray(choices)) sent['anyOf'] = choices.map(one)
    if (Array.isArray(allOf)) sent['allOf'] = allOf.map(one)
    if (allOf !== undefined || !typed.some((keyword) => keyword in sent)) strict = false
    if (value['type'] === 'array') Object.assign(sent, itemsOf(value))
    if (value['type'] !== 'object') return sent
    if (isObject(properties)) sent['properties'] = each(properties)
    const { additionalProperties } = value
    const names = Object.keys(isObject(properties) ? properties : {})
    const isOpen =
      isObject(additionalProperties) || names.some((name) => !(Array.isArray(required) && required.includes(name)))
    if (isOpen) strict = false
    return {
      ...sent,
      ...(isOpen
        ? additionalProperties !== undefined && { additionalProperties: one(additionalProperties) }
        : { additionalProperties: false }),
    }
  }
  const itemsOf = ({ items, prefixItems, minItems, maxItems }: Schema): Schema => {
    const inOrder = Array.isArray(prefixItems) ? prefixItems.map(one) : undefined
    const different = [...new Map(inOrder?.map((item) => [JSON.stringify(item), item])).values()]
    const least = inOrder?.length ?? minItems
    const most = inOrder?.length ?? maxItems
    return {
      ...(inOrder
        ? { items: different.length === 1 ? different[0] : { anyOf: different } }
        : isObject(items) && { items: one(items) }),
      ...(bounded && least !== undefined && { minItems: least }),
      ...(bounded && most !== undefined && { maxItems: most }),
    }
  }
  return { schema: walk(schema), strict }
}

/** Without one of these a schema allows everything. */
const typed = ['type', 'enum', 'const', '$ref', 'anyOf']
