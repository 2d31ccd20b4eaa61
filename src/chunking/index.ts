import { UserError } from '../errors.ts'
import { sentences } from '../text/sentences.ts'
import { type Tokenizer, byTokens, type Span, tokenStarts } from '../text/tokens.ts'
import type { Chunk, Document } from '../types.ts'

/** How documents are cut: `size` and `overlap` in tokens. */
export interface ChunkOptions {
  readonly size: number
  readonly overlap: number
  readonly by: 'tokens' | 'sentences' | 'none'
}

/**
 * The chunks of one document, in order; none when it is blank. A chunk's text is always the slice of the document from
 * `start` to `end`, `tokens` is the tokenizer's count of that text alone, and ids sort as the corpus does. Throws
 * UserError on sizes that cannot be.
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

/**
 * Whole sentences, as many as fit into `size`; the white space before a sentence is part of it, as an encoding takes
 * it. Only a sentence longer than `size` is cut, by tokens. The overlap is made of the last whole sentences that fit
 * into it and leave room for the next one.
 */
function bySentences(
  text: string,
  { size, overlap }: { readonly size: number; readonly overlap: number },
  tokenizer: Tokenizer,
): Span[] {
  const chunks: Span[] = []
  let held: readonly Unit[] = []
  for (const unit of unitsOf(text, size, tokenizer)) {
    if (unit.to - (held[0]?.from ?? unit.from) > size) {
      chunks.push(spanOf(held))
      held = lastOf(held.slice(1), Math.min(overlap, size - (unit.to - unit.from)))
    }
    held = [...held, unit]
  }
  return [...chunks, spanOf(held)]
}

/** A stretch that stays whole: `from` and `to` count the tokens of the document before its start and its end. */
interface Unit extends Span {
  readonly from: number
  readonly to: number
}

/** From the first unit to the last. Throws Error for no units: a chunk holds one at least. */
function spanOf(units: readonly Unit[]): Span {
  const [first, last] = [units[0], units.at(-1)]
  if (!first || !last) throw new Error('a chunk without a sentence')
  return { start: first.start, end: last.end }
}

/** The units at the end that have no more than so many tokens together; none for no tokens. */
const lastOf = (units: readonly Unit[], tokens: number): readonly Unit[] =>
  tokens <= 0 ? [] : units.filter(({ from }) => (units.at(-1)?.to ?? 0) - from <= tokens)

/** The sentences of the text, without a gap between them, those longer than `size` in pieces. */
function unitsOf(text: string, size: number, tokenizer: Tokenizer): Unit[] {
  const starts = tokenStarts(text, tokenizer)
  let counted = 0
  const tokensBefore = (offset: number): number => {
    while ((starts[counted + 1] ?? Infinity) <= offset) counted++
    return counted
  }
  const ends = sentences(text)
    .slice(0, -1)
    .map((sentence) => sentence.end)
  let start = 0
  let from = 0
  return [...ends, text.length].flatMap((end) => {
    const unit = { start, end, from, to: tokensBefore(end) }
    start = unit.end
    from = unit.to
    return unit.to - unit.from > size ? pieces(unit, size, starts) : unit
  })
}

function pieces(unit: Unit, size: number, starts: Uint32Array): Unit[] {
  const found: Unit[] = []
  let start = unit.start
  for (let from = unit.from; from < unit.to; from += size) {
    const to = Math.min(from + size, unit.to)
    const end = to === unit.to ? unit.end : Math.max(start, starts[to] ?? unit.end)
    if (end > start) found.push({ start, end, from, to })
    start = end
  }
  return found
}
