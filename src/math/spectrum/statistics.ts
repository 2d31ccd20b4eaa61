import type { GraphOperator } from './graph-operator.ts'
import type { EigenOrder } from './operator.ts'
import type { PairStats } from './weights.ts'

/** Statistics of a graph and its spectrum. */
export interface SpectrumStats extends PairStats {
  readonly n: number
  readonly form: GraphOperator['form']
  /** Nodes without weight. */
  readonly isolated: number
  readonly trace: number
  /** Λ of remark 3: the sum of all squared eigenvalues. */
  readonly Lambda: number
  /** Remark 2; null where no value certainly meets its conditions. */
  readonly themeEstimate: number | null
  /** null for fewer than three nodes, and where values not computed may hold a larger gap. */
  readonly largestGapIndex: number | null
}

/** Statistics of L and its leading eigenvalues. */
export function spectrumStats(
  operator: Pick<GraphOperator, 'n' | 'form' | 'degrees' | 'trace' | 'pairStats' | 'squares'>,
  values: ArrayLike<number>,
  { order = 'magnitude', ...options }: Partial<ThemeEstimateOptions & { readonly order: EigenOrder }> = {},
): SpectrumStats {
  const unknown = unknownOf(values, operator.n, order)
  return {
    n: operator.n,
    form: operator.form,
    isolated: operator.degrees.filter((degree) => degree === 0).length,
    trace: operator.trace,
    Lambda: operator.squares(),
    themeEstimate: themeEstimate(values, options, unknown),
    largestGapIndex: largestGap(values, unknown),
    ...operator.pairStats,
  }
}

/** Bounds of the eigenvalues that were not computed. */
function unknownOf(values: ArrayLike<number>, n: number, order: EigenOrder): Unknown | undefined {
  if (values.length >= n) return undefined
  if (order === 'algebraic') return { low: -Infinity, high: Math.min(...Array.from(values)) }
  const high = Math.min(...Array.from(values, Math.abs))
  return { low: -high, high }
}

/** Parameters of remark 2 (the paper gives no values: our reading). */
interface ThemeEstimateOptions {
  /** What "near 1" means for λ_d / λ_1. */
  readonly minBeta: number
  /** How far λ_(d+1) / λ_1 must fall below it. */
  readonly c: number
}

const themeEstimateDefaults: ThemeEstimateOptions = { minBeta: 0.5, c: 0.1 }

/** Range of the eigenvalues that were not computed. */
interface Unknown {
  readonly low: number
  readonly high: number
}

/**
 * Remark 2: with β_i = λ_i/λ_1 and λ falling, the first d >= 2 whose β_d is near 1 and more than c above β_(d+1). null
 * where there is none, or none is certain because values are unknown.
 */
export function themeEstimate(
  values: ArrayLike<number>,
  options: Partial<ThemeEstimateOptions> = {},
  unknown?: Unknown,
): number | null {
  const { minBeta, c } = { ...themeEstimateDefaults, ...options }
  const first = Math.max(...Array.from(values))
  const betas = Array.from(values, (value) => value / first)
  const { gaps } = gapsOf(betas, unknown && { low: unknown.low / first, high: unknown.high / first })
  return gaps.find(({ from, least }) => from >= minBeta && least > c)?.d ?? null
}

/**
 * The d >= 2 with the largest λ_d - λ_(d+1), λ falling, the first of equal ones. null for fewer than three values, and
 * where unknown values may have a larger one.
 */
export function largestGap(values: ArrayLike<number>, unknown?: Unknown): number | null {
  const { gaps, deeper } = gapsOf(Array.from(values), unknown)
  const widest = gaps.reduce<Gap | undefined>((best, gap) => (best && best.least >= gap.least ? best : gap), undefined)
  if (!widest) return null
  const rivals = [...gaps.filter((gap) => gap !== widest).map(({ most }) => most), ...deeper]
  return rivals.every((most) => most <= widest.least) ? widest.d : null
}

/** The gap λ_d - λ_(d+1), with bounds where λ_(d+1) is unknown; `from` is λ_d. */
interface Gap {
  readonly d: number
  readonly from: number
  readonly least: number
  readonly most: number
}

/** The gaps from d = 2 on of the values whose order is certain, and upper bounds of the remaining gaps. */
function gapsOf(
  values: readonly number[],
  unknown: Unknown | undefined,
): { readonly gaps: readonly Gap[]; readonly deeper: readonly number[] } {
  const falling = [...values].sort((a, b) => b - a)
  const certainValues = unknown ? falling.filter((value) => value >= unknown.high) : falling
  const gaps = certainValues.slice(1, -1).map((from, at): Gap => {
    const width = from - certainValues[at + 2]!
    return { d: at + 2, from, least: width, most: width }
  })
  if (!unknown) return { gaps, deeper: [] }
  const { low, high } = unknown
  const last = certainValues.at(-1)
  const after: Gap[] =
    last !== undefined && certainValues.length > 1
      ? [{ d: certainValues.length, from: last, least: last - high, most: last - low }]
      : []
  const below = falling.slice(certainValues.length)
  const steps = below.map((value, at) => (below[at - 1] ?? high) - value)
  return { gaps: [...gaps, ...after], deeper: [high - low, ...steps] }
}
