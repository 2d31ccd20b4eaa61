import { z, type ZodType } from 'zod'
import { toDotPath } from 'zod/v4/core'
import { isObject } from '../basics/plain-data.ts'

type Validation<T> = { readonly value: T; readonly skipped: number } | { readonly error: string }

/** Validates a value; drops invalid list items and counts them in `skipped`, unless none is valid. */
export function validateItems<T>(schema: ZodType<T>, value: unknown): Validation<T> {
  const validation = validate(schema, value)
  if ('value' in validation) return validation
  let count = 0
  let skipped = 0
  const prune = (part: z.core.$ZodType | undefined, list: unknown): unknown => {
    const bare = part && unwrap(part)
    if (!(bare instanceof z.ZodArray) || !Array.isArray(list)) return list
    const good = list.filter((item) => z.safeParse(bare.element, item).success)
    count += good.length
    skipped += list.length - good.length
    return good
  }
  const bare = unwrap(schema)
  const shape = bare instanceof z.ZodObject ? new Map<string, z.core.$ZodType>(Object.entries(bare.shape)) : undefined
  const validItems =
    shape && typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, prune(shape.get(key), inner)]))
      : prune(bare, value)
  if (skipped === 0 || count === 0) return validation
  const rest = validate(schema, validItems)
  return 'value' in rest ? { ...rest, skipped } : rest
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
  const isSoleList = sole && rest.length === 0 && unwrap(sole[1]) instanceof z.ZodArray
  return isSoleList ? { listOf: sole[0] } : 'object'
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

function describe(error: z.ZodError) {
  const [issue, ...rest] = error.issues
  if (!issue) return error.message
  const place = issue.path.length > 0 ? `${toDotPath(issue.path)}: ` : ''
  return `${place}${issue.message}${rest.length > 0 ? ` (and ${rest.length} more)` : ''}`
}
