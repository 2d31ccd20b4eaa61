import { itemAt } from '../../basics/collections.ts'
import { correctThreshold } from '../../basics/metrics.ts'
import type { Manifest, MethodRecord } from '../../records.ts'
import { sharedPair } from '../compare/compare-pair.ts'
import { comparedMetric } from '../compare/rows-to-compare.ts'
import { present } from '../../text/amounts.ts'
import { runOfRow } from '../synthetic.ts'
import { type Cell, estimate, type Estimate } from '../gather/estimate.ts'
import type { ClusterOf, QuestionScores, ScoredRow } from '../gather/observations.ts'
import type { Scores } from '../gather/scores.ts'

/** Metric: score of the oracle minus score of the row. The name is in table.json. */
export const gapToOracle = 'headroom'

/** Metric: share of questions that the closed-book row answers correctly. */
export const contamination = 'contamination'

/** Subset: questions that the closed-book row answers incorrectly. */
export const closedBookWrong = 'closed-book wrong'

/**
 * Gap to oracle, accuracy where closed-book fails, and contamination, each on common questions. Needs the reference
 * rows; leaves out rows with their own answers.
 */
export function referenceCells(manifest: Manifest, scores: Scores): readonly Cell[] {
  const main = comparedMetric(manifest, scores.cells)
  if (!main) return []
  const { scorer, metric, record } = main
  const { clusterOf } = scores.questions
  const scoredRowOf = ({ id }: MethodRecord) => scores.of(id, record.id, metric)
  return manifest.methods.flatMap((row): readonly Cell[] => {
    const { method, variant, use } = row
    const reference = (name: string) => {
      const record = manifest.methods.find(
        (candidate) => candidate.use === name && candidate.run === row.run && candidate.inConfig !== false,
      )
      return record && scoredRowOf(record)
    }
    const cellOf = (name: string, subset: string, summary: Estimate, failed: number): Cell => ({
      dataset: runOfRow(manifest, row).dataset.name,
      method,
      variant,
      scorer,
      metric: name,
      subset,
      ...summary,
      least: null,
      greatest: null,
      failed,
      skipped: 0,
    })
    if (row.answers) return []
    const rowScores = scoredRowOf(row)
    const { failed, repeats } = rowScores
    const questions = rowScores.questions()
    const oracle = use === 'oracle' ? undefined : reference('oracle')
    const failures = new Set([...failed, ...(oracle?.failed ?? [])])
    const gapMean = oracle && meanOfGap(oracle, rowScores, clusterOf)
    const gap = gapMean && cellOf(gapToOracle, 'all', gapMean, failures.size)
    if (use === 'closed-book') {
      const right = questions.map(({ question, mean }) => scoreOf(question, Number(mean >= correctThreshold)))
      const share = estimate(right, clusterOf)
      return present(gap, cellOf(contamination, 'all', share, failed.size)).filter(hasScores)
    }
    const closedBook = reference('closed-book')?.scores
    const isWrong = (question: number) => (closedBook?.get(question) ?? 1) < correctThreshold
    const onWrong = questions.filter(({ question }) => isWrong(question))
    const failedOnWrong = [...failed].filter(isWrong).length
    const summary = estimate(onWrong, clusterOf, repeats !== undefined)
    return present(gap, cellOf(metric, closedBookWrong, summary, failedOnWrong)).filter(hasScores)
  })
}

const hasScores = ({ n }: Cell) => n > 0

const scoreOf = (question: number, mean: number): QuestionScores => ({ question, mean, values: [] })

/** Mean of oracle - row on common questions, with its paired interval. */
function meanOfGap(oracle: ScoredRow, row: ScoredRow, clusterOf: ClusterOf) {
  // between-index variance is left out
  const pair = sharedPair({ scores: oracle.scores }, { scores: row.scores }, clusterOf)
  if (!pair) return estimate([], clusterOf)
  const { questions, x, y } = pair
  const differences = questions.map((question, i) => scoreOf(question, itemAt(x, i) - itemAt(y, i)))
  const { low, high } = pair.estimate
  return { ...estimate(differences, clusterOf), low, high }
}
