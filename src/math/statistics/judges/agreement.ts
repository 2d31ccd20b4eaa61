import { sum } from '../sum.ts'

/** Agreement beyond chance; `error` is its standard error. NaN where both raters give every item one and the same value. */
export interface Kappa {
  readonly kappa: number
  readonly error: number
}

/**
 * Cohen's κ of two raters of the same items, with the standard error of Fleiss, Cohen and Everitt (1969), as statsmodels has it. Values are
 * names: equal or not. Throws RangeError for lists of different lengths or none.
 */
export function cohenKappa(a: readonly number[], b: readonly number[]): Kappa {
  refuseUnpaired(a, b)
  const values = [...new Set([...a, ...b])]
  const n = a.length
  const share = (of: readonly number[], value: number): number => of.filter((one) => one === value).length / n
  const [ofA, ofB] = [a, b].map((list) => values.map((value) => share(list, value))) as [number[], number[]]
  const cells = values.map((value) =>
    values.map((other) => a.filter((one, i) => one === value && b[i] === other).length / n),
  )
  const observed = sum(values.map((_, i) => cells[i]![i]!))
  const expected = sum(values.map((_, i) => ofA[i]! * ofB[i]!))
  const kappa = (observed - expected) / (1 - expected)
  const same = sum(values.map((_, i) => cells[i]![i]! * (1 - (ofA[i]! + ofB[i]!) * (1 - kappa)) ** 2))
  const apart = sum(
    values.flatMap((_, i) => values.map((_, j) => (i === j ? 0 : cells[i]![j]! * (ofB[i]! + ofA[j]!) ** 2))),
  )
  const chance = (kappa - expected * (1 - kappa)) ** 2
  const variance = (same + (1 - kappa) ** 2 * apart - chance) / (1 - expected) ** 2 / n
  // rounding may leave a little less than nothing
  return { kappa, error: Math.sqrt(Math.max(0, variance)) }
}

/**
 * Krippendorff's α for two raters without gaps and nominal values: 1 - (N - 1)·Σ_{c≠k} o_ck / Σ_{c≠k} n_c·n_k over the N = 2n values. NaN
 * where there is one value only. Throws RangeError as `cohenKappa` does.
 */
export function krippendorffAlpha(a: readonly number[], b: readonly number[]): number {
  refuseUnpaired(a, b)
  const all = [...a, ...b]
  const counts = [...new Set(all)].map((value) => all.filter((one) => one === value).length)
  const apart = 2 * a.filter((one, i) => one !== b[i]).length
  const byChance = all.length ** 2 - sum(counts.map((count) => count ** 2))
  return 1 - ((all.length - 1) * apart) / byChance
}

function refuseUnpaired(a: readonly number[], b: readonly number[]): void {
  if (a.length !== b.length || a.length === 0)
    throw new RangeError('agreement needs two values of every item, and an item')
}
