import { once } from '../basics/memoise.ts'
import { abbreviationsOf, type Abbreviations } from './abbreviations.ts'
import { sha256 } from './hash.ts'
import { segmentsOf } from './words.ts'

/** A trimmed sentence or other part of a text, with UTF-16 offsets. */
export interface SentenceSpan {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** A part of a text without the white space around it; none for a blank one. */
export function trimSpan(text: string, from: number, to: number): readonly SentenceSpan[] {
  const part = text.slice(from, to)
  const content = part.trim()
  const start = from + part.length - part.trimStart().length
  return content === '' ? [] : [{ text: content, start, end: start + content.length }]
}

// takes 10 ms to create
const segmenter = once(() => new Intl.Segmenter('en', { granularity: 'sentence' }))

/**
 * The sentences of a text, in order: by Unicode's rules, corrected for abbreviations of English, German, Spanish,
 * French, Polish or Hindi. A blank line always ends a sentence; a single line break only before a list item. Spans
 * cover all but white space.
 */
export function sentences(text: string): SentenceSpan[] {
  const spans: SentenceSpan[] = []
  let start = 0
  let end = 0
  const close = () => {
    spans.push(...trimSpan(text, start, end))
    start = end
  }
  const language = abbreviationsOf(text)
  for (const segment of segmentsOf(maskBreaks(text, language), segmenter())) {
    if (end > start && !continues(text.slice(start, end), segment, language)) close()
    end += segment.length
  }
  close()
  return spans
}

const maskBreaks = (text: string, { hasSpacedQuotes }: Abbreviations) =>
  hasSpacedQuotes ? joinLines(text).replace(/(?<=[.!?…])[ \u00a0\u202f](?=»)/gu, '»') : joinLines(text)

const joinLines = (text: string) =>
  text.replace(/\s+/g, (space, at: number) => {
    const breaks = space.split('\n').length - 1
    return breaks === 1 && !startsItem(text, at + space.length) ? ' '.repeat(space.length) : space
  })

const startsItem = (text: string, at: number) => /^(?:[-*+•–]|\d{1,3}[.)])\s/.test(text.slice(at, at + 6))

/** Whether the next segment continues the sentence. */
function continues(before: string, next: string, language: Abbreviations) {
  const end = before.slice(-40)
  if (/\n\s*$/.test(end)) return false
  if (/^\p{Ll}/u.test(next) || (before.length <= end.length && enumerator.test(end))) return true
  const last = end.trimEnd()
  if (!last.endsWith('.')) return false
  const { always, beforeNumber, usually, starter, ordinal, months } = language
  const isBeforeNumber = beforeNumber.test(last) && /^[(#]?(?:[A-Z]?\d|[IVXLC]+\b)/.test(next)
  const isAbbreviation = usually.test(last) || initials.test(last) || ordinal?.test(last) === true
  const isDayOfMonth = months?.test(next) === true && /(?<!\d)\d{1,2}\.$/.test(last)
  return (
    always.test(last) ||
    isBeforeNumber ||
    (isAbbreviation && !starter.test(next)) ||
    isDayOfMonth ||
    isChain(last, next, starter)
  )
}

/** Whether two short abbreviations form one, as in "z. B." and "EE. UU.". */
function isChain(last: string, next: string, starter: RegExp) {
  const isBetweenLinks = link.test(last) && shortStart.test(next)
  const isAfterLinks = chain.test(last) && !starter.test(next)
  return isBetweenLinks || isAfterLinks
}

const link = /(?<!\S)(?:\p{Ll}|(\p{Lu})\1|\p{Script=Devanagari}{1,5})\.$/u
const shortStart = /^(?:\p{L}{1,3}|\p{Script=Devanagari}{1,5})\.(?:\s|$)/u
const chain = /(?<!\S)(?:\p{Ll}|(\p{Lu})\1|\p{Script=Devanagari}{1,5})\.\s(?:\p{L}{1,2}|\p{Script=Devanagari}{1,5})\.$/u

const initials = /(?<![^\s("'“‘„«[])(?:\p{Lu}\.)*(?!I\.$)\p{Lu}\.$/u

/** A "sentence" that is only an item number. */
const enumerator = /^\s*\(?(?:\d{1,3}|[A-Za-z]|[ivx]+)[.)]\s*$/

/** The trimmed paragraphs of a text, separated by blank lines. */
export function paragraphs(text: string): SentenceSpan[] {
  const spans: SentenceSpan[] = []
  let from = 0
  for (const gap of text.matchAll(/\n[^\S\n]*\n/g)) {
    spans.push(...trimSpan(text, from, gap.index))
    from = gap.index + gap[0].length
  }
  return [...spans, ...trimSpan(text, from, text.length)]
}

/** The key of a paragraph: the first 16 hex digits of the SHA-256 of its trimmed text. */
export const paragraphKey = (text: string): string => sha256(text.trim()).slice(0, 16)
