import { groupBy } from '../../basics/collections.ts'
import { holm } from '../../math/statistics/corrections.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import { spearman } from '../../math/statistics/spearman.ts'
import type { GraphFigure } from '../table/graph-figures.ts'

/** How a measure of the graphs of one method goes with its score, over its rows. */
export interface GraphCorrelation {
  readonly method: string
  readonly metric: string
  readonly measure: string
  /** Different graphs: rows whose graphs have equal measures are one, with the mean of their scores. */
  readonly graphs: number
  readonly rows: number
  /** Spearman's, and its p by a permutation test; `pAdjusted`: Holm over all measures of all methods. */
  readonly rho: number
  readonly p: number
  readonly pAdjusted: number
}

/** Fewer graphs than these show no correlation. */
const fewestGraphs = 6

/** A row with the measures of its graph and the mean of its score. */
export interface MeasuredRow {
  readonly method: string
  readonly figures: readonly GraphFigure[]
  readonly score: number
}

/** Of each method with six different graphs or more, the rank correlation of every measure that differs with the score. */
export function graphCorrelations(
  rows: readonly MeasuredRow[],
  metric: string,
  seed: number,
): readonly GraphCorrelation[] {
  const found = [...groupBy(rows, ({ method }) => method)].flatMap(([method, own]) => {
    const graphs = [...groupBy(own, ({ figures }) => JSON.stringify(figures)).values()].map((equal) => ({
      figures: equal[0].figures,
      score: mean(equal.map(({ score }) => score)),
    }))
    const measures = graphs[0]?.figures.map(({ title }) => title) ?? []
    return measures.flatMap((measure, at) => {
      const known = graphs.flatMap(({ figures, score }) => {
        const value = figures[at]?.value ?? null
        return value === null ? [] : [{ value, score }]
      })
      if (known.length < fewestGraphs) return []
      const { rho, p } = spearman(
        known.map(({ value }) => value),
        known.map(({ score }) => score),
        { seed },
      )
      return Number.isNaN(rho) ? [] : [{ method, metric, measure, graphs: known.length, rows: own.length, rho, p }]
    })
  })
  const adjusted = holm(found.map(({ p }) => p))
  return found.map((one, index) => ({ ...one, pAdjusted: adjusted[index] ?? NaN }))
}
