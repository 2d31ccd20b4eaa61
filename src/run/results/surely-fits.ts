import type { $ZodChecks, $ZodCustom, $ZodType, $ZodTypes } from 'zod/v4/core'
import { memoiseWeakly } from '../../basics/memoise.ts'

/** Whether a value of a JSON file fits a form. */
type Fits = (value: unknown) => boolean

/**
 * A quick look whether a value fits a form: a tenth of the form's own time, for files whose lines nearly all fit. Where
 * it says no the form itself tells whether the value fits, and what is wrong; it says no of all that it cannot check.
 */
export const surelyFits: (form: $ZodType) => Fits = memoiseWeakly((form) => {
  const { def } = (form as $ZodTypes)._zod
  const checks = (def.checks ?? []).map(checkOf)
  const fits = withoutChecks(def)
  return checks.length === 0 ? fits : (value) => fits(value) && checks.every((check) => check(value))
})

const cannotTell: Fits = () => false

function checkOf(check: NonNullable<$ZodTypes['_zod']['def']['checks']>[number]): Fits {
  const { def } = (check as $ZodChecks | $ZodCustom)._zod
  switch (def.check) {
    case 'greater_than':
      return def.inclusive ? (value) => (value as number) >= Number(def.value) : cannotTell
    case 'custom':
      return (value) => def.fn(value) === true
    default:
      return cannotTell
  }
}

function withoutChecks(def: $ZodTypes['_zod']['def']): Fits {
  switch (def.type) {
    case 'string':
      return 'format' in def ? cannotTell : (value) => typeof value === 'string'
    case 'number':
      if (!('format' in def)) return Number.isFinite
      return def.format === 'safeint' ? Number.isSafeInteger : cannotTell
    case 'boolean':
      return (value) => typeof value === 'boolean'
    case 'unknown':
      return () => true
    case 'literal':
      return oneOf(def.values)
    case 'enum':
      return oneOf(Object.values(def.entries))
    case 'optional':
      return either((value) => value === undefined, surelyFits(def.innerType))
    case 'nullable':
      return either((value) => value === null, surelyFits(def.innerType))
    case 'array':
      return listOf(surelyFits(def.element))
    case 'tuple':
      return tupleOf(def.items.map(surelyFits))
    case 'record':
      return recordOf(surelyFits(def.keyType), surelyFits(def.valueType))
    case 'union':
      return def.options.map(surelyFits).reduce(either)
    case 'object':
      return def.catchall
        ? cannotTell
        : objectOf(Object.entries(def.shape).map(([key, part]) => [key, surelyFits(part)]))
    default:
      return cannotTell
  }
}

function oneOf(values: readonly unknown[]): Fits {
  const known = new Set(values)
  return (value) => known.has(value)
}

const either =
  (one: Fits, other: Fits): Fits =>
  (value) =>
    one(value) || other(value)

const listOf =
  (fits: Fits): Fits =>
  (value) =>
    Array.isArray(value) && value.every(fits)

const tupleOf =
  (parts: readonly Fits[]): Fits =>
  (value) =>
    Array.isArray(value) && value.length === parts.length && parts.every((fits, index) => fits(value[index]))

const recordOf =
  (keyFits: Fits, valueFits: Fits): Fits =>
  (value) => {
    if (!isRecord(value)) return false
    for (const key in value) if (!keyFits(key) || !valueFits(value[key])) return false
    return true
  }

const objectOf =
  (parts: readonly (readonly [key: string, fits: Fits])[]): Fits =>
  (value) =>
    isRecord(value) && parts.every(([key, fits]) => fits(value[key]))

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
