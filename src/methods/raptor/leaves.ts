import { sentences } from '../../text/sentences.ts'
import { type Span, tokenizer } from '../../text/tokens.ts'
import type { Chunk } from '../../types.ts'
import { wholeDocuments } from '../shared/whole-documents.ts'
import { compatSpans } from './compat-spans.ts'
import type { RaptorOptions } from './options.ts'
import { inReadingOrder } from './orders.ts'

/** The reference counts the tokens of leaves and clusters with it. */
export const referenceTokenizer = 'cl100k_base'

/** A text of the lowest layer, where it lies in its document, and the chunks that it overlaps. */
export interface Leaf extends Span {
  readonly documentId: string
  readonly text: string
  readonly from: readonly string[]
}

type LeafOptions = Pick<RaptorOptions, 'splitter' | 'chunkTokens' | 'compat'>

/** Cuts the documents behind the chunks into leaves of at most `chunkTokens`, in reading order whatever that of the chunks is; none is empty. */
export function leavesOf(given: readonly Chunk[], options: LeafOptions): readonly Leaf[] {
  const chunks = inReadingOrder(given)
  if (options.splitter === 'run')
    return chunks.map(({ documentId, text, start, end, id }) => ({ documentId, text, start, end, from: [id] }))
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

/** The span, or its parts: cut near the middle, at a comma, semicolon or colon if there is one, else at a space, else between two characters. */
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
