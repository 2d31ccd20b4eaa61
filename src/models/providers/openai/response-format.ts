import type { OpenAI } from 'openai'
import { isObject } from '../../../basics/plain-data.ts'
import type { CompletionRequest } from '../../provider.ts'

export type ResponseFormat = NonNullable<OpenAI.ChatCompletionCreateParamsNonStreaming['response_format']>

/** The formats to request, the strictest first: the schema with list lengths, and without; none for text. */
export function responseFormats({ task, schema }: CompletionRequest): readonly ResponseFormat[] {
  if (!schema) return []
  const exact = schemaFormat(task, schema, true)
  const simple = schemaFormat(task, schema, false)
  return JSON.stringify(exact) === JSON.stringify(simple) ? [exact] : [exact, simple]
}

type Schema = Readonly<Record<string, unknown>>

/** A response format for a schema. A list is wrapped in an object with `items`. */
function schemaFormat(task: string, schema: Schema, withLengths: boolean): ResponseFormat {
  const { $defs, ...list } = schema
  // references start at the root, so the definitions stay there
  const listObject = { type: 'object', properties: { items: list }, required: ['items'], ...($defs ? { $defs } : {}) }
  const name = task.replace(/[^\w-]/g, '_').slice(0, 64)
  const strictSchema = toStrictSchema(schema['type'] === 'array' ? listObject : schema, withLengths)
  return { type: 'json_schema', json_schema: { name, ...strictSchema } }
}

/** Keywords of all strict modes; text lengths, ranges and patterns are validated in the reply. */
const commonKeywords = new Set(['type', 'enum', 'const', 'description', 'required', '$ref'])

/** A schema for strict modes; `strict`: all objects are closed, all properties required, all values typed. */
function toStrictSchema(schema: Schema, withLengths: boolean): { schema: Record<string, unknown>; strict: boolean } {
  let strict = true
  const convert = (value: unknown): unknown => (isObject(value) ? walk(value) : value)
  const convertValues = (value: Schema): Schema =>
    Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, convert(inner)]))
  const walk = (value: Schema): Record<string, unknown> => {
    const { properties, $defs, anyOf, oneOf, allOf, required } = value
    const result: Record<string, unknown> = Object.fromEntries(
      Object.entries(value).filter(([keyword]) => commonKeywords.has(keyword)),
    )
    if (isObject($defs)) result['$defs'] = convertValues($defs)
    const choices = anyOf ?? oneOf
    if (Array.isArray(choices)) result['anyOf'] = choices.map(convert)
    if (Array.isArray(allOf)) result['allOf'] = allOf.map(convert)
    if (allOf !== undefined || !constrainingKeywords.some((keyword) => keyword in result)) strict = false
    if (value['type'] === 'array') Object.assign(result, itemsOf(value))
    if (value['type'] !== 'object') return result
    if (isObject(properties)) result['properties'] = convertValues(properties)
    const { additionalProperties } = value
    const names = Object.keys(isObject(properties) ? properties : {})
    const isOpen =
      isObject(additionalProperties) || names.some((name) => !(Array.isArray(required) && required.includes(name)))
    if (isOpen) strict = false
    return {
      ...result,
      ...(isOpen
        ? additionalProperties !== undefined && { additionalProperties: convert(additionalProperties) }
        : { additionalProperties: false }),
    }
  }
  const itemsOf = ({ items, prefixItems, minItems, maxItems }: Schema): Schema => {
    const inOrder = Array.isArray(prefixItems) ? prefixItems.map(convert) : undefined
    const different = [...new Map(inOrder?.map((item) => [JSON.stringify(item), item])).values()]
    const least = inOrder?.length ?? minItems
    const most = inOrder?.length ?? maxItems
    return {
      ...(inOrder
        ? { items: different.length === 1 ? different[0] : { anyOf: different } }
        : isObject(items) && { items: convert(items) }),
      ...(withLengths && least !== undefined && { minItems: least }),
      ...(withLengths && most !== undefined && { maxItems: most }),
    }
  }
  return { schema: walk(schema), strict }
}

/** A schema without any of these allows everything. */
const constrainingKeywords = ['type', 'enum', 'const', '$ref', 'anyOf']
