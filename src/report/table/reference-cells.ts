import { itemAt } from '../../basics/collections.ts'
import { correctThreshold } from '../../basics/metrics.ts'
import type { Manifest, MethodRecord } from '../../records.ts'
import { scoredSide, sharedPair } from '../compare/compare-pair.ts'
import { comparedMetric } from '../compare/rows-to-compare.ts'
import { present } from '../../text/amounts.ts'
import { runOfRow } from '../synthetic.ts'
import { type Cell, estimate, type Estimate, type QuestionScores } from '../gather/estimate.ts'
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
  const mainMetric = comparedMetric(manifest, scores.cells)
  if (!mainMetric) return []
  const { scorer, metric } = mainMetric
  const { clusterOf } = scores.questions
  const scoredRow = (row: MethodRecord): ScoredRow => ({
    scores: scores.byQuestion(row.id, scorer.id, metric),
    failed: scores.failedQuestions(row.id, scorer.id),
  })
  return manifest.methods.flatMap((row): readonly Cell[] => {
    if (row.answers) return []
    const { method, variant } = row
    const rowScores = scoredRow(row)
    const reference = (use: string): ScoredRow | undefined => {
      const record = manifest.methods.find(
        (candidate) => candidate.use === use && candidate.run === row.run && candidate.inConfig !== false,
      )
      return record && scoredRow(record)
    }
    const cellOf = (name: string, subset: string, summary: Estimate, failed: number): Cell => ({
      dataset: runOfRow(manifest, row).dataset.name,
      method,
      variant,
      scorer: scorer.scorer,
      metric: name,
      subset,
      ...summary,
      least: null,
      greatest: null,
      failed,
      skipped: 0,
    })
    const [oracle, bare] = [reference('oracle'), reference('closed-book')]
    const isBare = row.use === 'closed-book'
    const right = (): readonly QuestionScores[] =>
      rowScores.scores.map(({ question, mean }) => {
        return { question, mean: Number(mean >= correctThreshold), repeats: [] }
      })
    const wrong = new Set(bare?.scores.flatMap(({ question, mean }) => (mean < correctThreshold ? [question] : [])))
    const onWrong = rowScores.scores.filter(({ question }) => wrong.has(question))
    const failedOnWrong = [...rowScores.failed].filter((question) => wrong.has(question)).length
    return present(
      oracle &&
        row.use !== 'oracle' &&
        cellOf(
          gapToOracle,
          'all',
          differenceOfRows(oracle, rowScores, clusterOf),
          new Set([...rowScores.failed, ...oracle.failed]).size,
        ),
      isBare
        ? cellOf(contamination, 'all', estimate(right(), clusterOf), rowScores.failed.size)
        : cellOf(metric, closedBookWrong, estimate(onWrong, clusterOf, scores.hasOwnIndexes(row.id)), failedOnWrong),
    ).filter(({ n }) => n > 0)
  })
}

interface ScoredRow {
  readonly scores: readonly QuestionScores[]
  readonly failed: ReadonlySet<number>
}

/** Mean of a - b on common questions, with its paired interval. */
function differenceOfRows(a: ScoredRow, b: ScoredRow, clusterOf: (question: number) => string | number): Estimate {
  const pair = sharedPair(scoredSide(a.scores, false), scoredSide(b.scores, false), clusterOf)
  if (!pair) return estimate([], clusterOf)
  const { questions, x, y } = pair
  const differences = questions.map((question, i) => ({ question, mean: itemAt(x, i) - itemAt(y, i), repeats: [] }))
  return { ...estimate(differences, clusterOf), low: pair.estimate.low, high: pair.estimate.high }
}
