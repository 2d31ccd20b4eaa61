import type { Passage, Trace } from '../../types.ts'
import { distinctPassages } from './fuse-passages.ts'

/** A query, and the passages that its search returned. */
export interface Search {
  readonly query: string
  readonly passages: readonly Passage[]
}

/** Searches turn by turn; `turns` sees the searches so far, yields the queries of a turn, and resumes after them. */
export async function searchByTurns<End>(
  search: (query: string) => Promise<readonly Passage[]>,
  turns: (searches: readonly Search[]) => AsyncGenerator<readonly string[], End, void>,
) {
  const searches: Search[] = []
  const generator = turns(searches)
  let turn = await generator.next()
  while (!turn.done) {
    const results = turn.value.map(async (query) => ({ query, passages: await search(query) }))
    searches.push(...(await Promise.all(results)))
    turn = await generator.next()
  }
  return { searches, end: turn.value }
}

/** The passages of all searches, each once, in order of first sight or as `merge` says; `why` adds to their traces. */
export function rankedPassages(
  searches: readonly Search[],
  why: (place: number, rank: number) => Trace,
  merge = distinctPassages,
): readonly Passage[] {
  const lists = searches.map(({ passages }, place) =>
    passages.map(({ order: _, ...passage }, rank) => ({ ...passage, why: { ...passage.why, ...why(place, rank) } })),
  )
  return merge(lists).map((passage, place) => ({ ...passage, score: 1 / (place + 1) }))
}
