import { z } from 'zod'
import { itemAt } from '../basics/collections.ts'
import { defineMethod } from '../define.ts'
import { normalise, rowsToMatrix, topK } from '../math/vectors.ts'
import type { Chunk, Models } from '../types.ts'
import { queryVector } from './shared/embed.ts'
import { countOwnTokens, isReadWhole, ownTokens } from './shared/own-tokens.ts'
import { wholeDocuments } from './shared/whole-documents.ts'

const options = z.strictObject({
  before: z
    .int()
    .min(0)
    .default(0)
    .describe(
      'Chunks of the text before that are read again where a document is longer than what the embedder reads at once (our reading; the authors’ code can repeat 256 tokens)',
    ),
})

/** A chunk's vector is the mean of its tokens' vectors as they are within the document (late chunking). */
export const lateChunking = defineMethod({
  name: 'late-chunking',
  summary:
    'Ranks chunks by the mean of the vectors that their tokens have within the document, as much of it as the embedder reads at once. Meant for an embedder that reads long texts and takes means.',
  paper: 'Günther et al. 2024, Late Chunking: Contextual Chunk Embeddings Using Long-Context Embedding Models',
  options,
  requires: async () => ({ tokens: true }),
  async index(chunks, models, { before }) {
    const parts = wholeDocuments(chunks).flatMap(({ text, chunks: own }) => partsOf(text, own, before, models))
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

/** A document in as few parts as the embedder can read to their ends, each from some chunks before (section 3.2). */
function partsOf(
  document: string,
  chunks: readonly Chunk[],
  before: number,
  models: Pick<Models, 'tokenIds'>,
): readonly Part[] {
  const inOrder = chunks.toSorted((a, b) => a.start - b.start || a.end - b.end)
  const parts: Part[] = []
  for (let next = 0; next < inOrder.length;) {
    const textOf = (from: number, to: number): string =>
      document.slice(itemAt(inOrder, from).start, Math.max(...inOrder.slice(from, to + 1).map(({ end }) => end)))
    const fits = (from: number, to: number): boolean => isReadWhole(textOf(from, to), models)
    let from = Math.max(0, next - before)
    while (from < next && !fits(from, next)) from++
    let to = next
    while (to + 1 < inOrder.length && fits(from, to + 1)) to++
    parts.push({
      text: textOf(from, to),
      start: itemAt(inOrder, from).start,
      chunks: inOrder.slice(next, to + 1),
      isCut: from === to && !fits(from, to),
    })
    next = to + 1
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
