import { memoiseWeakly } from '../../basics/memoise.ts'
import type { Budget, Chunk, Index, Passage, Query } from '../../types.ts'
import { byDocument } from './whole-documents.ts'

/**
 * The effect of the excluded documents of a query: a budget with room for all excluded chunks, and a ranking without
 * quotes from these documents and passages made only of them.
 */
export function exclusionOf({ excludedIds = [] }: Query, chunks: readonly Chunk[]) {
  const documentIds = new Set(excludedIds)
  const excludedChunks = [...documentIds].flatMap((id) => chunksByDocument(chunks).get(id) ?? [])
  const chunkIds = new Set(excludedChunks.map(({ id }) => id))
  const tokens = excludedChunks.reduce((sum, chunk) => sum + chunk.tokens, 0)
  const rest = (passage: Passage): readonly Passage[] => {
    const from = passage.from.filter((id) => !chunkIds.has(id))
    const spans = passage.spans?.filter(({ documentId }) => !documentIds.has(documentId))
    const [sources, remainder] = spans ? [passage.spans ?? [], spans] : [passage.from, from]
    if (remainder.length === sources.length) return [passage]
    if (remainder.length === 0) return []
    // a chunk in several documents keeps the other sources; a passage made of several sources stays
    return passage.kind === 'chunk' ? [{ ...passage, from, ...(spans && { spans }) }] : [passage]
  }
  return {
    withRoom: (budget: Budget): Budget => {
      return { passages: budget.passages + excludedChunks.length, tokens: budget.tokens + tokens }
    },
    without: (ranking: readonly Passage[]) => (documentIds.size === 0 ? ranking : ranking.flatMap(rest)),
  }
}

const chunksByDocument = memoiseWeakly((chunks: readonly Chunk[]) => byDocument(chunks))

/** An index whose rankings omit the documents that a query excludes. */
export const excludeDocuments = (index: Index, chunks: readonly Chunk[]): Index => ({
  ...index,
  async retrieve(query, budget, models) {
    const { withRoom, without } = exclusionOf(query, chunks)
    return without(await index.retrieve(query, withRoom(budget), models))
  },
})
