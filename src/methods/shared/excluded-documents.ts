import { memoiseWeakly } from '../../basics/memoise.ts'
import type { Budget, Chunk, Index, Passage, Query } from '../../types.ts'
import { byDocument } from './whole-documents.ts'

/** What the excluded documents of a query change. */
interface Exclusion {
  /** A budget that has room for all their chunks besides. */
  readonly withRoom: (budget: Budget) => Budget
  /** A ranking without what is quoted from them, or made of them alone. */
  readonly without: (ranking: readonly Passage[]) => readonly Passage[]
}

/** How the documents that a query excludes are left out of a ranking of the chunks. */
export function exclusionOf({ excludedIds = [] }: Query, chunks: readonly Chunk[]): Exclusion {
  const excluded = new Set(excludedIds)
  const theirs = [...excluded].flatMap((id) => chunksByDocument(chunks).get(id) ?? [])
  const chunkIds = new Set(theirs.map(({ id }) => id))
  const tokens = theirs.reduce((sum, chunk) => sum + chunk.tokens, 0)
  const rest = (passage: Passage): readonly Passage[] => {
    const from = passage.from.filter((id) => !chunkIds.has(id))
    const spans = passage.spans?.filter(({ documentId }) => !excluded.has(documentId))
    const [sources, left] = spans ? [passage.spans ?? [], spans] : [passage.from, from]
    if (left.length === sources.length) return [passage]
    if (left.length === 0) return []
    // a chunk that stands in several documents is left to the others; what was made of several stays as it is
    return passage.kind === 'chunk' ? [{ ...passage, from, ...(spans && { spans }) }] : [passage]
  }
  return {
    withRoom: (budget) => ({ passages: budget.passages + theirs.length, tokens: budget.tokens + tokens }),
    without: (ranking) => (excluded.size === 0 ? ranking : ranking.flatMap(rest)),
  }
}

const chunksByDocument = memoiseWeakly((chunks: readonly Chunk[]) => byDocument(chunks))

/** The index, with rankings that lack the documents which a query excludes. */
export const withoutExcluded = (index: Index, chunks: readonly Chunk[]): Index => ({
  ...index,
  async retrieve(query, budget, models) {
    const { withRoom, without } = exclusionOf(query, chunks)
    return without(await index.retrieve(query, withRoom(budget), models))
  },
})
