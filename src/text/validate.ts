import { z, type ZodType } from 'zod'
import { toDotPath } from 'zod/v4/core'
import { isObject } from '../basics/plain-data.ts'

type Validation<T> = { readonly value: T; readonly skipped: number } | { readonly error: string }

/** Validates a value; drops invalid list items and counts them in `skipped`, unless none is valid. */
export function validateItems<T>(schema: ZodType<T>, value: unknown): Validation<T> {
  const validation = validate(schema, value)
  if ('value' in validation) return validation
  const result = prune(schema, value)
  if (result.skipped === 0 || result.count === 0) return validation
  const rest = validate(schema, result.value)
  return 'value' in rest ? { ...rest, skipped: result.skipped } : rest
}

/** Validates a value as it is. */
export function validate<T>(schema: ZodType<T>, value: unknown): Validation<T> {
  const read = schema.safeParse(value)
  return read.success ? { value: read.data, skipped: 0 } : { error: describe(read.error) }
}

/** A list, an object, or an object whose only required property is this list. */
export type Expected = 'list' | 'object' | { readonly listOf: string }

/** What a reply for the schema has to be. */
export function expectedBy(schema: ZodType): Expected {
  const bare = unwrap(schema)
  if (bare instanceof z.ZodArray) return 'list'
  const properties = bare instanceof z.ZodObject ? Object.entries<z.core.$ZodType>(bare.shape) : []
  const [sole, ...rest] = properties.filter(([, property]) => !z.safeParse(property, undefined).success)
  return sole && rest.length === 0 && unwrap(sole[1]) instanceof z.ZodArray ? { listOf: sole[0] } : 'object'
}

/** Flattens a list by one level where its schema has no nested lists. */
export function flattenLists(schema: ZodType, value: unknown): unknown {
  const bare = unwrap(schema)
  if (!(bare instanceof z.ZodArray) || !Array.isArray(value)) return value
  const sublists = value.filter((item) => Array.isArray(item))
  if (sublists.length === 0 || sublists.some((item) => z.safeParse(bare.element, item).success)) return value
  return value.filter((item) => typeof item !== 'string').flat()
}

/** Corrects the case of keys to the schema's. */
export function withKeysOf(schema: z.core.$ZodType, value: unknown): unknown {
  const bare = unwrap(schema)
  if (bare instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => withKeysOf(bare.element, item))
  if (!(bare instanceof z.ZodObject) || !isObject(value)) return value
  const shape = new Map<string, z.core.$ZodType>(Object.entries(bare.shape))
  const spelt = new Map([...shape.keys()].map((key) => [key.toLowerCase(), key]))
  return Object.fromEntries(
    Object.entries(value).map(([rawKey, inner]) => {
      const name = spelt.get(rawKey.toLowerCase())
      const key = name === undefined || Object.hasOwn(value, name) ? rawKey : name
      const property = shape.get(key)
      return [key, property ? withKeysOf(property, inner) : inner]
    }),
  )
}

interface PruneResult {
  readonly value: unknown
  readonly count: number
  readonly skipped: number
}

const unchanged = (value: unknown): PruneResult => ({ value, count: 0, skipped: 0 })

function prune(schema: ZodType, value: unknown): PruneResult {
  const bare = unwrap(schema)
  if (!(bare instanceof z.ZodObject)) return pruneList(bare, value)
  if (value === null || typeof value !== 'object') return unchanged(value)
  const shape = new Map<string, z.core.$ZodType>(Object.entries(bare.shape))
  const properties = Object.entries(value).map(([key, inner]: [string, unknown]) => {
    const property = shape.get(key)
    return { key, ...(property ? pruneList(unwrap(property), inner) : unchanged(inner)) }
  })
  return {
    value: Object.fromEntries(properties.map(({ key, value }) => [key, value])),
    count: properties.reduce((sum, { count }) => sum + count, 0),
    skipped: properties.reduce((sum, { skipped }) => sum + skipped, 0),
  }
}

function pruneList(schema: z.core.$ZodType, value: unknown): PruneResult {
  if (!(schema instanceof z.ZodArray) || !Array.isArray(value)) return unchanged(value)
  const good = value.filter((item) => z.safeParse(schema.element, item).success)
  return { value: good, count: good.length, skipped: value.length - good.length }
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodPipe) return schema.in instanceof z.ZodTransform ? schema : unwrap(schema.in)
  return schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodNonOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodCatch ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodLazy
    ? unwrap(schema.unwrap())
    : schema
}

function describe(error: z.ZodError): string {
  const [issue, ...rest] = error.issues
  if (!issue) return error.message
  const place = issue.path.length > 0 ? `${toDotPath(issue.path)}: ` : ''
  return `${place}${issue.message}${rest.length > 0 ? ` (and ${rest.length} more)` : ''}`
}
