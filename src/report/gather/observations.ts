import { groupBy, itemAt } from '../../basics/collections.ts'
import { mean } from '../../math/statistics/descriptive.ts'

/** The cluster of a question by its number. */
export type ClusterOf = QuestionNumbers['clusterOf']

/** Scores of a row by question, and by repeat where each repeat has its own index. */
export interface ScoredSide {
  readonly scores: ReadonlyMap<number, number>
  readonly repeats?: ReadonlyMap<number, ReadonlyMap<number, number>>
}

/** Scores of a row in one metric, with single repeats and judge runs. */
export interface ScoredRow extends ScoredSide {
  /** Made at each reading: those of several rows together would fill the memory. */
  readonly questions: () => readonly QuestionScores[]
  /** Questions with a failed score or trial. */
  readonly failed: ReadonlySet<number>
}

export function scoredRow(
  questions: () => readonly QuestionScores[],
  hasOwnIndexes: boolean,
  failed: ReadonlySet<number> = new Set(),
): ScoredRow {
  const all = questions()
  const scores = new Map(all.map(({ question, mean }) => [question, mean]))
  const row = { questions, failed, scores }
  if (!hasOwnIndexes) return row
  return { ...row, repeats: new Map(all.map((question) => [question.question, valuesByRepeat(question)])) }
}

export interface QuestionScores {
  readonly question: number
  /** s_iA: mean over repeats of means over judge runs. */
  readonly mean: number
  /** In order of repeats and judge runs. */
  readonly values: readonly { readonly repeat: number; readonly run: number; readonly value: number }[]
}

/** Means over judge runs. */
export function valuesByRepeat({ values }: Pick<QuestionScores, 'values'>): ReadonlyMap<number, number> {
  const repeats = groupBy(values, ({ repeat }) => repeat)
  return new Map(Array.from(repeats, ([repeat, runs]) => [repeat, mean(runs.map(({ value }) => value))]))
}

export type Observations = ReturnType<typeof observations>

/**
 * Stores numbers in flat lists, which need less memory than objects. The questions are made at each reading: those of
 * many cells together would fill the memory.
 */
export function observations() {
  const questions: number[] = []
  const repeats: number[] = []
  const runs: number[] = []
  const values: number[] = []
  const at = (list: readonly number[]) => (entry: number) => itemAt(list, entry)
  const questionOf = at(questions)
  const repeatOf = at(repeats)
  const runOf = at(runs)
  const valueAt = at(values)
  return {
    /** Numbers start at 0. */
    add(question: number, repeat: number, run: number, value: number): void {
      questions.push(question)
      repeats.push(repeat)
      runs.push(run)
      values.push(value)
    },
    /** Questions with a value, by repeat and judge run. */
    byQuestion(): readonly QuestionScores[] {
      const order = [...questions.keys()].sort(
        (a, b) => questionOf(a) - questionOf(b) || repeatOf(a) - repeatOf(b) || runOf(a) - runOf(b),
      )
      return Array.from(groupBy(order, questionOf), ([question, entries]) => {
        const ofQuestion = entries.map((entry) => ({
          repeat: repeatOf(entry),
          run: runOf(entry),
          value: valueAt(entry),
        }))
        return { question, mean: mean([...valuesByRepeat({ values: ofQuestion }).values()]), values: ofQuestion }
      })
    },
  }
}

export type QuestionNumbers = ReturnType<typeof questionNumbers>

/** Numbers questions from 0 in the order of arrival. */
export function questionNumbers() {
  const numbers = new Map<string, number>()
  const ids: string[] = []
  const clusters: (string | undefined)[] = []
  // each line has a copy of the name of its cluster: one of them stays
  const names = new Map<string, string>()
  return {
    numberOf(id: string, cluster: string | undefined): number {
      const current = numbers.get(id)
      if (current !== undefined) return current
      numbers.set(id, ids.length)
      if (cluster !== undefined && !names.has(cluster)) names.set(cluster, cluster)
      clusters.push(cluster === undefined ? undefined : names.get(cluster))
      return ids.push(id) - 1
    },
    idOf: (number: number): string => itemAt(ids, number),
    // a question without a cluster is its own cluster
    clusterOf: (number: number): string | number => clusters[number] ?? number,
  }
}
