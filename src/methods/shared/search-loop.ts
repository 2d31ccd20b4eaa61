import { groupBy } from '../../basics/collections.ts'
import type { Passage, Trace } from '../../types.ts'
import { passageKey } from './fuse-passages.ts'

/** A query, and the passages that its search returned. */
export interface Search {
  readonly query: string
  readonly passages: readonly Passage[]
}

/** Searches turn by turn: `nextQueries` chooses the queries of a turn from the searches so far; none ends the loop. */
export async function searchByTurns(
  search: (query: string) => Promise<readonly Passage[]>,
  nextQueries: (searches: readonly Search[]) => Promise<readonly string[]>,
): Promise<readonly Search[]> {
  const searches: Search[] = []
  for (;;) {
    const queries = await nextQueries(searches)
    if (queries.length === 0) return searches
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

/** Passages as a ranking: the score is 1 / rank. */
export const rankedPassages = (passages: readonly Passage[]): readonly Passage[] =>
  passages.map(({ order: _order, ...passage }, place) => ({ ...passage, score: 1 / (place + 1) }))
