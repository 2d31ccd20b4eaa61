import { groupBy, itemAt, valueOf } from '../../basics/collections.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import { clusterSignFlips } from '../../math/statistics/sign-flips.ts'
import type { Manifest, MethodRecord } from '../../records.ts'
import type { Scores } from '../gather/scores.ts'
import { comparedMetric } from './rows-to-compare.ts'

/** A numeric option or config key that `vary` varies (dotted for nested options), with its rows in table order. */
export type Sweep = ReturnType<typeof sweepsOf>[number]

/** Seeds are numbers without an order. */
const nominal = 'seed'

/** Sweeps by option name; methods share the sweep of an option. */
export function sweepsOf(methods: readonly MethodRecord[]) {
  // rows of other ablations are not drawn
  const unvariedRows = methods.filter(({ variant }) => variant === '')
  const variants = methods.filter(({ variant }) => variant !== '')
  const textOf = ({ varied: values = [] }: MethodRecord, name: string) =>
    values.find(({ option }) => option === name)?.text
  const steps = [...groupBy(variants, ({ method }) => method)].flatMap(([label, rows]) => {
    const names = new Set(rows.flatMap(({ varied = [] }) => varied.map(({ option }) => option)))
    const isVaried = (name: string) => new Set(rows.map((row) => textOf(row, name))).size > 1
    const options = [...names].filter(isVaried)
    return options.flatMap((option) =>
      rows.flatMap((row) => {
        const x = Number(textOf(row, option) ?? NaN)
        if (option === nominal || !Number.isFinite(x)) return []
        const otherOptions = options.filter((name) => name !== option)
        const rest = otherOptions.map((name) => `${name}=${textOf(row, name) ?? 'null'}`)
        // the method and its other options
        const curve = rest.length === 0 ? label : `${label} (${rest.join(', ')})`
        return [{ option, row, curve, x }]
      }),
    )
  })
  return Array.from(
    groupBy(steps, ({ option }) => option),
    ([option, ofOption]) => ({ option, steps: ofOption, unvariedRows }),
  )
}

/** Trend test of a method's numeric option, with its other varied options. */
export type Trend = ReturnType<typeof trendsOf>[number]

/** Trends of all options with three or more numeric values, in the compared metric. */
export function trendsOf(manifest: Manifest, scores: Pick<Scores, 'cells' | 'questions' | 'of'>) {
  const main = comparedMetric(manifest, scores.cells)
  if (!main) return []
  const scoresOf = ({ row }: Sweep['steps'][number]) => scores.of(row.id, main.record.id, main.metric).scores
  return sweepsOf(manifest.methods).flatMap(({ option, steps: all }) =>
    [...groupBy(all, ({ curve }) => curve)].flatMap(([curve, curveSteps]) => {
      const steps = curveSteps.toSorted((a, b) => a.x - b.x)
      const [first, ...rest] = steps.map(scoresOf)
      const hasScores = (question: number) => rest.every((column) => column.has(question))
      const common = [...(first?.keys() ?? [])].filter(hasScores)
      if (!first || steps.length < 3 || common.length === 0) return []
      const clusters = common.map((question) => scores.questions.clusterOf(question))
      const table = [first, ...rest].map((column) => common.map((question) => valueOf(column, question)))
      const values = steps.map(({ x }) => x)
      // Σ (rank − mean rank) · score by question
      const meanRank = (table.length - 1) / 2
      const contrasts = clusters.map((_, question) =>
        table.reduce((sum, column, rank) => sum + (rank - meanRank) * itemAt(column, question), 0),
      )
      const zeros = contrasts.map(() => 0)
      const p = (alternative: 'greater' | 'less') =>
        clusterSignFlips(contrasts, zeros, clusters, { seed: manifest.seed, alternative }).p
      return [
        {
          option,
          curve,
          scorer: main.scorer,
          metric: main.metric,
          // rising, with the mean score of each over common questions
          values,
          means: table.map((column) => mean(column)),
          questions: common.length,
          clusters: new Set(clusters).size,
          // one-sided p of the linear contrast by sign flips
          rises: p('greater'),
          falls: p('less'),
        },
      ]
    }),
  )
}
