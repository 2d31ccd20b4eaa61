import { messageOf } from '../../../errors.ts'
import type { CompletionRequest } from '../../provider.ts'

type Schema = Readonly<Record<string, unknown>>

/** A response format of the chat API that holds a reply to the request's schema. A list is wrapped in `{items: […]}`, as the API wants an object. */
export function schemaFormat({ task, schema }: CompletionRequest) {
  if (!schema) return undefined
  const wrapped = schema['type'] === 'array' ? wrap(schema) : schema
  const closed = close(wrapped)
  return {
    type: 'json_schema' as const,
    json_schema: { name: task.replace(/[^\w-]/g, '_').slice(0, 64), schema: closed.schema, strict: closed.strict },
  }
}

/** References point from the root, so the definitions stay there. */
function wrap({ $defs, ...list }: Schema): Schema {
  return { type: 'object', properties: { items: list }, required: ['items'], ...($defs !== undefined && { $defs }) }
}

/** The schema with its objects closed. `strict` is what the API calls it when every object is closed and has only required properties. */
function close(schema: Schema): { schema: Schema; strict: boolean } {
  let strict = true
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (!isSchema(value)) return value
    const walked = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]))
    if (value['type'] !== 'object') return walked
    const properties = Object.keys(isSchema(value['properties']) ? value['properties'] : {})
    const required = Array.isArray(value['required']) ? value['required'] : []
    const open = isSchema(value['additionalProperties']) || properties.some((name) => !required.includes(name))
    if (open) strict = false
    return open ? walked : { ...walked, additionalProperties: false }
  }
  return { schema: walk(schema) as Schema, strict }
}

const isSchema = (value: unknown): value is Schema =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Whether a server's complaint is that it knows no structured output, or not this schema. */
export function refusesFormat(error: unknown): boolean {
  const { status } = error as { status?: number }
  return (
    [400, 404, 422].includes(status ?? 0) &&
    /response_format|json_schema|structured|schema|grammar|guided/i.test(messageOf(error))
  )
}
