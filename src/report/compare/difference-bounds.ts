import type { DifferenceBounds } from './comparison.ts'

/** A row's scores by question, and the questions of which one failed. */
export interface RowScores {
  readonly scores: ReadonlyMap<number, number>
  readonly failed: ReadonlySet<number>
}

/**
 * Bounds of the mean of a - b over the compared questions and those that failed in one of the two rows, whose scores may be anything from
 * `least` to `greatest`. What a scorer declined is no failure, and is left out.
 */
export function differenceBounds(
  a: RowScores,
  b: RowScores,
  compared: readonly number[],
  [least, greatest]: readonly [number, number],
): DifferenceBounds {
  const wasAsked = ({ scores, failed }: RowScores, question: number): boolean =>
    scores.has(question) || failed.has(question)
  const lost = [...new Set([...a.failed, ...b.failed])].filter(
    (question) => !(a.scores.has(question) && b.scores.has(question)) && wasAsked(a, question) && wasAsked(b, question),
  )
  const questions = [...compared, ...lost]
  const mean = (ofA: number, ofB: number): number =>
    questions.reduce((sum, one) => sum + (a.scores.get(one) ?? ofA) - (b.scores.get(one) ?? ofB), 0) / questions.length
  return { least: mean(least, greatest), greatest: mean(greatest, least) }
}
