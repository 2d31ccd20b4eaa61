import { paragraphs } from '../text/paragraphs.ts'
import type { Evidence } from '../types.ts'

/** An answer cut from a text; `offset` is where it begins, in code points, as Python counts them. */
export interface MarkedAnswer {
  readonly answer: string
  readonly offset: number
}

/** Evidence for an answer that was marked in a document, and what became of its mark: nothing, `repaired-offset` or `lost-answer`. */
export interface Located {
  readonly evidence: Evidence
  readonly tags: readonly string[]
}

/** UTF-16 offsets of an answer in the text that it was taken from; `repaired` when it did not stand, sign for sign, where its offset said. */
export interface AnswerSpan {
  readonly start: number
  readonly end: number
  readonly repaired: boolean
}

/** The paragraphs of a document that a marked answer lies in; the whole document when it does not hold the answer. */
export function locateAnswer(documentId: string, text: string, marked: MarkedAnswer): Located {
  const span = answerSpan(text, marked)
  if (!span) return { evidence: { documentId }, tags: ['lost-answer'] }
  return {
    evidence: { documentId, text: paragraphsAround(text, span) },
    tags: span.repaired ? ['repaired-offset'] : [],
  }
}

/**
 * Finds an answer at its offset, or else where it stands nearest to that, any white space counting for any other; the earlier of two
 * equally near. Undefined when the text holds it nowhere.
 */
export function answerSpan(text: string, { answer, offset }: MarkedAnswer): AnswerSpan | undefined {
  const said = utf16Offset(text, offset)
  if (text.startsWith(answer, said)) return { start: said, end: said + answer.length, repaired: false }
  const words = answer.trim().split(/\s+/).map(escaped)
  let nearest: AnswerSpan | undefined
  for (const { index, 0: found } of text.matchAll(new RegExp(words.join('\\s+'), 'g')))
    if (!nearest || Math.abs(index - said) < Math.abs(nearest.start - said))
      nearest = { start: index, end: index + found.length, repaired: true }
  return nearest
}

/** The paragraphs that a span lies in, from the first to the last, as they stand in the text. */
function paragraphsAround(text: string, { start, end }: AnswerSpan): string {
  const around = paragraphs(text).filter((one) => one.start < end && start < one.end)
  return text.slice(around[0]?.start ?? start, around.at(-1)?.end ?? end)
}

function utf16Offset(text: string, codePoints: number): number {
  let at = 0
  for (let count = 0; count < codePoints && at < text.length; count++)
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
  return at
}

const escaped = (word: string): string => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
