import { isObject } from '../../../basics/plain-data.ts'

type Schema = Readonly<Record<string, unknown>>

/** A JSON schema as node-llama-cpp's grammars know it, or undefined where they would force another reply. */
export function grammarSchema(schema: unknown): Schema | undefined {
  if (!isObject(schema)) return undefined
  const { anyOf, items, ...rest } = schema
  const known = {
    ...rest,
    ...(anyOf !== undefined && { oneOf: anyOf }),
    // `false` closes a tuple, and tuples are closed there
    ...(isObject(items) && { items }),
  }
  if (!understood.some((key) => key in known) || misunderstood.some((key) => key in known)) return undefined
  return each(known, convertedAt)
}

/** Without one of these a schema allows everything. */
const understood = ['type', 'oneOf', 'const', 'enum', '$ref']
const misunderstood = ['allOf', 'not', 'if', 'patternProperties']

function convertedAt(key: string, value: unknown): unknown {
  switch (key) {
    case 'oneOf':
    case 'prefixItems':
      return all(Array.isArray(value) ? value : [])
    case 'properties':
    case '$defs':
      return isObject(value) ? each(value, (_, inner) => grammarSchema(inner)) : undefined
    case 'items':
      return grammarSchema(value)
    case 'additionalProperties':
      return isObject(value) && Object.keys(value).length > 0 ? grammarSchema(value) : value !== false
    default:
      return value
  }
}

/** The object with every value converted; undefined where one could not be. */
function each(object: Schema, convert: (key: string, value: unknown) => unknown): Schema | undefined {
  const given = Object.entries(object).filter(([, value]) => value !== undefined)
  const converted = given.map(([key, value]) => [key, convert(key, value)] as const)
  return converted.every(([, value]) => value !== undefined) ? Object.fromEntries(converted) : undefined
}

function all(schemas: readonly unknown[]): readonly Schema[] | undefined {
  const converted = schemas.map(grammarSchema).filter((schema) => schema !== undefined)
  return converted.length === schemas.length ? converted : undefined
}
