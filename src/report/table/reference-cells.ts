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
  const main = comparedMetric(manifest, scores.cells)
  if (!main) return []
  const { scorer, metric } = main
  const { clusterOf } = scores.questions
  return manifest.methods.flatMap((row): readonly Cell[] => {
    const { method, variant, use } = row
    const scoredRow = ({ id }: MethodRecord): ScoredRow => ({
      scores: scores.byQuestion(id, scorer.id, metric),
      failed: scores.failedQuestions(id, scorer.id),
    })
    const reference = (name: string): ScoredRow | undefined => {
      const record = manifest.methods.find(
        (candidate) => candidate.use === name && candidate.run === row.run && !isFormer(candidate),
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
    if (row.answers) return []
    const rowScores = scoredRow(row)
    const { scores: byQuestion, failed } = rowScores
    const oracle = reference('oracle')
    const gap =
      oracle &&
      use !== 'oracle' &&
      cellOf(gapToOracle, 'all', meanOfGap(oracle, rowScores, clusterOf), new Set([...failed, ...oracle.failed]).size)
    if (use === 'closed-book') {
      const right = byQuestion.map(({ question, mean }) => scoreOf(question, Number(mean >= correctThreshold)))
      return present(gap, cellOf(contamination, 'all', estimate(right, clusterOf), failed.size)).filter(hasScores)
    }
    const wrong = new Set(
      reference('closed-book')?.scores.flatMap(({ question, mean }) => (mean < correctThreshold ? [question] : [])),
    )
    const onWrong = byQuestion.filter(({ question }) => wrong.has(question))
    const failedOnWrong = [...failed].filter((question) => wrong.has(question)).length
    const summary = estimate(onWrong, clusterOf, scores.hasOwnIndexes(row.id))
    return present(gap, cellOf(metric, closedBookWrong, summary, failedOnWrong)).filter(hasScores)
  })
}

interface ScoredRow {
  readonly scores: readonly QuestionScores[]
  readonly failed: ReadonlySet<number>
}

const isFormer = ({ inConfig }: MethodRecord): boolean => inConfig === false

const hasScores = ({ n }: Cell): boolean => n > 0

const scoreOf = (question: number, mean: number): QuestionScores => ({ question, mean, repeats: [] })

/** Mean of oracle - row on common questions, with its paired interval. */
function meanOfGap(oracle: ScoredRow, row: ScoredRow, clusterOf: (question: number) => string | number): Estimate {
  const pair = sharedPair(scoredSide(oracle.scores, false), scoredSide(row.scores, false), clusterOf)
  if (!pair) return estimate([], clusterOf)
  const { questions, x, y } = pair
  const differences = questions.map((question, i) => scoreOf(question, itemAt(x, i) - itemAt(y, i)))
  const { low, high } = pair.estimate
  return { ...estimate(differences, clusterOf), low, high }
}
