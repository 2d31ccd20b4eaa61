import { occurrences } from '../../text/characters.ts'
import { paragraphs } from '../../text/sentences.ts'
import { spanOf, type Span } from '../../text/tokens.ts'
import type { Document } from '../../types.ts'
import { evidenceAt } from './document-of-record.ts'

/** An answer quoted from a text; `offset` is where it begins, in code points, as Python counts them. */
interface MarkedAnswer {
  readonly answer: string
  readonly offset: number
}

/**
 * The paragraphs of a document that contain a marked answer, as evidence, and tags: none, `repaired-offset`, or
 * `lost-answer` where it is not in the document.
 */
export function locateAnswer(document: Document, answer: MarkedAnswer) {
  const span = answerSpan(document.text, answer)
  if (!span) return { tags: ['lost-answer'] }
  const around = paragraphs(document.text).filter(({ start, end }) => start < span.end && span.start < end)
  const evidence = evidenceAt(document, around.length > 0 ? spanOf(around) : span)
  return { evidence, tags: span.isRepaired ? ['repaired-offset'] : [] }
}

/**
 * Finds an answer at its offset, or else nearest to that (`isRepaired`), any white space counting for any other; else
 * undefined.
 */
export function answerSpan(text: string, { answer, offset }: MarkedAnswer) {
  const expectedStart = utf16Offset(text, offset)
  if (text.startsWith(answer, expectedStart))
    return { start: expectedStart, end: expectedStart + answer.length, isRepaired: false }
  const distanceOf = ({ start }: Span) => Math.abs(start - expectedStart)
  const [nearest] = placesOf(answer, text).toSorted((a, b) => distanceOf(a) - distanceOf(b))
  return nearest && { ...nearest, isRepaired: true }
}

/** All non-overlapping places of words in a text; any white space matches any other. */
export function placesOf(words: string, text: string): readonly Span[] {
  const { line, offsets } = collapseSpaces(text)
  const pattern = words.trim().replace(/\s+/g, ' ')
  return occurrences(line, pattern).map((at) => ({
    start: offsets[at] ?? text.length,
    end: offsets[at + pattern.length] ?? text.length,
  }))
}

function collapseSpaces(text: string) {
  const line = text.replace(/\s+/g, ' ')
  const offsets = new Uint32Array(line.length + 1)
  let length = 0
  let from = 0
  for (const { index, 0: run } of text.matchAll(/\s+/g)) {
    while (from <= index) offsets[length++] = from++
    from = index + run.length
  }
  while (from <= text.length) offsets[length++] = from++
  return { line, offsets }
}

function utf16Offset(text: string, codePoints: number) {
  let at = 0
  for (let count = 0; count < codePoints && at < text.length; count++)
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  return at
}
