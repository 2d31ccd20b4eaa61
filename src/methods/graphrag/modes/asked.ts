import type { Budget, Models, Passage } from '../../../types.ts'
import type { GraphIndex } from '../graph-index.ts'
import type { GraphragOptions } from '../options.ts'
import { visibleAt, type Visible } from '../query/visible.ts'

/** What every mode is asked with. `count` remembers what it has counted: rows come again and again. */
export interface Asked {
  readonly text: string
  readonly budget: Budget
  readonly models: Models
  readonly index: GraphIndex
  readonly visible: Visible
  readonly options: GraphragOptions
  readonly count: (text: string) => number
}

/** A way to find passages, best first. */
export type Mode = (asked: Asked) => Promise<readonly Passage[]>

/** What a question sees; an index without communities is seen whole (section 6). */
export const seenBy = (index: GraphIndex, { communityLevel }: Pick<GraphragOptions, 'communityLevel'>): Visible =>
  visibleAt(index, index.communities.length === 0 ? null : communityLevel)

/** The ids of the chunks behind text units, each once. */
export const chunksOf = (
  { sources }: Pick<GraphIndex, 'sources'>,
  textUnitIds: Iterable<number>,
): readonly string[] => [...new Set(Array.from(new Set(textUnitIds)).flatMap((id) => sources[id]?.from ?? []))]
