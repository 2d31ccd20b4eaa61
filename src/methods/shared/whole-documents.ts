import { groupBy } from '../../basics/collections.ts'
import type { Chunk } from '../../types.ts'
import { longestStart } from './longest-start.ts'

/** A document put together again. Offsets of its chunks are offsets into `text`. */
export interface WholeDocument {
  readonly id: string
  readonly text: string
  readonly chunks: readonly Chunk[]
}

/** The documents that the chunks were cut from, in order, with no overlap repeated; what no chunk covers is spaces. */
export function wholeDocuments(chunks: readonly Chunk[]): WholeDocument[] {
  return Array.from(byDocument(chunks), ([id, own]) => ({ id, text: join(own), chunks: own }))
}

/** The most tokens of a document that are shown to a model (our reading). */
export const shownTokens = 8000

/** The documents, and each as far as it is shown to a model. */
export const shownDocuments = (
  chunks: readonly Chunk[],
  countTokens: (text: string) => number,
): readonly (WholeDocument & { readonly shown: string; readonly isCut: boolean })[] =>
  wholeDocuments(chunks).map((document) => {
    const isCut = countTokens(document.text) > shownTokens
    return { ...document, shown: isCut ? longestStart(document.text, shownTokens, countTokens) : document.text, isCut }
  })

function join(chunks: readonly Chunk[]): string {
  const parts: string[] = []
  let reached = 0
  for (const { start, end, text, lead = 0 } of chunks.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    if (end <= reached) continue
    parts.push(' '.repeat(Math.max(0, start - reached)), text.slice(lead + Math.max(0, reached - start)))
    reached = end
  }
  return parts.join('')
}

/** Chunks, or what was made of them, document by document, in the order in which the documents first appear. */
export const byDocument = <C extends { readonly documentId: string }>(
  chunks: readonly C[],
): ReadonlyMap<string, readonly C[]> => groupBy(chunks, ({ documentId }) => documentId)
