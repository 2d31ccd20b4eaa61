import { z } from 'zod'
import type { ZodType } from 'zod'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** The keys that a schema knows at a path, of all alternatives there, in the order written. */
export function keysAt(schema: ZodType, path: readonly PropertyKey[]): readonly string[] {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const here = path.reduce<readonly JsonSchema[]>(
    (schemas, key) => schemas.flatMap((inner) => stepInto(inner, key)).flatMap((inner) => alternatives(inner, root)),
    alternatives(root, root),
  )
  return [...new Set(here.flatMap((inner) => Object.keys(inner.properties ?? {})))]
}

/** The schema itself and all that it is made of, references followed once. */
function alternatives(schema: JsonSchema, root: JsonSchema, seen = new Set<JsonSchema>()): JsonSchema[] {
  if (seen.has(schema)) return []
  seen.add(schema)
  const referred = schema.$ref === undefined ? [] : [referenceIn(root, schema.$ref)]
  const parts = [...referred, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]
  return [schema, ...parts.filter(isSchema).flatMap((part) => alternatives(part, root, seen))]
}

const referenceIn = (root: JsonSchema, reference: string): JsonSchema | undefined =>
  reference === '#' ? root : root.$defs?.[reference.replace('#/$defs/', '')]

function stepInto(schema: JsonSchema, key: PropertyKey): JsonSchema[] {
  const { properties, items, prefixItems, additionalProperties } = schema
  const property = properties && Object.hasOwn(properties, key) ? properties[String(key)] : additionalProperties
  const item = typeof key === 'number' ? (prefixItems?.[key] ?? items) : undefined
  return [property, item].filter(isSchema)
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
