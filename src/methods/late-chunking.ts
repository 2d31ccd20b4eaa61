import { z } from 'zod'
import { itemAt, valueOf } from '../basics/collections.ts'
import { defineMethod } from '../define.ts'
import { rowsToMatrix, topK } from '../math/vectors.ts'
import type { Chunk, Models } from '../types.ts'
import { chunkPassages } from './shared/chunk-passages.ts'
import { meanDirection, queryVector } from './shared/embed.ts'
import { countContentTokens, fitsWindow, contentTokens } from './shared/content-tokens.ts'
import { wholeDocuments } from './shared/whole-documents.ts'

/** A chunk's vector is the mean of its token vectors, computed within the whole document. */
export const lateChunking = defineMethod({
  name: 'late-chunking',
  summary:
    'Ranks chunks by the mean of the vectors that their tokens have within the document. Meant for an embedder that reads long texts and takes means.',
  paper: 'Günther et al. 2024, Late Chunking: Contextual Chunk Embeddings Using Long-Context Embedding Models',
  options: z.strictObject({}),
  requires: async () => ({ tokens: true }),
  async index(chunks, models) {
    const parts = wholeDocuments(chunks).flatMap(({ text, chunks: documentChunks }) =>
      partsOf(text, documentChunks, models),
    )
    const vectorsByPart = await Promise.all(parts.map((part) => vectorsIn(part, models)))
    const vectors = new Map(vectorsByPart.flat().map(({ id, vector }) => [id, vector]))
    const embeddedChunks = chunks.filter(({ id }) => vectors.has(id))
    const rows = rowsToMatrix(embeddedChunks.map(({ id }) => valueOf(vectors, id)))
    return {
      nested: true,
      async retrieve({ text }, { passages }, models) {
        if (embeddedChunks.length === 0) return []
        const hits = topK(await queryVector(text, models), rows, passages)
        return chunkPassages(hits, embeddedChunks, ({ score }) => ({ cosine: score }))
      },
      warnings: () => ({
        'chunks without a token, which are not found': chunks.length - embeddedChunks.length,
        'chunks read in part': parts.filter(({ isCut }) => isCut).length,
      }),
    }
  },
})

/** A section of a document within the embedder's window, and the chunks whose vectors come from it. */
interface Part {
  readonly text: string
  readonly start: number
  readonly chunks: readonly Chunk[]
  readonly isCut: boolean
}

/** Splits a document into the fewest parts that fit the embedder's window (section 3.2), without overlap. */
function partsOf(document: string, chunks: readonly Chunk[], models: Pick<Models, 'tokenIds'>): readonly Part[] {
  const inOrder = chunks.toSorted((a, b) => a.start - b.start || a.end - b.end)
  const textOf = (from: number, to: number): string =>
    document.slice(itemAt(inOrder, from).start, Math.max(...inOrder.slice(from, to + 1).map(({ end }) => end)))
  const isReadable = (from: number, to: number): boolean => fitsWindow(textOf(from, to), models)
  const parts: Part[] = []
  for (let from = 0; from < inOrder.length;) {
    let to = from
    while (to + 1 < inOrder.length && isReadable(from, to + 1)) to++
    parts.push({
      text: textOf(from, to),
      start: itemAt(inOrder, from).start,
      chunks: inOrder.slice(from, to + 1),
      isCut: from === to && !isReadable(from, to),
    })
    from = to + 1
  }
  return parts
}

async function vectorsIn({ text, start, chunks }: Part, models: Pick<Models, 'embedTokens' | 'tokenIds'>) {
  const tokens = await contentTokens(text, models)
  const countTo = (offset: number): number => countContentTokens(text.slice(0, offset - start), models)
  return chunks.flatMap(({ id, start: first, end }) => {
    // a chunk shorter than a token takes the token at its place
    const from = Math.min(countTo(first), tokens.length - 1)
    const chunkTokens = tokens.slice(Math.max(0, from), Math.max(from + 1, countTo(end)))
    return chunkTokens.length === 0 ? [] : [{ id, vector: meanDirection(chunkTokens) }]
  })
}
