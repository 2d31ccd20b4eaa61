import { UserError } from '../errors.ts'
import type { Tokenizer } from '../text/tokens.ts'
import type { Chunk, Document } from '../types.ts'
import { bySentences } from './sentences.ts'
import { byTokens, type Span } from '../text/token-windows.ts'

/** How documents are cut: `size` and `overlap` in tokens. */
export interface ChunkOptions {
  readonly size: number
  readonly overlap: number
  readonly by: 'tokens' | 'sentences' | 'none'
}

/**
 * The chunks of one document, in order; none when it is blank. A chunk's text is always the slice of the document from `start` to `end`,
 * `tokens` is the tokenizer's count of that text alone, and ids sort as the corpus does. Throws UserError on sizes that cannot be.
 */
export function chunk(document: Document, documentIndex: number, options: ChunkOptions, tokenizer: Tokenizer): Chunk[] {
  check(options)
  if (document.text.trim() === '') return []
  return cut(document.text, options, tokenizer).map(({ start, end }, position) => {
    const text = document.text.slice(start, end)
    return {
      id: `${fixed(documentIndex)}:${fixed(position)}`,
      documentId: document.id,
      position,
      start,
      end,
      text,
      tokens: tokenizer.count(text),
    }
  })
}

function cut(text: string, options: ChunkOptions, tokenizer: Tokenizer): readonly Span[] {
  switch (options.by) {
    case 'tokens':
      return byTokens(text, options, tokenizer)
    case 'sentences':
      return bySentences(text, options, tokenizer)
    case 'none':
      return [{ start: 0, end: text.length }]
  }
}

function check({ size, overlap }: ChunkOptions): void {
  if (!Number.isInteger(size) || size < 1)
    throw new UserError(`chunks.size is ${size}: it must be a whole number of tokens, 1 or more`)
  if (!Number.isInteger(overlap) || overlap < 0 || overlap >= size)
    throw new UserError(
      `chunks.overlap is ${overlap}: it must be a whole number from 0 to less than chunks.size (${size})`,
    )
}

/** Six digits, so that ids sort by their text in corpora of up to a million documents. */
const fixed = (index: number): string => String(index).padStart(6, '0')
