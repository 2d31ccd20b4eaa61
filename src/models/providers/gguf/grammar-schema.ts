import { isObject } from '../../../basics/plain-data.ts'

type Schema = Readonly<Record<string, unknown>>

/** A JSON schema for node-llama-cpp's grammars, or undefined if they would force another reply. */
export function grammarSchema(schema: unknown): Schema | undefined {
  if (!isObject(schema)) return undefined
  const { anyOf, items, ...rest } = schema
  const definition = {
    ...rest,
    ...(anyOf !== undefined && { oneOf: anyOf }),
    // `items: false` closes a tuple, and grammars close tuples anyway
    ...(isObject(items) && { items }),
  }
  if (!constrainingKeys.some((key) => key in definition) || unsupportedKeys.some((key) => key in definition))
    return undefined
  return convertValues(definition, convertKeyword)
}

/** A schema without any of these allows everything. */
const constrainingKeys = ['type', 'oneOf', 'const', 'enum', '$ref']
const unsupportedKeys = ['allOf', 'not', 'if', 'patternProperties']

function convertKeyword(key: string, value: unknown): unknown {
  switch (key) {
    case 'oneOf':
    case 'prefixItems':
      return all(Array.isArray(value) ? value : [])
    case 'properties':
    case '$defs':
      return isObject(value) ? convertValues(value, (_, inner) => grammarSchema(inner)) : undefined
    case 'items':
      return grammarSchema(value)
    case 'additionalProperties':
      return isObject(value) && Object.keys(value).length > 0 ? grammarSchema(value) : value !== false
    default:
      return value
  }
}

/** The object with converted values; undefined if one cannot be converted. */
function convertValues(object: Schema, convert: (key: string, value: unknown) => unknown): Schema | undefined {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined)
  const results = entries.map(([key, value]) => [key, convert(key, value)] as const)
  return results.every(([, value]) => value !== undefined) ? Object.fromEntries(results) : undefined
}

function all(schemas: readonly unknown[]): readonly Schema[] | undefined {
  const results = schemas.map(grammarSchema).filter((schema) => schema !== undefined)
  return results.length === schemas.length ? results : undefined
}
