import { kindOfWord, phrasePattern, unspacedScripts } from './choice-words.ts'

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
    if (phrase && (phrase.end > end || !isMark || (digits === undefined && requestedMark === 'number'))) {
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

const indexOfLetter = (letter: string): number => letter.toUpperCase().charCodeAt(0) - 65

const ordinalWords = [
  'one two three four five six seven eight nine ten',
  'first second third fourth fifth sixth seventh eighth ninth tenth',
  '一 二 三 四 五 六 七 八 九 十',
].map((words) => words.split(' '))

/** The 0-based position of an ordinal word, or -1. */
const placeOfWord = (word: string): number => Math.max(...ordinalWords.map((words) => words.indexOf(word)))

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

const signKinds: readonly (readonly [RegExp, string])[] = [
  [/^\n/, 'n'],
  [/^[.!?。！？]/, '.'],
  [/^[,،，、;；]/, ','],
  [/^[({]/, '('],
  [/^\[/, '['],
  [/^[)\]}]/, ')'],
]

const kindOfSign = (sign: string): string => signKinds.find(([signs]) => signs.test(sign))?.[1] ?? ':'

/** The texts of options in a reply, by start offset. */
function phrasesIn(text: string, options: readonly string[]) {
  const lower = text.toLowerCase()
  const phrases = new Map<number, { readonly end: number; readonly index: number }>()
  for (const [index, option] of options.entries()) {
    const plainOption = plain(option)
      .replace(/\s+/g, ' ')
      .replace(/^[\s.,;:!?]+|[\s.,;:!?]+$/g, '')
      .toLowerCase()
    for (const phrase of new Set([plainOption, plainOption.replace(/^(?:an?|the) (?=\S{3})/, '')]))
      for (const start of placesOf(phrase, lower)) {
        const end = start + phrase.length
        if (isApart(text, start, end) && (phrases.get(start)?.end ?? 0) < end) phrases.set(start, { end, index })
      }
  }
  return phrases
}

function* placesOf(phrase: string, text: string): Generator<number> {
  if (phrase === '') return
  for (let at = text.indexOf(phrase); at >= 0; at = text.indexOf(phrase, at + phrase.length)) yield at
}

const partOfWord = new RegExp(`^(?:${spacedLetter}|\\d)`, 'u')
const wordBefore = new RegExp(`(?:${spacedLetter}|\\d)$`, 'u')

/** Whether the span is not part of a longer word or number. */
function isApart(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 2), start)
  const isInside = partOfWord.test(text.charAt(start)) && wordBefore.test(before)
  return !isInside && !(partOfWord.test(text.charAt(end - 1)) && partOfWord.test(text.slice(end, end + 2)))
}

/** A reply with answer markup as a line "Answer: …", and without other markup. */
export const plainReply = (reply: string): string =>
  plain(reply)
    .replace(/\\f?boxed ?\{([^{}\n]{0,200})\}/g, '\nAnswer: $1\n')
    .replace(/<(?:[a-z]{1,9}[_-])?(?:answer|choice|option|response|result|output)>/gi, '\nAnswer: ')
    // other markup: tags, LaTeX, emphasis, code, and the marks of a list, a heading or a quotation
    .replace(/\$(\(?\w{1,3}\)?)\$/g, '$1')
    .replace(/<\/?[a-z][^<>]{0,99}>|\\[a-z]{0,9} ?|[`{}]|\*{1,3}|__/gi, ' ')
    .replace(/^\s{0,9}(?:#{1,6}|>|[+•-])\s+/gm, '')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n[ \n]*/g, '\n')
    .trim()

/** Unifies digits, letters, quotes and contractions; lower-casing keeps the length. */
const plain = (text: string): string =>
  text
    .replace(/[\u24f5-\u24fe\u2776-\u2793\u{1f150}-\u{1f189}]/gu, inCircle)
    // normalisation is quadratic in the marks on one letter
    .replace(/(\p{M}{32})\p{M}+/gu, '$1')
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, (digit) => (digit < '\x80' ? digit : String(valueOf(digit))))
    .replace(/[\p{Cf}\u20e3\ufe0f]+/gu, '')
    .replace(/[‘’ʼ]/g, "'")
    .replace(/["“”„‟«»「」『』″]+|(?<![\p{L}\p{N}])'|'(?![\p{L}\p{N}])/gu, '')
    .replace(/\bcannot\b/gi, 'can not')
    .replace(/(?<=[a-z])n't\b/gi, ' not')
    .replace(/\b(it|that|this|there)'s\b/gi, '$1 is')
    .replaceAll('İ', 'I')

/** Enclosed signs (white on black, double circles, squares) that NFKC does not replace. */
function inCircle(sign: string): string {
  const code = Number(sign.codePointAt(0))
  if (code >= 0x1f150) return String.fromCharCode(65 + ((code - 0x1f150) % 32))
  return String(1 + (code < 0x2776 ? code - 0x24f5 : (code - 0x2776) % 10))
}

/** The value of a decimal digit of any script: they come in tens. */
function valueOf(digit: string): number {
  const code = Number(digit.codePointAt(0))
  let value = 0
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++
  return value
}
