import { itemAt, valueOf } from '../../basics/collections.ts'
import { cr2Mean, tost } from '../../math/statistics/cr2.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import { clusterSignFlips } from '../../math/statistics/sign-flips.ts'
import type { Manifest, MethodRecord } from '../../records.ts'
import type { Scores } from '../table/gather-scores.ts'
import { alpha } from './compare-pair.ts'
import { comparedMetric } from './rows-to-compare.ts'

/** A varied option or key of the config whose values are numbers, and the rows of a table. */
export interface Sweep {
  /** Its name, dotted where it lies within another. */
  readonly option: string
  /** The rows that vary it, in the order of the table. */
  readonly steps: readonly Step[]
  /** The rows that vary nothing: those of another ablation are not drawn. */
  readonly unvariedRows: readonly MethodRecord[]
}

/** A row at one value of the option; `curve` names the method and what else is varied, `others` that alone. */
interface Step {
  readonly row: MethodRecord
  readonly curve: string
  readonly fixedValues: string
  readonly x: number
}

/** The rows of one curve by the rising values of the option. */
interface Curve {
  readonly curve: string
  readonly steps: readonly Pick<Step, 'row' | 'x'>[]
}

/** The curves of a sweep, in the order of its rows. */
const curvesIn = ({ steps }: Sweep): readonly Curve[] =>
  [...new Set(steps.map(({ curve }) => curve))].map((curve) => ({
    curve,
    steps: steps.filter((step) => step.curve === curve).toSorted((a, b) => a.x - b.x),
  }))

/** A key whose numbers are names. */
const nominal = 'seed'

/** What was varied, by the names of the options; options of one name share a sweep. */
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

/** The varied values of a row as texts. */
const valuesOf = ({ varied: variedValues = [] }: MethodRecord): ReadonlyMap<string, string> =>
  new Map(variedValues.map(({ option, text }) => [option, text]))

/** Whether a score rises with an option whose values are numbers, and after which value it rises no more. */
export interface Trend {
  readonly option: string
  /** The method, and what else is varied. */
  readonly curve: string
  readonly scorer: string
  readonly metric: string
  /** In rising order, with the mean score of each over the questions that all have. */
  readonly values: readonly number[]
  readonly means: readonly number[]
  readonly questions: number
  readonly clusters: number
  /** One-sided, of a rise and of a fall: sign flips of each question's contrast, Σ (rank − mean rank) · score. */
  readonly rises: number
  readonly falls: number
  /** As a fraction: what counts as no rise. */
  readonly margin: number
  /** The smallest value after which every later one is shown to be no more than the margin above it; null: none is. */
  readonly saturation: number | null
}

/** What counts as no rise where the config names no margin: 2 points (our reading). */
const usualMargin = 0.02

/** The trends of every option that is varied over three numbers or more, in the metric that rows are compared on. */
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
 * A value saturates where each later one is below it plus the margin by one-sided t tests; the search goes back from
 * the end to the first that fails, so that the level holds for all.
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
