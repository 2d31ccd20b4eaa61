import { once } from '../basics/memoise.ts'
import { sha256 } from './hash.ts'

/** A sentence, or another part of a text, with its UTF-16 offsets; the white space around it is left out. */
export interface SentenceSpan {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** What stands between two offsets; nothing where that is blank. */
function partOf(text: string, from: number, to: number): readonly SentenceSpan[] {
  const part = text.slice(from, to)
  const trimmed = part.trim()
  const start = from + part.length - part.trimStart().length
  return trimmed === '' ? [] : [{ text: trimmed, start, end: start + trimmed.length }]
}

// takes ten milliseconds to make
const segmenter = once(() => new Intl.Segmenter('en', { granularity: 'sentence' }))

/**
 * The sentences of a text, in order: Unicode's rules, mended after abbreviations. A blank line always ends a sentence;
 * a single line break does not by itself, unless a list item follows. Nothing but white space lies between two spans.
 */
export function sentences(text: string): SentenceSpan[] {
  const found: SentenceSpan[] = []
  let start = 0
  let end = 0
  const close = () => {
    found.push(...partOf(text, start, end))
    start = end
  }
  for (const segment of segments(joinLines(text))) {
    if (end > start && !continues(text.slice(start, end), segment)) close()
    end += segment.length
  }
  close()
  return found
}

/** Segments a window at a time, each from the last boundary found: the segmenter's time is quadratic. */
function* segments(text: string): Generator<string> {
  let from = 0
  let size = 2048
  while (from < text.length) {
    const window = text.slice(from, from + size)
    const found = Array.from(segmenter().segment(window), ({ segment }) => segment)
    const last = from + size >= text.length ? '' : (found.pop() ?? '')
    yield* found
    from += window.length - last.length
    size = found.length === 0 ? size * 2 : 2048
  }
}

/** Turns single line breaks into spaces, so that hard-wrapped lines are read as one; no offset moves. */
const joinLines = (text: string): string =>
  text.replace(/\s+/g, (space, at: number) => {
    const breaks = space.split('\n').length - 1
    return breaks === 1 && !startsItem(text, at + space.length) ? ' '.repeat(space.length) : space
  })

const startsItem = (text: string, at: number): boolean => /^(?:[-*+•–]|\d{1,3}[.)])\s/.test(text.slice(at, at + 6))

/** Whether what Unicode's rules took for the next sentence belongs to the one before. */
function continues(before: string, next: string): boolean {
  const end = before.slice(-40)
  if (/\n\s*$/.test(end)) return false
  if (/^\p{Ll}/u.test(next) || (before.length <= end.length && enumerator.test(end))) return true
  const last = /[^\s("'“‘[]*$/.exec(end.trimEnd())?.[0] ?? ''
  if (!last.endsWith('.')) return false
  const word = last.slice(0, -1)
  return (
    always.has(word.toLowerCase()) ||
    (beforeNumber.has(word.toLowerCase()) && /^[(#]?(?:[A-Z]?\d|[IVXLC]+\b)/.test(next)) ||
    ((usually.has(word.toLowerCase()) || initials.test(word)) && !starter.test(next))
  )
}

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '))

/** Before a name or an explanation: the sentence goes on whatever follows. */
const always = set(
  'dr mr mrs ms mx messrs prof rev fr hon sen rep gov pres gen col lt maj capt cmdr adm sgt cpl st mt ft i.e e.g ie eg cf viz vs v ca approx',
)

/** Before a number only: "No. 7", but "I said no. Then …". */
const beforeNumber = set(
  'no nos p pp fig figs eq eqs sec ch chap vol art tab jan feb mar apr jun jul aug sep sept oct nov dec',
)

/** These may end a sentence; they do before a word that seldom stands inside one with a capital. */
const usually = set('al etc inc ltd co corp jr sr u.s u.k u.n e.u ph.d m.d b.a m.a dept est')

const initials = /^(?:\p{Lu}\.)*(?!I$)\p{Lu}$/u

const starter =
  /^["“‘(]?(?:A|After|Also|An|And|As|At|But|By|For|From|He|Her|His|However|I|If|In|It|Its|No|On|Our|She|So|That|The|Their|Then|There|These|They|This|Those|To|Was|We|What|When|While|Why|You)\b/

/** All of a "sentence" that is only the number of an item. */
const enumerator = /^\s*\(?(?:\d{1,3}|[A-Za-z]|[ivx]+)[.)]\s*$/

/** The paragraphs of a text: what stands between blank lines, without the white space around it. */
export function paragraphs(text: string): SentenceSpan[] {
  const found: SentenceSpan[] = []
  let from = 0
  for (const gap of text.matchAll(/\n[^\S\n]*\n/g)) {
    found.push(...partOf(text, from, gap.index))
    from = gap.index + gap[0].length
  }
  return [...found, ...partOf(text, from, text.length)]
}

/** What names a paragraph wherever it is met: the first 16 hex digits of the SHA-256 of its trimmed text. */
export const paragraphKey = (text: string): string => sha256(text.trim()).slice(0, 16)
