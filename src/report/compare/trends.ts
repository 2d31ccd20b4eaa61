import { itemAt, valueOf } from '../../basics/collections.ts'
import { cr2Mean, tost } from '../../math/statistics/cr2.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import { clusterSignFlips } from '../../math/statistics/sign-flips.ts'
import type { Manifest, MethodRecord } from '../../records.ts'
import type { Scores } from '../gather/scores.ts'
import { alpha } from './compare-pair.ts'
import { comparedMetric } from './rows-to-compare.ts'

/** A numeric option or config key that `vary` varies, with the rows that do. */
export interface Sweep {
  /** Dotted for nested options. */
  readonly option: string
  /** In table order. */
  readonly steps: readonly Step[]
  /** Rows without variations; rows of other ablations are not drawn. */
  readonly unvariedRows: readonly MethodRecord[]
}

/** A row at one value of the option. `curve` names the method and its other options, `fixedValues` only the options. */
interface Step {
  readonly row: MethodRecord
  readonly curve: string
  readonly fixedValues: string
  readonly x: number
}

/** Rows of one curve by rising value. */
const curvesIn = ({ steps }: Sweep) =>
  [...new Set(steps.map(({ curve }) => curve))].map((curve) => ({
    curve,
    steps: steps.filter((step) => step.curve === curve).toSorted((a, b) => a.x - b.x),
  }))

/** Seeds are numbers without an order. */
const nominal = 'seed'

/** Sweeps by option name; methods share the sweep of an option. */
export function sweepsOf(methods: readonly MethodRecord[]): readonly Sweep[] {
  const sweeps = new Map<string, Step[]>()
  for (const label of new Set(methods.map(({ method }) => method))) {
    const variants = methods
      .filter(({ method, variant }) => method === label && variant !== '')
      .map((row) => ({ row, values: valuesOf(row) }))
    const variedOptions = [...new Set(variants.flatMap(({ values }) => [...values.keys()]))].filter(
      (option) => new Set(variants.map(({ values }) => values.get(option))).size > 1,
    )
    for (const option of variedOptions.filter((name) => name !== nominal)) {
      const steps = variants.flatMap(({ row, values }): Step[] => {
        const x = Number(values.get(option) ?? NaN)
        const fixedOptions = variedOptions
          .filter((name) => name !== option)
          .map((name) => [name, values.get(name) ?? 'null'])
        const curve =
          fixedOptions.length === 0 ? label : `${label} (${fixedOptions.map((pair) => pair.join('=')).join(', ')})`
        return Number.isFinite(x)
          ? [{ row, curve, fixedValues: fixedOptions.map((pair) => pair.join(' ')).join(', '), x }]
          : []
      })
      if (steps.length > 0) sweeps.set(option, [...(sweeps.get(option) ?? []), ...steps])
    }
  }
  return Array.from(sweeps, ([option, steps]) => {
    return { option, steps, unvariedRows: methods.filter(({ variant }) => variant === '') }
  })
}

const valuesOf = ({ varied: variedValues = [] }: MethodRecord): ReadonlyMap<string, string> =>
  new Map(variedValues.map(({ option, text }) => [option, text]))

/** Trend test and saturation point of a numeric option. */
export interface Trend {
  readonly option: string
  /** Method and its other varied options. */
  readonly curve: string
  readonly scorer: string
  readonly metric: string
  /** Rising, with the mean score of each over common questions. */
  readonly values: readonly number[]
  readonly means: readonly number[]
  readonly questions: number
  readonly clusters: number
  /**
   * One-sided p of a rise and of a fall: sign flips of the linear contrast Σ (rank − mean rank) · score by question.
   */
  readonly rises: number
  readonly falls: number
  /** Largest rise that counts as none, as a fraction. */
  readonly margin: number
  /** Smallest value that no later value exceeds by more than the margin (tested); null: none. */
  readonly saturation: number | null
}

/** Default margin: 2 points (our reading). */
const usualMargin = 0.02

/** Trends of all options with three or more numeric values, in the compared metric. */
export function trendsOf(
  manifest: Pick<Manifest, 'methods' | 'scorers' | 'compare' | 'seed'>,
  scores: Pick<Scores, 'cells' | 'questions' | 'byQuestion'>,
): readonly Trend[] {
  const mainMetric = comparedMetric(manifest, scores.cells)
  if (!mainMetric) return []
  const { scorer, metric } = mainMetric
  const scoresOf = (row: MethodRecord): ReadonlyMap<number, number> =>
    new Map(
      scores
        .byQuestion(row.id, scorer.id, metric)
        .map((questionScores) => [questionScores.question, questionScores.mean]),
    )
  return sweepsOf(manifest.methods).flatMap((sweep) =>
    curvesIn(sweep).flatMap(({ curve, steps }): readonly Trend[] => {
      const columns = steps.map(({ row }) => scoresOf(row))
      if (columns.length < 3) return []
      const common = [...itemAt(columns, 0).keys()].filter((question) =>
        columns.every((column) => column.has(question)),
      )
      if (common.length === 0) return []
      const clusters = common.map((question) => scores.questions.clusterOf(question))
      const table = columns.map((column) => common.map((question) => valueOf(column, question)))
      const values = steps.map(({ x }) => x)
      const margin = manifest.compare?.margin ?? usualMargin
      return [
        {
          option: sweep.option,
          curve,
          scorer: scorer.scorer,
          metric,
          values,
          margin,
          means: table.map((column) => mean(column)),
          questions: common.length,
          clusters: new Set(clusters).size,
          ...contrastTests(table, clusters, manifest.seed),
          saturation: saturationOf(values, table, clusters, margin),
        },
      ]
    }),
  )
}

function contrastTests(
  table: readonly (readonly number[])[],
  clusters: readonly (string | number)[],
  seed: number,
): Pick<Trend, 'rises' | 'falls'> {
  const middle = (table.length - 1) / 2
  const contrasts = clusters.map((_, question) =>
    table.reduce((sum, column, rank) => sum + (rank - middle) * itemAt(column, question), 0),
  )
  const zeros = contrasts.map(() => 0)
  const p = (alternative: 'greater' | 'less'): number =>
    clusterSignFlips(contrasts, zeros, clusters, { seed, alternative }).p
  return { rises: p('greater'), falls: p('less') }
}

/**
 * One-sided t tests that each later value is below this one plus the margin. The search goes back from the end to the
 * first failure, so that the level holds for all.
 */
function saturationOf(
  values: readonly number[],
  table: readonly (readonly number[])[],
  clusters: readonly (string | number)[],
  margin: number,
): number | null {
  const isShown = (first: readonly number[], later: readonly number[]): boolean => {
    const difference = cr2Mean(
      later.map((score, question) => score - itemAt(first, question)),
      clusters,
    )
    return tost(difference, margin).upper <= alpha
  }
  let saturation: number | null = null
  for (let at = values.length - 2; at >= 0; at--) {
    const first = itemAt(table, at)
    if (!table.slice(at + 1).every((later) => isShown(first, later))) break
    saturation = itemAt(values, at)
  }
  return saturation
}
