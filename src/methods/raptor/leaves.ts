import { scopeOf, type Scope } from '../shared/scope.ts'
import { sentences } from '../../text/sentences.ts'
import { tokenizer, tokenStarts, type Span, type Tokenizer } from '../../text/tokens.ts'
import type { Chunk } from '../../types.ts'
import { wholeDocuments, byDocument } from '../shared/whole-documents.ts'
import { reductionDimension, type RaptorOptions } from './options.ts'
import { inReadingOrder } from './clusters.ts'
/** The reference counts the tokens of leaves and clusters with it. */
export const referenceTokenizer = 'cl100k_base'

/** A text of the lowest layer, where it lies in its document, and the chunks that it overlaps. */
export interface Leaf extends Span {
  readonly documentId: string
  readonly text: string
  readonly from: readonly string[]
}

type LeafOptions = Pick<RaptorOptions, 'chunkTokens' | 'compat'>

/** Cuts the documents behind the chunks, in reading order, into leaves of at most `chunkTokens`; none is empty. */
export function leavesOf(given: readonly Chunk[], options: LeafOptions): readonly Leaf[] {
  const chunks = inReadingOrder(given)
  const words = tokenizer(referenceTokenizer)
  const count: Count = (text) => words.count(text)
  return wholeDocuments(chunks).flatMap(({ id, text, chunks: own }) => {
    const spans = options.compat
      ? compatSpans(text, options.chunkTokens, words)
      : sentenceSpans(text, options.chunkTokens, count)
    return spans.flatMap(({ start, end, words: joined }) => {
      const shown = (joined ?? text.slice(start, end)).trim()
      const from = own.filter((chunk) => chunk.start < end && start < chunk.end).map((chunk) => chunk.id)
      return shown === '' ? [] : [{ documentId: id, text: shown, start, end, from }]
    })
  })
}

type Count = (text: string) => number

/** Whole sentences while they fit; one that is too long alone is divided. */
function sentenceSpans(text: string, most: number, count: Count): readonly (Span & { words?: string })[] {
  const spans: Span[] = []
  for (const { start, end } of sentences(text).flatMap((sentence) => divided(text, sentence, most, count))) {
    const last = spans.at(-1)
    if (last && count(text.slice(last.start, end).trim()) <= most) spans[spans.length - 1] = { start: last.start, end }
    else spans.push({ start, end })
  }
  return spans
}

/** The span, or its parts: cut near the middle at a comma, semicolon or colon, else a space, else anywhere. */
function divided(text: string, span: Span, most: number, count: Count): readonly Span[] {
  const { start, end } = span
  if (end - start < 2 || count(text.slice(start, end).trim()) <= most) return [{ start, end }]
  const at = cutOf(text, span)
  return [...divided(text, { start, end: at }, most, count), ...divided(text, { start: at, end }, most, count)]
}

function cutOf(text: string, { start, end }: Span): number {
  const middle = (start + end) / 2
  const inner = text.slice(start, end)
  for (const mark of [/[,;:]\s+/g, /\s+/g]) {
    const cuts = [...inner.matchAll(mark)]
      .map(({ index, 0: found }) => start + index + found.length)
      .filter((at) => at > start && at < end)
    const nearest = cuts.reduce((best, at) => (Math.abs(at - middle) < Math.abs(best - middle) ? at : best), Infinity)
    if (nearest < Infinity) return nearest
  }
  const at = Math.floor(middle)
  // never between the halves of a surrogate pair
  const low = text.charCodeAt(at)
  return low >= 0xdc00 && low <= 0xdfff && at - 1 > start ? at - 1 : at
}

/** A leaf, and its text: the parts of it without the delimiters between them, joined with one space. */
interface CompatSpan extends Span {
  readonly words: string
}

/**
 * The splitter of RAPTOR's reference code (specification of RAPTOR, section 2.1). . ! ? and newlines end a sentence and
 * are dropped; sentences are packed up to `most` tokens, a part costing those of a space and itself. A sentence that
 * costs more is divided at , ; : which are dropped too, and its pieces are packed into leaves of their own. Unlike the
 * reference, the leaf before it comes first, none is empty, and a piece that alone costs more than `most` is cut
 * between tokens.
 */
function compatSpans(text: string, most: number, tokenizer: Tokenizer): readonly CompatSpan[] {
  const cost = ({ start, end }: Span): number => tokenizer.count(` ${text.slice(start, end)}`)
  const leaves: CompatSpan[] = []
  let pending: Span[] = []
  let spent = 0
  const flush = (): void => {
    const [first] = pending
    const last = pending.at(-1)
    if (first && last) {
      const words = pending.map(({ start, end }) => text.slice(start, end)).join(' ')
      leaves.push({ start: first.start, end: last.end, words })
    }
    pending = []
    spent = 0
  }
  const pack = (part: Span): void => {
    const own = cost(part)
    if (spent + own > most) flush()
    pending.push(part)
    spent += own
  }
  const whole = { start: 0, end: text.length }
  for (const sentence of partsOf(text, whole, /[^.!?\n]+/g)) {
    if (cost(sentence) <= most) {
      pack(sentence)
      continue
    }
    flush()
    for (const piece of partsOf(text, sentence, /[^,;:]+/g)) {
      if (cost(piece) <= most) pack(piece)
      else cutBetweenTokens(text, piece, most, tokenizer, cost).forEach(pack)
    }
    flush()
  }
  flush()
  return leaves
}

/** What the pattern finds within a span, unless it is white space. */
const partsOf = (text: string, { start, end }: Span, pattern: RegExp): readonly Span[] =>
  [...text.slice(start, end).matchAll(pattern)].flatMap(({ index, 0: part }) =>
    part.trim() === '' ? [] : [{ start: start + index, end: start + index + part.length }],
  )

/** Parts that cost no more than `most` each, and are as long as that allows; no character is cut in two. */
function cutBetweenTokens(
  text: string,
  { start, end }: Span,
  most: number,
  tokenizer: Tokenizer,
  cost: (span: Span) => number,
): readonly Span[] {
  const starts = Array.from(tokenStarts(text.slice(start, end), tokenizer), (at) => start + at)
  const tokens = starts.length - 1
  const parts: Span[] = []
  for (let from = 0; from < tokens;) {
    const upTo = (to: number): Span => ({ start: starts[from] ?? end, end: starts[to] ?? end })
    let to = Math.min(from + most, tokens)
    // the space before a part, and tokens of a character that is not cut, may cost more
    while (to > from + 1 && cost(upTo(to)) > most) to--
    const part = upTo(to)
    if (text.slice(part.start, part.end).trim() !== '') parts.push(part)
    from = to
  }
  return parts
}

/** The scope of a run's trees: a document of no more leaves than reductionDimension + 1 alone is never clustered. */
export const scopeOfTrees = (leaves: readonly Leaf[], { scope }: Pick<RaptorOptions, 'scope'>): Scope =>
  scopeOf(byDocument(leaves).values(), scope, reductionDimension + 1)
