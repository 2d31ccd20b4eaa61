import { rightFrom } from '../../basics/right-from.ts'
import type { Manifest, MethodRecord } from '../../records.ts'
import { comparedMetric } from '../compare/compared-metric.ts'
import { runOfRow } from '../run-of-row.ts'
import type { Cell } from './cell.ts'
import { estimate } from './estimate.ts'
import type { Scores } from './gather-scores.ts'
import type { QuestionScores } from './observations.ts'

/** The metric of the oracle's score minus the row's. */
export const headroom = 'headroom'

/** The metric of the share of questions that the closed-book row answers right. */
export const contamination = 'contamination'

/** The subset of the questions that the closed-book row answers wrong. */
export const closedBookWrong = 'closed-book wrong'

/**
 * What the reference rows say of the others in the metric that is compared, each on the questions that both rows have: how far a row is below
 * the oracle, and what it scores where the closed-book row is wrong; and how much the closed-book row knows. Nothing without such rows, and
 * nothing of rows that answer themselves.
 */
export function referenceCells(manifest: Manifest, scores: Scores): readonly Cell[] {
  const chosen = comparedMetric(manifest, scores.cells)
  if (!chosen) return []
  const { scorer, metric } = chosen
  const scoresOf = (row: MethodRecord) => scores.byQuestion(row.id, scorer.id, metric)
  return manifest.methods.flatMap((row): Cell[] => {
    const { method, variant } = row
    const own = scoresOf(row)
    const failed = scores.failedQuestions(row.id, scorer.id).size
    const cellOf = (name: string, subset: string, found: readonly QuestionScores[]): Cell[] =>
      found.length === 0
        ? []
        : [
            {
              ...{ dataset: runOfRow(manifest, row).dataset.name, method, variant, scorer: scorer.scorer },
              ...{ metric: name, subset, ...estimate(found, scores.questions.clusterOf) },
              ...{ least: null, greatest: null, failed, skipped: 0 },
            },
          ]
    const reference = (use: string): ReadonlyMap<number, number> => {
      const found = manifest.methods.find((one) => one.use === use && one.run === row.run && one.inConfig !== false)
      return new Map(found ? scoresOf(found).map(({ question, mean }) => [question, mean]) : [])
    }
    if (row.answers) return []
    const [best, bare] = [reference('oracle'), reference('closed-book')]
    const isWrong = ({ question }: QuestionScores): boolean => (bare.get(question) ?? rightFrom) < rightFrom
    return [
      ...(row.use === 'oracle'
        ? []
        : cellOf(
            headroom,
            'all',
            compared(own, (question, mean) => (best.get(question) ?? NaN) - mean),
          )),
      ...(row.use === 'closed-book'
        ? cellOf(
            contamination,
            'all',
            compared(own, (_question, mean) => Number(mean >= rightFrom)),
          )
        : cellOf(metric, closedBookWrong, own.filter(isWrong))),
    ]
  })
}

/** A number a question in place of its scores; questions without one are left out. */
const compared = (
  own: readonly QuestionScores[],
  numberOf: (question: number, mean: number) => number,
): readonly QuestionScores[] =>
  own
    .map(({ question, mean }) => ({ question, mean: numberOf(question, mean), repeats: [] }))
    .filter(({ mean }) => !Number.isNaN(mean))
