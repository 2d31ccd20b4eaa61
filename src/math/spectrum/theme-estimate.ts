/** How a number of themes is read off a spectrum (remark 2 of the paper, which gives neither number: our reading). */
export interface ThemeEstimateOptions {
  /** What "near 1" means for λ_d / λ_1. */
  readonly minBeta: number
  /** How far λ_(d+1) / λ_1 must fall below it. */
  readonly c: number
}

export const themeEstimateDefaults: ThemeEstimateOptions = { minBeta: 0.5, c: 0.1 }

/** Where the eigenvalues lie that were not computed, if there are any. */
export interface Unknown {
  readonly low: number
  readonly high: number
}

/**
 * Remark 2: with β_i = λ_i/λ_1 and λ falling, the first d >= 2 whose β_d is near 1 and more than c above β_(d+1). null where there is
 * none, undefined where the values that are not known may have one.
 */
export function themeEstimate(
  values: ArrayLike<number>,
  options: Partial<ThemeEstimateOptions> = {},
  unknown?: Unknown,
): number | null | undefined {
  const { minBeta, c } = { ...themeEstimateDefaults, ...options }
  const first = Math.max(...Array.from(values))
  const betas = Array.from(values, (value) => value / first)
  const rest = unknown && { low: unknown.low / first, high: unknown.high / first }
  const { known, gaps } = fallOf(betas, rest)
  const found = gaps.find(({ from, least }) => from >= minBeta && least > c)
  if (found) return found.d
  const lowest = known.length > 1 ? known.at(-1)! : rest?.high
  return rest && !(lowest! < minBeta) ? undefined : null
}

/**
 * The d >= 2 with the largest λ_d - λ_(d+1), λ falling, the first of equal ones. null for fewer than three values, undefined where the
 * values that are not known may have a larger one.
 */
export function largestGap(values: ArrayLike<number>, unknown?: Unknown): number | null | undefined {
  const { gaps, deeper } = fallOf(Array.from(values), unknown)
  const widest = gaps.reduce<Gap | undefined>((best, gap) => (best && best.least >= gap.least ? best : gap), undefined)
  if (!widest) return unknown ? undefined : null
  const others = [...gaps.filter((gap) => gap !== widest).map(({ most }) => most), ...deeper]
  return others.every((most) => most <= widest.least) ? widest.d : undefined
}

/** What lies between λ_d, which is `from`, and λ_(d+1): not known to the last digit where λ_(d+1) is not. */
interface Gap {
  readonly d: number
  readonly from: number
  readonly least: number
  readonly most: number
}

/** The values that certainly follow each other from the first on, the gaps after them from d = 2 on, and how wide those further down may be. */
function fallOf(
  values: readonly number[],
  unknown: Unknown | undefined,
): { readonly known: readonly number[]; readonly gaps: readonly Gap[]; readonly deeper: readonly number[] } {
  const falling = [...values].sort((a, b) => b - a)
  const known = unknown ? falling.filter((value) => value >= unknown.high) : falling
  const gaps = known.slice(1, -1).map((from, at): Gap => {
    const width = from - known[at + 2]!
    return { d: at + 2, from, least: width, most: width }
  })
  if (!unknown) return { known, gaps, deeper: [] }
  const { low, high } = unknown
  const last = known.at(-1)
  const after: Gap[] =
    last !== undefined && known.length > 1
      ? [{ d: known.length, from: last, least: last - high, most: last - low }]
      : []
  const below = falling.slice(known.length)
  const steps = below.map((value, at) => (below[at - 1] ?? high) - value)
  return { known, gaps: [...gaps, ...after], deeper: [high - low, ...steps] }
}
