import type { Question } from '../../types.ts'

/** A question and the documents that make it depend on others. */
export interface Sharing {
  readonly question: Question
  readonly documents: readonly string[]
}

/**
 * The questions, in order, each with its cluster: two that share a document are of one, and so are two that a chain of such pairs connects.
 * A cluster is named after the smallest id of its questions (by UTF-16 code unit).
 */
export function connected(asked: readonly Sharing[]): readonly Question[] {
  const leaders = asked.map((_, index) => index)
  const leaderOf = (index: number): number => {
    let at = index
    for (let next = leaders[at] ?? at; next !== at; next = leaders[at] ?? at) {
      leaders[at] = leaders[next] ?? next // halves the way for the next who asks
      at = next
    }
    return at
  }
  const firstOf = new Map<string, number>()
  for (const [index, { documents }] of asked.entries())
    for (const document of documents) {
      const first = firstOf.get(document)
      if (first === undefined) firstOf.set(document, index)
      else leaders[leaderOf(index)] = leaderOf(first)
    }
  const smallest = new Map<number, string>()
  for (const [index, { question }] of asked.entries()) {
    const leader = leaderOf(index)
    const before = smallest.get(leader)
    if (before === undefined || question.id < before) smallest.set(leader, question.id)
  }
  return asked.map(({ question }, index) => ({
    ...question,
    cluster: smallest.get(leaderOf(index)) ?? question.id,
  }))
}
