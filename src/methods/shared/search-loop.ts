import { groupBy } from '../../basics/collections.ts'
import type { Passage, Trace } from '../../types.ts'
import { passageKey } from './fuse-passages.ts'

/** A query, and the passages that its search returned. */
export interface Search {
  readonly query: string
  readonly passages: readonly Passage[]
}

/** Searches turn by turn: `nextQueries` chooses the queries of a turn, perhaps none; undefined ends the loop. */
export async function searchByTurns(
  search: (query: string) => Promise<readonly Passage[]>,
  nextQueries: (searches: readonly Search[]) => Promise<readonly string[] | undefined>,
): Promise<readonly Search[]> {
  const searches: Search[] = []
  for (;;) {
    const queries = await nextQueries(searches)
    if (!queries) return searches
    searches.push(...(await Promise.all(queries.map(async (query) => ({ query, passages: await search(query) })))))
  }
}

/** The passages of each search; `why` adds to their traces, from the place of the search and of the passage in it. */
export const tracedPassages = (searches: readonly Search[], why: (place: number, rank: number) => Trace) =>
  searches.map(({ passages }, place) =>
    passages.map((passage, rank): Passage => ({ ...passage, why: { ...passage.why, ...why(place, rank) } })),
  )

/** Each passage once, in order of first sight. */
export const distinctPassages = (lists: readonly (readonly Passage[])[]): readonly Passage[] =>
  Array.from(groupBy(lists.flat(), passageKey).values(), ([first]) => first)

/** The passages of all searches, each once, interleaved or in order of first sight; the score is 1 / rank. */
export const rankedPassages = (
  searches: readonly Search[],
  why: (place: number, rank: number) => Trace,
  merge = distinctPassages,
): readonly Passage[] =>
  merge(tracedPassages(searches, why)).map(({ order: _order, ...passage }, place) => ({
    ...passage,
    score: 1 / (place + 1),
  }))
