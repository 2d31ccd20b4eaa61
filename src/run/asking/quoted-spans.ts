import { lettersOf } from '../../text/characters.ts'
import type { Chunk, Document, Passage, TextSpan } from '../../types.ts'

/** The parts of documents that a passage quotes; undefined for one that quotes none: a summary, facts, or words that are in none of its chunks. One that names no chunk quotes no part of a document. */
export function quotedSpans(
  { kind, text, from, spans }: Passage,
  documents: ReadonlyMap<string, Document>,
  chunks: ReadonlyMap<string, Chunk>,
): readonly TextSpan[] | undefined {
  if (kind !== 'chunk') return undefined
  // checked when the ranking came
  if (spans) return spans
  const sources = from.flatMap((id) => chunks.get(id) ?? [])
  const whole = sources.map(spanOf)
  if (sources.length === 0) return []
  // a method may keep chunks that read alike as one passage: it quotes them all
  const alike = sources.filter((chunk) => chunk.text === text)
  if (alike.length > 0) return merged(alike.map(spanOf))
  const words = lettersOf(text)
  if (words === '') return []
  const joined = merged(whole)
  if (words === lettersIn(joined, documents)) return joined
  const part = partOf(text, joined, documents)
  if (part) return [part]
  // a method may set words around a chunk, such as a title
  const inside = sources.filter((chunk) => words.includes(lettersOf(chunk.text)) && lettersOf(chunk.text) !== '')
  return inside.length === 0 ? undefined : merged(inside.map(spanOf))
}

/** Whether the letters and digits of a passage are those of the spans that it claims. */
export const holdsItsSpans = (
  { text, spans = [] }: Pick<Passage, 'text' | 'spans'>,
  documents: ReadonlyMap<string, Document>,
): boolean => verbatim(spans, documents) === text || lettersIn(spans, documents) === lettersOf(text)

const spanOf = ({ documentId, start, end }: Chunk): TextSpan => ({ documentId, start, end })

/** The text of one span as it stands; undefined for several. */
function verbatim(spans: readonly TextSpan[], documents: ReadonlyMap<string, Document>): string | undefined {
  const [only, ...others] = spans
  return only && others.length === 0 ? documents.get(only.documentId)?.text.slice(only.start, only.end) : undefined
}

const lettersIn = (spans: readonly TextSpan[], documents: ReadonlyMap<string, Document>): string =>
  spans.map(({ documentId, start, end }) => lettersOf(documents.get(documentId)?.text.slice(start, end) ?? '')).join('')

/** Where a text stands word for word within the spans. */
function partOf(
  text: string,
  spans: readonly TextSpan[],
  documents: ReadonlyMap<string, Document>,
): TextSpan | undefined {
  for (const { documentId, start, end } of spans) {
    const at = documents.get(documentId)?.text.slice(start, end).indexOf(text) ?? -1
    if (at >= 0) return { documentId, start: start + at, end: start + at + text.length }
  }
  return undefined
}

/** Spans in order, those that follow or overlap each other in one document made one. */
function merged(spans: readonly TextSpan[]): readonly TextSpan[] {
  const result: TextSpan[] = []
  for (const span of spans) {
    const last = result.at(-1)
    if (last?.documentId === span.documentId && last.start <= span.start && span.start <= last.end)
      result[result.length - 1] = { ...last, end: Math.max(last.end, span.end) }
    else result.push(span)
  }
  return result
}
