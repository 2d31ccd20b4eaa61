import { paragraphs } from '../../text/sentences.ts'
import type { Evidence } from '../../types.ts'

/** An answer quoted from a text; `offset` is where it begins, in code points, as Python counts them. */
interface MarkedAnswer {
  readonly answer: string
  readonly offset: number
}

/** Evidence for a marked answer; tags: none, `repaired-offset` or `lost-answer`. */
interface Located {
  /** Absent where the document does not contain the answer. */
  readonly evidence?: Evidence & { readonly start: number }
  readonly tags: readonly string[]
}

/** UTF-16 offsets in a text; `end` is that behind the last sign. */
export interface TextSpan {
  readonly start: number
  readonly end: number
}

/** The place of an answer in its text; `isRepaired` where it was not exactly at its offset. */
interface AnswerSpan extends TextSpan {
  readonly isRepaired: boolean
}

/** The paragraphs of a document that contain a marked answer; no evidence where it is not in the document. */
export function locateAnswer(documentId: string, text: string, answer: MarkedAnswer): Located {
  const span = answerSpan(text, answer)
  if (!span) return { tags: ['lost-answer'] }
  return {
    evidence: { documentId, ...paragraphsAround(text, span) },
    tags: span.isRepaired ? ['repaired-offset'] : [],
  }
}

/** Finds an answer at its offset, or else nearest to that, any white space counting for any other; else undefined. */
export function answerSpan(text: string, { answer, offset }: MarkedAnswer): AnswerSpan | undefined {
  const expectedStart = utf16Offset(text, offset)
  if (text.startsWith(answer, expectedStart))
    return { start: expectedStart, end: expectedStart + answer.length, isRepaired: false }
  let nearest: TextSpan | undefined
  for (const span of placesOf(answer, text))
    if (!nearest || Math.abs(span.start - expectedStart) < Math.abs(nearest.start - expectedStart)) nearest = span
  return nearest && { ...nearest, isRepaired: true }
}

/** All non-overlapping places of words in a text; any white space matches any other. */
export function placesOf(words: string, text: string): readonly TextSpan[] {
  const { line, offsets } = collapseSpaces(text)
  const pattern = words.trim().replace(/\s+/g, ' ')
  return occurrences(line, pattern).map((at) => ({
    start: offsets[at] ?? text.length,
    end: offsets[at + pattern.length] ?? text.length,
  }))
}

function collapseSpaces(text: string): { line: string; offsets: Uint32Array } {
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

function paragraphsAround(text: string, { start, end }: AnswerSpan): { text: string; start: number } {
  const around = paragraphs(text).filter((paragraph) => paragraph.start < end && start < paragraph.end)
  const from = around[0]?.start ?? start
  return { text: text.slice(from, around.at(-1)?.end ?? end), start: from }
}

function utf16Offset(text: string, codePoints: number): number {
  let at = 0
  for (let count = 0; count < codePoints && at < text.length; count++)
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  return at
}

/** Non-overlapping places of a pattern in a text, as UTF-16 offsets. */
export function occurrences(text: string, pattern: string): number[] {
  const places: number[] = []
  if (pattern === '') return places
  for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + pattern.length)) places.push(at)
  return places
}
