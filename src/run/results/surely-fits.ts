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
  if (def.check === 'custom') return (value) => def.fn(value) === true
  if (def.check !== 'greater_than' || !def.inclusive) return cannotTell
  return (value) => (value as number) >= Number(def.value)
}

function withoutChecks(def: $ZodTypes['_zod']['def']): Fits {
  if (def.type === 'string') return 'format' in def ? cannotTell : (value) => typeof value === 'string'
  if (def.type === 'number' && !('format' in def)) return Number.isFinite
  if (def.type === 'number') return def.format === 'safeint' ? Number.isSafeInteger : cannotTell
  if (def.type === 'boolean') return (value) => typeof value === 'boolean'
  if (def.type === 'unknown') return () => true
  if (def.type === 'literal') return oneOf(def.values)
  if (def.type === 'enum') return oneOf(Object.values(def.entries))
  if (def.type === 'optional') return either((value) => value === undefined, surelyFits(def.innerType))
  if (def.type === 'nullable') return either((value) => value === null, surelyFits(def.innerType))
  if (def.type === 'array') return listOf(surelyFits(def.element))
  if (def.type === 'tuple') return tupleOf(def.items.map(surelyFits))
  if (def.type === 'record') return recordOf(surelyFits(def.keyType), surelyFits(def.valueType))
  if (def.type === 'union') return def.options.map(surelyFits).reduce(either)
  if (def.type === 'object')
    return def.catchall ? cannotTell : objectOf(Object.entries(def.shape).map(([key, part]) => [key, surelyFits(part)]))
  return cannotTell
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
