import { itemAt, valueOf } from '../../basics/collections.ts'
import { averageRanks } from '../../math/statistics/average-ranks.ts'
import { mean, rounding, sum } from '../../math/statistics/descriptive.ts'
import type { Manifest } from '../../records.ts'
import { rowName, variantOf } from '../../text/names.ts'
import { runOfRow, runsIn } from '../synthetic.ts'
import type { Scores } from '../gather/scores.ts'
import { comparedMetric, isRow, rowsToCompare } from './rows-to-compare.ts'

/** The scores of a run by row and question, in the metric that the run compares rows on. */
export interface ComparedRunScores {
  readonly run: string
  /** Checksum of the dataset, whose questions its runs share. */
  readonly data: string
  /** `scorer.metric`. */
  readonly metric: string
  /** By row name, without the options that the runs of a series vary. */
  readonly rows: ReadonlyMap<string, ReadonlyMap<number, number>>
}

/** The run of a manifest, or the runs of its series; empty where no metric can be compared. */
export function comparedRuns(
  manifest: Manifest,
  scores: Pick<Scores, 'cells' | 'of'>,
  name = '',
): readonly ComparedRunScores[] {
  return runsIn(manifest).flatMap((run) => {
    const systems = rowsToCompare(manifest).filter((row) => runOfRow(manifest, row) === run)
    const cells = scores.cells.filter((cell) => systems.some((row) => isRow(row, cell)))
    const main = comparedMetric({ ...manifest, scorers: run.scorers }, cells)
    // the runs of a series share scorers of the same label
    const scorer = manifest.scorers.find((candidate) => candidate.scorer === main?.scorer)
    if (!main || !scorer) return []
    const common = (manifest.series ? run.varied : undefined) ?? []
    const isCommon = (option: string) => common.some((value) => value.option === option)
    const rows = systems.map((row) => {
      const rest = (row.varied ?? []).filter(({ option }) => !isCommon(option))
      const variant = common.length === 0 ? row.variant : variantOf(rest)
      const label = rowName({ method: row.method, variant })
      return [label, scores.of(row.id, scorer.id, main.metric).scores] as const
    })
    return [
      {
        run: manifest.series ? variantOf(common) : name,
        data: run.dataset.checksum,
        metric: `${scorer.scorer}.${main.metric}`,
        rows: new Map(rows.filter(([, byQuestion]) => byQuestion.size > 0)),
      },
    ]
  })
}

/** Rows compared over several runs, such as other datasets or other models. */
export type AcrossRuns = NonNullable<ReturnType<typeof acrossRuns>['across']>

/** Compares the rows of all runs, or says why it cannot; neither for fewer than two runs or rows. */
export function acrossRuns(all: readonly ComparedRunScores[]) {
  const allNames = [...new Set(all.flatMap(({ rows }) => [...rows.keys()]))]
  const names = allNames.filter((name) => all.every(({ rows }) => rows.has(name)))
  if (all.length < 2 || names.length < 2) return {}
  const runs = all.map(({ run, metric, rows: byName }) => {
    const rows = names.map((name) => valueOf(byName, name))
    const questions = [...new Set(rows.flatMap((row) => [...row.keys()]))]
    const common = questions.filter((question) => rows.every((row) => row.has(question)))
    const means = rows.map((row) => mean(common.map((question) => valueOf(row, question))))
    return { run, metric, questions, common, means }
  })
  const empty = runs.find(({ common }) => common.length === 0)
  if (empty) return { notAcross: `no question of ${empty.run} has a score of ${empty.metric} in every row` }
  // without the rounding errors of their sums
  const roundedMeans = runs.map(({ means }) => means.map((score) => Math.round(score / rounding) * rounding))
  const ranking = averageRanks(roundedMeans)
  // the better ranked row first
  const pairs = ranking.pairs.map(({ first: x, second: y, z, p, pHolm }) => {
    const [a, b] = z <= 0 ? [x, y] : [y, x]
    return { a: itemAt(names, a), b: itemAt(names, b), z: -Math.abs(z), p, pAdjusted: pHolm }
  })
  const meansOf = (index: number) => runs.map(({ means }) => itemAt(means, index))
  const rankOf = (row: string) => itemAt(ranking.ranks, names.indexOf(row))
  const across = {
    runs: runs.map(({ run }) => run),
    // by run, `scorer.metric`
    metrics: runs.map(({ metric }) => metric),
    // whether two runs share questions, so that they are not independent
    sharedQuestions: new Set(all.map(({ data }) => data)).size < all.length,
    rows: names
      .map((row, index) => ({ row, rank: rankOf(row), means: meansOf(index) }))
      .sort((x, y) => x.rank - y.rank),
    // rows that not every run has
    leftOut: allNames.filter((name) => !names.includes(name)),
    // questions without a score in every row, which ranks leave out
    dropped: sum(runs.map(({ questions, common }) => questions.length - common.length)),
    // null where they are not defined
    friedman: Number.isNaN(ranking.p) ? null : { chiSquared: ranking.chiSquared, p: ranking.p },
    pairs: pairs.sort((x, y) => rankOf(x.a) - rankOf(y.a) || rankOf(x.b) - rankOf(y.b)),
  }
  return { across }
}
