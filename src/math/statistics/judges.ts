import { normalCritical } from './distributions.ts'
import { sum } from './descriptive.ts'

/** Acceptances of a binary judge, and its sensitivity and specificity on labelled items. Shares are 0 to 1. */
interface JudgeCounts {
  /** Share of the n items that the judge accepts. */
  readonly observed: number
  readonly n: number
  /** Share of the `positives`, which are to be accepted, that it accepts; and of the `negatives` that it rejects. */
  readonly sensitivity: number
  readonly positives: number
  readonly specificity: number
  readonly negatives: number
}

/** The true share, and its interval. */
export interface TrueShare {
  readonly estimate: number
  readonly low: number
  readonly high: number
}

/** Minimum of Youden's J (sensitivity + specificity - 1) for a correction. */
const minInformedness = 0.1

/**
 * Rogan and Gladen's estimate of a share from a judge that errs, (observed + specificity - 1) / (sensitivity +
 * specificity - 1), with the interval of Lee et al. (arXiv 2511.21140); both are clipped to [0, 1]. Assumes independent
 * items. Undefined where sensitivity and specificity, or their values in the interval, add up to within .1 of 1. Throws
 * RangeError without items, positives or negatives.
 */
export function roganGladen(counts: JudgeCounts, level = 0.95): TrueShare | undefined {
  const { observed, n, sensitivity, positives, specificity, negatives } = counts
  if (!(n > 0 && positives > 0 && negatives > 0)) throw new RangeError('a share needs items, positives and negatives')
  const informedness = sensitivity + specificity - 1
  const z = normalCritical(level)
  // pseudo-counts, half accepted: z² for the observed items, 2 for each labelled class
  const p = (n * observed + z ** 2 / 2) / (n + z ** 2)
  const q0 = (negatives * specificity + 1) / (negatives + 2)
  const q1 = (positives * sensitivity + 1) / (positives + 2)
  const scale = q0 + q1 - 1
  const least = Math.min(Math.abs(informedness), Math.abs(scale))
  if (least <= minInformedness + 1e-12) return undefined
  const centre = (p + q0 - 1) / scale
  const varianceOf = (share: number, size: number): number => (share * (1 - share)) / size
  const v = varianceOf(p, n + z ** 2)
  const v0 = varianceOf(q0, negatives + 2)
  const v1 = varianceOf(q1, positives + 2)
  const shift = 2 * z ** 2 * (centre * v1 - (1 - centre) * v0)
  const reach = (z * Math.sqrt(v + (1 - centre) ** 2 * v0 + centre ** 2 * v1)) / Math.abs(scale)
  return {
    estimate: cut((observed + specificity - 1) / informedness),
    low: cut(centre + shift - reach),
    high: cut(centre + shift + reach),
  }
}

const cut = (share: number): number => Math.min(1, Math.max(0, share))

/** Agreement beyond chance, and its standard error. NaN where all ratings are equal. */
interface Kappa {
  readonly kappa: number
  readonly error: number
}

/**
 * Cohen's κ of two raters of the same items, with the standard error of Fleiss, Cohen and Everitt (1969), as in
 * statsmodels. Values are nominal. Throws RangeError for lists of different lengths or none.
 */
export function cohenKappa(a: readonly number[], b: readonly number[]): Kappa {
  checkPairs(a, b)
  const values = [...new Set([...a, ...b])]
  const n = a.length
  const sharesIn = (list: readonly number[]) =>
    values.map((value) => list.filter((rating) => rating === value).length / n)
  const ofA = sharesIn(a)
  const ofB = sharesIn(b)
  const shareOfPair = (value: number, column: number) =>
    a.filter((rating, i) => rating === value && b[i] === column).length / n
  const cells = values.map((value) => values.map((column) => shareOfPair(value, column)))
  const agreement = sum(values.map((_, i) => cells[i]![i]!))
  const chanceAgreement = sum(values.map((_, i) => ofA[i]! * ofB[i]!))
  const kappa = (agreement - chanceAgreement) / (1 - chanceAgreement)
  const agreementOn = (i: number) => {
    const weight = 1 - (ofA[i]! + ofB[i]!) * (1 - kappa)
    return cells[i]![i]! * weight ** 2
  }
  const agreementTerm = sum(values.map((_, i) => agreementOn(i)))
  const disagreementOn = (i: number, j: number) => (i === j ? 0 : cells[i]![j]! * (ofB[i]! + ofA[j]!) ** 2)
  const disagreementTerm = sum(values.flatMap((_, i) => values.map((_, j) => disagreementOn(i, j))))
  const chance = (kappa - chanceAgreement * (1 - kappa)) ** 2
  const terms = agreementTerm + (1 - kappa) ** 2 * disagreementTerm - chance
  const variance = terms / (1 - chanceAgreement) ** 2 / n
  // may be negative by rounding
  return { kappa, error: Math.sqrt(Math.max(0, variance)) }
}

/**
 * Krippendorff's α for two raters without gaps and nominal values: 1 - (N - 1)·Σ_{c≠k} o_ck / Σ_{c≠k} n_c·n_k over the
 * N = 2n values. NaN where there is one value only. Throws RangeError as `cohenKappa` does.
 */
export function krippendorffAlpha(a: readonly number[], b: readonly number[]): number {
  checkPairs(a, b)
  const all = [...a, ...b]
  const counts = [...new Set(all)].map((value) => all.filter((rating) => rating === value).length)
  const disagreements = 2 * a.filter((rating, i) => rating !== b[i]).length
  const byChance = all.length ** 2 - sum(counts.map((count) => count ** 2))
  return 1 - ((all.length - 1) * disagreements) / byChance
}

function checkPairs(a: readonly number[], b: readonly number[]): void {
  if (a.length !== b.length || a.length === 0)
    throw new RangeError('agreement needs two values of every item, and an item')
}
