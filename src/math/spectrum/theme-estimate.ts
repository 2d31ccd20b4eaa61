/** How a number of themes is read off a spectrum (remark 2 of the paper, which gives neither number: our reading). */
export interface ThemeEstimateOptions {
  /** What "near 1" means for λ_d / λ_1. */
  readonly minBeta: number
  /** How far λ_(d+1) / λ_1 must fall below it. */
  readonly c: number
}

export const themeEstimateDefaults: ThemeEstimateOptions = { minBeta: 0.5, c: 0.1 }

/**
 * Remark 2: with β_i = λ_i/λ_1 and λ falling, the first d >= 2 whose β_d is near 1 and more than c above β_(d+1). null where there is
 * none among the values given.
 */
export function themeEstimate(values: ArrayLike<number>, options: Partial<ThemeEstimateOptions> = {}): number | null {
  const { minBeta, c } = { ...themeEstimateDefaults, ...options }
  const falling = Array.from(values).sort((a, b) => b - a)
  for (let d = 2; d < falling.length; d++) {
    const [beta, next] = [falling[d - 1]! / falling[0]!, falling[d]! / falling[0]!]
    if (beta >= minBeta && beta - next > c) return d
  }
  return null
}

/** The d >= 2 with the largest λ_d - λ_(d+1), λ falling, the first of equal ones; null for fewer than three values. */
export function largestGap(values: ArrayLike<number>): number | null {
  const falling = Array.from(values).sort((a, b) => b - a)
  let best: number | null = null
  for (let d = 2; d < falling.length; d++) {
    if (best === null || falling[d - 1]! - falling[d]! > falling[best - 1]! - falling[best]!) best = d
  }
  return best
}
