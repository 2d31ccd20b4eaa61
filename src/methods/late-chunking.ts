import { z } from 'zod'
import { itemAt } from '../basics/collections.ts'
import { defineMethod } from '../define.ts'
import { normalise, rowsToMatrix, topK } from '../math/vectors.ts'
import type { Chunk, Models } from '../types.ts'
import { queryVector } from './shared/embed.ts'
import { countOwnTokens, isReadWhole, ownTokens } from './shared/own-tokens.ts'
import { wholeDocuments } from './shared/whole-documents.ts'

/** A chunk's vector is the mean of its tokens' vectors as they are within the document (late chunking). */
export const lateChunking = defineMethod({
  name: 'late-chunking',
  summary:
    'Ranks chunks by the mean of the vectors that their tokens have within the document, as much of it as the embedder reads at once. Meant for an embedder that reads long texts and takes means.',
  paper: 'Günther et al. 2024, Late Chunking: Contextual Chunk Embeddings Using Long-Context Embedding Models',
  options: z.strictObject({}),
  requires: async () => ({ tokens: true }),
  async index(chunks, models) {
    const parts = wholeDocuments(chunks).flatMap(({ text, chunks: own }) => partsOf(text, own, models))
    const pooled = await Promise.all(parts.map((part) => vectorsIn(part, models)))
    const vectors = new Map(pooled.flat().map(({ id, vector }) => [id, vector]))
    const found = chunks.flatMap((chunk) => {
      const vector = vectors.get(chunk.id)
      return vector ? [{ chunk, vector }] : []
    })
    const rows = rowsToMatrix(found.map(({ vector }) => vector))
    return {
      nested: true,
      async retrieve({ text }, { passages }, models) {
        if (found.length === 0) return []
        return topK(await queryVector(text, models), rows, passages).map(({ index, score }) => {
          const { chunk } = itemAt(found, index)
          return { text: chunk.text, score, from: [chunk.id], kind: 'chunk', why: { cosine: score } }
        })
      },
      stats: () => ({ 'texts read': parts.length, vectors: rows.rows, dimension: rows.columns }),
      warnings: () => ({
        'chunks without a token, which are not found': chunks.length - found.length,
        'chunks read in part': parts.filter(({ isCut }) => isCut).length,
      }),
    }
  },
})

/** A stretch of a document that the embedder reads at once. `chunks`: those that get their vectors of it. */
interface Part {
  readonly text: string
  readonly start: number
  readonly chunks: readonly Chunk[]
  readonly isCut: boolean
}

/**
 * A document in as few parts as the embedder can read to their ends (section 3.2; the authors’ code can also repeat 256
 * tokens).
 */
function partsOf(document: string, chunks: readonly Chunk[], models: Pick<Models, 'tokenIds'>): readonly Part[] {
  const inOrder = chunks.toSorted((a, b) => a.start - b.start || a.end - b.end)
  const textOf = (from: number, to: number): string =>
    document.slice(itemAt(inOrder, from).start, Math.max(...inOrder.slice(from, to + 1).map(({ end }) => end)))
  const fits = (from: number, to: number): boolean => isReadWhole(textOf(from, to), models)
  const parts: Part[] = []
  for (let from = 0; from < inOrder.length;) {
    let to = from
    while (to + 1 < inOrder.length && fits(from, to + 1)) to++
    parts.push({
      text: textOf(from, to),
      start: itemAt(inOrder, from).start,
      chunks: inOrder.slice(from, to + 1),
      isCut: from === to && !fits(from, to),
    })
    from = to + 1
  }
  return parts
}

/** The vectors of the chunks of a part: means of the tokens between where a chunk begins and where it ends. */
async function vectorsIn({ text, start, chunks }: Part, models: Pick<Models, 'embedTokens' | 'tokenIds'>) {
  const tokens = await ownTokens(text, models)
  const countTo = (offset: number): number => countOwnTokens(text.slice(0, offset - start), models)
  return chunks.flatMap(({ id, start: first, end }) => {
    // a chunk that is a part of a word, or has no word, has the token where it stands
    const from = Math.min(countTo(first), tokens.length - 1)
    const own = tokens.slice(Math.max(0, from), Math.max(from + 1, countTo(end)))
    return own.length === 0 ? [] : [{ id, vector: meanOf(own) }]
  })
}

/** The mean of vectors of one length, as a unit vector. */
function meanOf(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float64Array(itemAt(vectors, 0).length)
  for (const vector of vectors) for (let at = 0; at < sum.length; at++) sum[at] = itemAt(sum, at) + itemAt(vector, at)
  return normalise(Float32Array.from(sum))
}
