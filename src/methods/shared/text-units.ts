import { byTokens, tokenizer } from '../../text/tokens.ts'
import type { Chunk, TextSpan } from '../../types.ts'
import { chunksBetween, wholeDocuments, type WholeDocument } from './whole-documents.ts'

/** A part of a document that a method indexes, and the chunks that it overlaps; `spans` if it is not a chunk. */
export interface SourceUnit {
  readonly documentId: string
  readonly text: string
  readonly from: readonly string[]
  readonly spans?: readonly TextSpan[]
}

/** The chunks of the run, or windows of `chunkTokens` tokens over each document with `overlap`, without empty ones. */
export function sourceUnits(
  chunks: readonly Chunk[],
  { chunkTokens, overlap }: { readonly chunkTokens: 'run' | number; readonly overlap: number },
): readonly SourceUnit[] {
  if (chunkTokens === 'run') return chunks.map(({ id, documentId, text }) => ({ documentId, text, from: [id] }))
  const units = wholeDocuments(chunks).flatMap((document) => {
    const parts = byTokens(document.text, { size: chunkTokens, overlap }, tokenizer('o200k_base'))
    return parts.map(({ start, end }) => unitAt(document, start, end))
  })
  return units.filter(({ text }) => text.trim() !== '')
}

/** The unit of a part of a document. */
export const unitAt = ({ id, text, chunks }: WholeDocument, start: number, end: number): Required<SourceUnit> => ({
  documentId: id,
  text: text.slice(start, end),
  from: chunksBetween(chunks, { start, end }),
  spans: [{ documentId: id, start, end }],
})
