import { normalBound } from '../normal.ts'

/** What a binary judge said, and how often it is right where the truth is known. All shares are 0 to 1. */
export interface JudgedShare {
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

/** A judge whose sensitivity and specificity add up to 1 says the same of right and wrong items; this near to it nothing is corrected. */
export const leastInformed = 0.1

/**
 * Rogan and Gladen's estimate of a share from a judge that errs, (observed + specificity - 1) / (sensitivity + specificity - 1), with the
 * interval of Lee et al. (arXiv 2511.21140); both are cut to 0 and 1. Items are taken as independent. Undefined where sensitivity and
 * specificity, or their values in the interval, add up to within .1 of 1. Throws RangeError without items, positives or negatives.
 */
export function roganGladen(judged: JudgedShare, level = 0.95): TrueShare | undefined {
  const { observed, n, sensitivity, positives, specificity, negatives } = judged
  if (!(n > 0 && positives > 0 && negatives > 0)) throw new RangeError('a share needs items, positives and negatives')
  const informed = sensitivity + specificity - 1
  const z = normalBound(level)
  // counts as if a few items more had been seen, half of them accepted: z² of the observed, 2 of the known
  const p = (n * observed + z ** 2 / 2) / (n + z ** 2)
  const q0 = (negatives * specificity + 1) / (negatives + 2)
  const q1 = (positives * sensitivity + 1) / (positives + 2)
  const scale = q0 + q1 - 1
  if (Math.min(Math.abs(informed), Math.abs(scale)) <= leastInformed + 1e-12) return undefined
  const centre = (p + q0 - 1) / scale
  const varianceOf = (share: number, size: number): number => (share * (1 - share)) / size
  const [v, v0, v1] = [varianceOf(p, n + z ** 2), varianceOf(q0, negatives + 2), varianceOf(q1, positives + 2)]
  const shift = 2 * z ** 2 * (centre * v1 - (1 - centre) * v0)
  const reach = (z * Math.sqrt(v + (1 - centre) ** 2 * v0 + centre ** 2 * v1)) / Math.abs(scale)
  return {
    estimate: cut((observed + specificity - 1) / informed),
    low: cut(centre + shift - reach),
    high: cut(centre + shift + reach),
  }
}

const cut = (share: number): number => Math.min(1, Math.max(0, share))
