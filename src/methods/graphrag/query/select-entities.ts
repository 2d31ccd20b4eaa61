import type { Entity } from '../tables.ts'
import type { Visible } from './visible.ts'

/** Titles that are taken before all hits, and titles that are taken out of them. */
export interface TitleFilter {
  readonly includeTitles?: readonly string[]
  readonly excludeTitles?: readonly string[]
}

/** The hits of a question, by id, that it sees; none takes the place of another that is dropped (section 3). */
export function selectHits(
  visible: Visible,
  hits: readonly number[],
  { includeTitles = [], excludeTitles = [] }: TitleFilter = {},
): readonly Entity[] {
  return [
    ...includeTitles.flatMap((title) => visible.entities.find((entity) => entity.title === title) ?? []),
    ...hits.flatMap((id) => visible.byId.get(id) ?? []).filter(({ title }) => !excludeTitles.includes(title)),
  ]
}

/** What an empty question gets: the entities of the highest degree. */
export const highestDegree = ({ entities }: Visible, count: number): readonly Entity[] =>
  entities.toSorted((a, b) => b.degree - a.degree).slice(0, count)
