import { byTokens, tokenizer } from '../../text/tokens.ts'
import type { Chunk, TextSpan } from '../../types.ts'
import { chunksBetween, wholeDocuments, type WholeDocument } from './whole-documents.ts'

/** A part of a document that a method indexes, and the chunks that it overlaps; `span` if it is not a chunk. */
export interface SourceUnit {
  readonly docId: string
  readonly text: string
  readonly tokens: number
  readonly from: readonly string[]
  readonly span?: TextSpan
}

/** The chunks of the run, or windows of `chunkTokens` tokens over each document with `overlap`, without empty ones. */
export function sourceUnits(
  chunks: readonly Chunk[],
  { chunkTokens, overlap }: { readonly chunkTokens: 'run' | number; readonly overlap: number },
  count: (text: string) => number,
): readonly SourceUnit[] {
  if (chunkTokens === 'run')
    return chunks.map(({ id, documentId, text, tokens }) => ({ docId: documentId, text, tokens, from: [id] }))
  return wholeDocuments(chunks).flatMap((document) =>
    byTokens(document.text, { size: chunkTokens, overlap }, tokenizer('o200k_base')).flatMap(({ start, end }) => {
      const unit = unitAt(document, start, end, count)
      return unit.text.trim() === '' ? [] : [unit]
    }),
  )
}

/** The text unit of a part of a document. */
export function unitAt(
  { id, text, chunks }: WholeDocument,
  start: number,
  end: number,
  count: (text: string) => number,
): SourceUnit {
  const unitText = text.slice(start, end)
  return {
    docId: id,
    text: unitText,
    tokens: count(unitText),
    from: chunksBetween(chunks, { start, end }),
    span: { documentId: id, start, end },
  }
}
