import { tokenizer } from '../../text/tokens.ts'
import type { Chunk, TextSpan } from '../../types.ts'
import { wholeDocuments, type WholeDocument } from '../shared/whole-documents.ts'

/** A text unit before extraction: where it lies, and the chunks that it overlaps. `span` where it is no chunk of the run. */
export interface SourceUnit {
  readonly docId: string
  readonly text: string
  readonly tokens: number
  readonly from: readonly string[]
  readonly span?: TextSpan
}

/** The chunks of the run, or windows of so many tokens over each document, `overlap` of them repeated; none is empty. */
export function sourceUnits(
  chunks: readonly Chunk[],
  { chunkTokens, overlap }: { readonly chunkTokens: 'run' | number; readonly overlap: number },
  count: (text: string) => number,
): readonly SourceUnit[] {
  if (chunkTokens === 'run')
    return chunks.map(({ id, documentId, text, tokens }) => ({ docId: documentId, text, tokens, from: [id] }))
  return wholeDocuments(chunks).flatMap((document) =>
    windows(document.text, chunkTokens, overlap).flatMap(({ start, end }) => {
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
  const own = text.slice(start, end)
  return {
    docId: id,
    text: own,
    tokens: count(own),
    from: chunks.filter((chunk) => chunk.start < end && start < chunk.end).map((chunk) => chunk.id),
    span: { documentId: id, start, end },
  }
}

/** UTF-16 offsets of windows of o200k_base tokens; a boundary inside a character goes before it. */
function windows(text: string, size: number, overlap: number): readonly { start: number; end: number }[] {
  const words = tokenizer('o200k_base')
  const starts = [0]
  let bytes = 0
  for (const token of words.encode(text)) starts.push((bytes += words.bytes(token)))
  const offsets = offsetsOf(text, starts)
  const found: { start: number; end: number }[] = []
  for (let from = 0; ; from += size - overlap) {
    const to = Math.min(from + size, starts.length - 1)
    const end = offsets[to] ?? text.length
    if (end > (found.at(-1)?.end ?? 0)) found.push({ start: offsets[from] ?? 0, end })
    if (to === starts.length - 1) return found
  }
}

/** The UTF-16 offset of each byte offset, ascending. */
function offsetsOf(text: string, bytes: readonly number[]): readonly number[] {
  let [at, reached] = [0, 0]
  return bytes.map((wanted) => {
    while (at < text.length) {
      const point = text.codePointAt(at) ?? 0
      const width = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
      if (reached + width > wanted) break
      reached += width
      at += point < 0x10000 ? 1 : 2
    }
    return at
  })
}
