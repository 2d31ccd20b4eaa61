import { occurrences } from '../text/characters.ts'
import { englishNumerals, ordinalList } from '../text/matching/vocabulary.ts'
import { unspacedScripts } from '../text/words.ts'
import { kindOfWord, phrasePattern } from './choice-words.ts'
import { plainOption } from './choice-text.ts'

/**
 * A part of a reply. `kind`, one character: that of a word; `d`, `w`, `L`, `l` for a number, a number word, a capital
 * and a small letter that may mark an option, `m` for the text of one; `.`, `,`, `:`, `(`, `[`, `)` for punctuation,
 * `n` for a line end. `index`: of the option, from 0, or null.
 */
export interface Token {
  readonly kind: string
  readonly start: number
  readonly end: number
  readonly index: number | null
}

/** How a prompt asks for an option. */
export type Mark = 'number' | 'letter'

/** The tokens of a plain reply; the text of an option is one token, the longest at its place. */
export function choiceTokens(text: string, options: readonly string[], requestedMark: Mark): readonly Token[] {
  const phrases = phrasesIn(text, options)
  const tokens: Token[] = []
  for (let start = 0; start < text.length;) {
    pattern.lastIndex = start
    const match = pattern.exec(text)
    const { digits, letter, word, sign } = match?.groups ?? {}
    const end = start + (match?.[0].length ?? 1)
    const add = (kind: string, index: number | null = null) => tokens.push({ kind, start, end, index })
    const phrase = phrases.get(start)
    const mark = digits === undefined ? letter && indexOfLetter(letter) : Number(digits) - 1
    const isMark = typeof mark === 'number' && mark >= 0 && mark < options.length
    // a number is the position of an option, even where options are numbers
    const isOtherMark = digits === undefined && requestedMark === 'number'
    if (phrase && (phrase.end > end || !isMark || isOtherMark)) {
      tokens.push({ kind: 'm', start, ...phrase })
      start = phrase.end
      continue
    }
    if (digits !== undefined) add('d', isMark ? mark : null)
    else if (letter !== undefined) add(letter < 'a' ? 'L' : 'l', isMark ? mark : null)
    else if (sign !== undefined) add(kindOfSign(sign))
    else if (match) {
      const place = placeOfWord(match[0].toLowerCase())
      if (place >= 0 && place < options.length) add('w', place)
      else add(word === undefined ? 'x' : kindOfWord(word.toLowerCase()))
    }
    start = end
  }
  return tokens
}

const indexOfLetter = (letter: string) => letter.toUpperCase().charCodeAt(0) - 65

const ordinalWords = [
  englishNumerals.slice(1, 11),
  ordinalList.split(' ').slice(0, 10),
  '一 二 三 四 五 六 七 八 九 十'.split(' '),
]

/** The 0-based position of an ordinal word, or -1. */
const placeOfWord = (word: string) => Math.max(...ordinalWords.map((words) => words.indexOf(word)))

const spacedLetter = `(?![${unspacedScripts}\\p{Script=Hangul}])[\\p{L}\\p{M}]`

/** A number that is no mark, a mark, a word, a sign, or a letter of a script without spaces. */
const pattern = new RegExp(
  [
    '[-−+±<>≤≥$€£¥]\\d+(?:[.,:/–-]\\d+)*|\\d+(?:[.,:/–-]\\d+)+',
    `\\d+(?:${spacedLetter})+|\\d+(?=\\s?[%°€£¥])|\\d{4,}`,
    '(?<digits>\\d+)',
    `(?<letter>[A-Za-z])(?!${spacedLetter}|[\\d+#])`,
    `(?<word>${phrasePattern}|[&+/#]|(?:${spacedLetter}|\\p{Script=Hangul})+)`,
    '(?<sign>\\n|[.!?。！？]+|[,،，、;；:=>→–—()[\\]{}-])',
    `[${unspacedScripts}\\p{N}]`,
  ].join('|'),
  'iuy',
)

const signKinds = { n: '\n', '.': '.!?。！？', ',': ',،，、;；', '(': '({', '[': '[', ')': ')]}' }

const kindOfSign = (sign: string) =>
  Object.entries(signKinds).find(([, signs]) => signs.includes(sign.charAt(0)))?.[0] ?? ':'

/** The texts of options in a reply, by start offset. */
function phrasesIn(text: string, options: readonly string[]) {
  const lower = text.toLowerCase()
  const phrases = new Map<number, { readonly end: number; readonly index: number }>()
  for (const [index, option] of options.entries()) {
    const plain = plainOption(option)
    const bare = plain.replace(/^(?:an?|the) (?=\S{3})/i, '')
    for (const phrase of new Set([plain, bare])) {
      // a single letter is case-sensitive
      const isLetter = phrase.length === 1
      const starts = isLetter ? occurrences(text, phrase) : occurrences(lower, phrase.toLowerCase())
      for (const start of starts) {
        const end = start + phrase.length
        const isLonger = (phrases.get(start)?.end ?? 0) < end
        if (isLonger && isApart(text, start, end)) phrases.set(start, { end, index })
      }
    }
  }
  return phrases
}

const partOfWord = new RegExp(`${spacedLetter}|\\d`, 'u')
const wordBefore = new RegExp(`(?:${spacedLetter}|\\d)$`, 'u')

/** Whether the span is not part of a longer word, number or sign. */
function isApart(text: string, start: number, end: number) {
  const before = text.slice(Math.max(0, start - 2), start)
  const after = text.slice(end, end + 2)
  const first = text.charAt(start)
  const last = text.charAt(end - 1)
  if (/\d/.test(last) && /^(?:\s?[%°]|[.,:/]\d)/.test(after)) return false
  if (/[\p{L}\d]/u.test(last) && /^[+#]/.test(after)) return false
  const isWordBefore = partOfWord.test(first) && wordBefore.test(before)
  const isWordAfter = partOfWord.test(last) && partOfWord.test(after.charAt(0))
  return !isWordBefore && !isWordAfter
}
