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

/** A passage of a search, with what its trace gets. */
export interface Finding {
  readonly passage: Passage
  readonly why: Trace
}

/** All findings of searches in order; `why`: from the place of the search and of the passage in it, from 0. */
export const findingsOf = (searches: readonly Search[], why: (place: number, rank: number) => Trace) =>
  searches.map(({ passages }, place) => passages.map((passage, rank): Finding => ({ passage, why: why(place, rank) })))

export const findingKey = ({ passage }: Finding): string => passageKey(passage)

/** The first finding of each passage, in order of first sight. */
export const inOrderOfFirstSight = (findings: readonly (readonly Finding[])[]): readonly Finding[] =>
  Array.from(groupBy(findings.flat(), findingKey).values(), ([first]) => first)

/** Findings as a ranking: the score is 1 / rank. */
export const rankFindings = (findings: readonly Finding[]): readonly Passage[] =>
  findings.map(({ passage: { order: _order, ...passage }, why }, place) => ({
    ...passage,
    score: 1 / (place + 1),
    why: { ...passage.why, ...why },
  }))
