import { z, type ZodType } from 'zod'
import { toDotPath } from 'zod/v4/core'
import { isObject } from '../basics/plain-data.ts'

type Conformed<T> = { readonly value: T; readonly skipped: number } | { readonly error: string }

/** Checks a value; items of lists that do not fit are left out and counted in `skipped`, unless none is good. */
export function conform<T>(schema: ZodType<T>, value: unknown): Conformed<T> {
  const whole = fit(schema, value)
  if ('value' in whole) return whole
  const pruned = prune(schema, value)
  if (pruned.skipped === 0 || pruned.kept === 0) return whole
  const rest = fit(schema, pruned.value)
  return 'value' in rest ? { ...rest, skipped: pruned.skipped } : rest
}

/** Checks a value against a schema as a whole: nothing is left out. */
export function fit<T>(schema: ZodType<T>, value: unknown): Conformed<T> {
  const read = schema.safeParse(value)
  return read.success ? { value: read.data, skipped: 0 } : { error: describe(read.error) }
}

/** What is looked for: a list, an object, or an object that needs a list of that name alone. */
export type Expected = 'list' | 'object' | { readonly listOf: string }

/** What `parseLenient` is to look for when a reply must fit the schema. */
export function expectedBy(schema: ZodType): Expected {
  const bare = unwrap(schema)
  if (bare instanceof z.ZodArray) return 'list'
  const properties = bare instanceof z.ZodObject ? Object.entries<z.core.$ZodType>(bare.shape) : []
  const [sole, ...others] = properties.filter(([, property]) => !z.safeParse(property, undefined).success)
  return sole && others.length === 0 && unwrap(sole[1]) instanceof z.ZodArray ? { listOf: sole[0] } : 'object'
}

/** A list for a schema that is one, flattened by one level where the schema takes no lists; else the value as it is. */
export function flattened(schema: ZodType, value: unknown): unknown {
  const bare = unwrap(schema)
  if (!(bare instanceof z.ZodArray) || !Array.isArray(value)) return value
  const nested = value.filter((item) => Array.isArray(item))
  if (nested.length === 0 || nested.some((item) => z.safeParse(bare.element, item).success)) return value
  return value.filter((item) => typeof item !== 'string').flat()
}

/** The value with its keys spelt as the schema has them, where they differ by case alone. */
export function withKeysOf(schema: z.core.$ZodType, value: unknown): unknown {
  const bare = unwrap(schema)
  if (bare instanceof z.ZodArray && Array.isArray(value)) return value.map((item) => withKeysOf(bare.element, item))
  if (!(bare instanceof z.ZodObject) || !isObject(value)) return value
  const shape = new Map<string, z.core.$ZodType>(Object.entries(bare.shape))
  const spelt = new Map([...shape.keys()].map((key) => [key.toLowerCase(), key]))
  return Object.fromEntries(
    Object.entries(value).map(([written, inner]) => {
      const name = spelt.get(written.toLowerCase())
      const key = name === undefined || Object.hasOwn(value, name) ? written : name
      const property = shape.get(key)
      return [key, property ? withKeysOf(property, inner) : inner]
    }),
  )
}

interface Pruned {
  readonly value: unknown
  readonly kept: number
  readonly skipped: number
}

const untouched = (value: unknown): Pruned => ({ value, kept: 0, skipped: 0 })

function prune(schema: ZodType, value: unknown): Pruned {
  const bare = unwrap(schema)
  if (!(bare instanceof z.ZodObject)) return pruneList(bare, value)
  if (value === null || typeof value !== 'object') return untouched(value)
  const shape = new Map<string, z.core.$ZodType>(Object.entries(bare.shape))
  const properties = Object.entries(value).map(([key, inner]: [string, unknown]) => {
    const property = shape.get(key)
    return { key, ...(property ? pruneList(unwrap(property), inner) : untouched(inner)) }
  })
  return {
    value: Object.fromEntries(properties.map(({ key, value }) => [key, value])),
    kept: properties.reduce((sum, { kept }) => sum + kept, 0),
    skipped: properties.reduce((sum, { skipped }) => sum + skipped, 0),
  }
}

function pruneList(schema: z.core.$ZodType, value: unknown): Pruned {
  if (!(schema instanceof z.ZodArray) || !Array.isArray(value)) return untouched(value)
  const good = value.filter((item) => z.safeParse(schema.element, item).success)
  return { value: good, kept: good.length, skipped: value.length - good.length }
}

/** The schema of what comes in, without what only says that it may be absent, replaced or changed afterwards. */
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
  const [issue, ...others] = error.issues
  if (!issue) return error.message
  const place = issue.path.length > 0 ? `${toDotPath(issue.path)}: ` : ''
  return `${place}${issue.message}${others.length > 0 ? ` (and ${others.length} more)` : ''}`
}
