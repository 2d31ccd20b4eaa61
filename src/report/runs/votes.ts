import { mean } from '../../math/statistics/descriptive.ts'
import type { QuestionScores } from '../table/observations.ts'

/** What the runs say of each question together. */
export interface Votes {
  /** Questions by the verdict that more than half of their runs give; `none` where no verdict has so many. */
  readonly majority: Readonly<Record<string, number>>
  /** Share of the pairs of runs of a question that agree, in the mean over questions; null where no question has two runs. */
  readonly agreement: number | null
}

/** Votes on verdicts, each a metric that is 1 where it was given and 0 elsewhere. */
export function votesOf(verdicts: readonly (readonly [name: string, questions: readonly QuestionScores[]])[]): Votes {
  const given = new Map<number, Map<string, number>>()
  for (const [name, questions] of verdicts)
    for (const { question, repeats } of questions) {
      const own = given.get(question) ?? new Map<string, number>()
      given.set(question, own)
      own.set(
        name,
        repeats.flatMap(({ values }) => values).reduce((sum, { value }) => sum + value, 0),
      )
    }
  const names = [...verdicts.map(([name]) => name), 'none']
  const majority = Object.fromEntries(names.map((name) => [name, 0]))
  const agreements: number[] = []
  for (const counts of given.values()) {
    const runs = [...counts.values()].reduce((sum, count) => sum + count, 0)
    const winner = [...counts].find(([, count]) => count > runs / 2)?.[0] ?? 'none'
    majority[winner] = (majority[winner] ?? 0) + 1
    const agreeing = [...counts.values()].reduce((sum, count) => sum + count * (count - 1), 0)
    if (runs > 1) agreements.push(agreeing / (runs * (runs - 1)))
  }
  return { majority, agreement: agreements.length === 0 ? null : mean(agreements) }
}
