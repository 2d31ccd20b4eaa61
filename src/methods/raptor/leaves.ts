import { sentences } from '../../text/sentences.ts'
import { tokenizer, tokenStarts, type Span, type Tokenizer } from '../../text/tokens.ts'
import type { Chunk } from '../../types.ts'
import { chunksBetween, wholeDocuments } from '../shared/whole-documents.ts'
import type { RaptorOptions } from './options.ts'
import { inReadingOrder } from './clusters.ts'
/** The reference's tokenizer of leaves and clusters. */
export const referenceTokenizer = 'cl100k_base'

/** A text of the lowest layer, its span in the document, and the ids of the chunks that it overlaps. */
export interface Leaf extends Span {
  readonly documentId: string
  readonly text: string
  readonly from: readonly string[]
}

type LeafOptions = Pick<RaptorOptions, 'chunkTokens' | 'compat'>

/** Splits the chunks' documents, in reading order, into non-empty leaves of at most `chunkTokens`. */
export function leavesOf(unorderedChunks: readonly Chunk[], options: LeafOptions): readonly Leaf[] {
  const chunks = inReadingOrder(unorderedChunks)
  const words = tokenizer(referenceTokenizer)
  const count: Count = (text) => words.count(text)
  return wholeDocuments(chunks).flatMap(({ id, text, chunks: documentChunks }) => {
    const spans = options.compat
      ? compatSpans(text, options.chunkTokens, words)
      : sentenceSpans(text, options.chunkTokens, count)
    return spans.flatMap(({ start, end, words: compatText }) => {
      const leafText = (compatText ?? text.slice(start, end)).trim()
      const from = chunksBetween(documentChunks, { start, end })
      return leafText === '' ? [] : [{ documentId: id, text: leafText, start, end, from }]
    })
  })
}

type Count = (text: string) => number

/** Packs whole sentences while they fit; a sentence that is too long is divided. */
function sentenceSpans(text: string, maxTokens: number, count: Count): readonly (Span & { words?: string })[] {
  const spans: Span[] = []
  for (const { start, end } of sentences(text).flatMap((sentence) => divideSpan(text, sentence, maxTokens, count))) {
    const last = spans.at(-1)
    if (last && count(text.slice(last.start, end).trim()) <= maxTokens)
      spans[spans.length - 1] = { start: last.start, end }
    else spans.push({ start, end })
  }
  return spans
}

/** Halves a span until it fits: near the middle at a comma, semicolon or colon, else a space, else anywhere. */
function divideSpan(text: string, span: Span, maxTokens: number, count: Count): readonly Span[] {
  const { start, end } = span
  if (end - start < 2 || count(text.slice(start, end).trim()) <= maxTokens) return [{ start, end }]
  const at = splitPoint(text, span)
  return [
    ...divideSpan(text, { start, end: at }, maxTokens, count),
    ...divideSpan(text, { start: at, end }, maxTokens, count),
  ]
}

function splitPoint(text: string, { start, end }: Span): number {
  const middle = (start + end) / 2
  const inner = text.slice(start, end)
  for (const mark of [/[,;:]\s+/g, /\s+/g]) {
    const cuts = [...inner.matchAll(mark)]
      .map(({ index, 0: match }) => start + index + match.length)
      .filter((at) => at > start && at < end)
    const nearest = cuts.reduce((best, at) => (Math.abs(at - middle) < Math.abs(best - middle) ? at : best), Infinity)
    if (nearest < Infinity) return nearest
  }
  const at = Math.floor(middle)
  // never between the halves of a surrogate pair
  const low = text.charCodeAt(at)
  return low >= 0xdc00 && low <= 0xdfff && at - 1 > start ? at - 1 : at
}

/** A leaf with its text: its parts without the delimiters, joined with one space. */
interface CompatSpan extends Span {
  readonly words: string
}

/**
 * The splitter of RAPTOR's reference code (specification of
 * RAPTOR, section 2.1), which drops . ! ? and newlines, and
 * in sentences of more than `maxTokens` , ; : too. Unlike
 * the reference, leaves are in order, none is empty, and a
 * piece of more than `maxTokens` is cut between tokens.
 */
function compatSpans(text: string, maxTokens: number, tokenizer: Tokenizer): readonly CompatSpan[] {
  const cost = ({ start, end }: Span): number => tokenizer.count(` ${text.slice(start, end)}`)
  const leaves: CompatSpan[] = []
  let pending: Span[] = []
  let tokenCount = 0
  const flush = (): void => {
    const [first] = pending
    const last = pending.at(-1)
    if (first && last) {
      const words = pending.map(({ start, end }) => text.slice(start, end)).join(' ')
      leaves.push({ start: first.start, end: last.end, words })
    }
    pending = []
    tokenCount = 0
  }
  const pack = (part: Span): void => {
    const partCost = cost(part)
    if (tokenCount + partCost > maxTokens) flush()
    pending.push(part)
    tokenCount += partCost
  }
  const documentSpan = { start: 0, end: text.length }
  for (const sentence of partsOf(text, documentSpan, /[^.!?\n]+/g)) {
    if (cost(sentence) <= maxTokens) {
      pack(sentence)
      continue
    }
    flush()
    for (const piece of partsOf(text, sentence, /[^,;:]+/g)) {
      if (cost(piece) <= maxTokens) pack(piece)
      else cutBetweenTokens(text, piece, maxTokens, tokenizer, cost).forEach(pack)
    }
    flush()
  }
  flush()
  return leaves
}

/** The matches of a pattern within a span, except white space. */
const partsOf = (text: string, { start, end }: Span, pattern: RegExp): readonly Span[] =>
  [...text.slice(start, end).matchAll(pattern)].flatMap(({ index, 0: part }) =>
    part.trim() === '' ? [] : [{ start: start + index, end: start + index + part.length }],
  )

/** Greedy parts of at most `maxTokens`; no character is cut in two. */
function cutBetweenTokens(
  text: string,
  { start, end }: Span,
  maxTokens: number,
  tokenizer: Tokenizer,
  cost: (span: Span) => number,
): readonly Span[] {
  const starts = Array.from(tokenStarts(text.slice(start, end), tokenizer), (at) => start + at)
  const tokens = starts.length - 1
  const parts: Span[] = []
  for (let from = 0; from < tokens;) {
    const upTo = (to: number): Span => ({ start: starts[from] ?? end, end: starts[to] ?? end })
    let to = Math.min(from + maxTokens, tokens)
    // the space before a part, and an uncut character of several tokens, may cost more
    while (to > from + 1 && cost(upTo(to)) > maxTokens) to--
    const part = upTo(to)
    if (text.slice(part.start, part.end).trim() !== '') parts.push(part)
    from = to
  }
  return parts
}
