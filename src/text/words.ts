import { once } from '../basics/memoise.ts'
import { segmentsOf } from './segments.ts'

/**
 * The words of a text in order, lower-cased and composed (NFC), full-width forms and ligatures as the letters that they
 * stand for (NFKC). An apostrophe separates words, as every other sign does. Han and Hiragana are single characters;
 * Thai, Lao, Khmer and Burmese, which have no spaces between words, are split by Unicode's dictionaries.
 */
export function words(text: string): string[] {
  if (ascii.test(text)) return text.toLowerCase().match(asciiWord) ?? []
  const runs = composed(plainLetters(text)).toLowerCase().match(word) ?? []
  return runs.flatMap((run) => (isJoined.test(run) ? wordsOfRun(run) : [run]))
}

/** The words of a text in a script without spaces; signs between them are left out. */
export const wordsOfRun = (text: string): string[] =>
  [...segmentsOf(text, segmenter(), lookahead)].filter((segment) => hasLetter.test(segment))

/** The tokens of an answer as the evaluators of SQuAD, Qasper and MuSiQue count them. */
export const answerTokens = (text: string): string[] =>
  splitAtSpace(text.toLowerCase().replace(punctuation, '').replace(article, ' '))

/** What Python's str.split() gives. */
export const splitAtSpace = (text: string): string[] => text.split(space).filter(Boolean)

/** An answer in lower case, without ASCII punctuation (deleted, not spaced) and articles, white space collapsed. */
export const normaliseAnswer = (text: string): string => answerTokens(text).join(' ')

/** Most texts: what the other expressions find in them, quickly. */
const [ascii, asciiWord] = [/^[\0-\x7f]*$/, /[a-z0-9]+/g]

const scripts = (...names: string[]): string => `[${names.map((name) => `\\p{Script=${name}}`).join('')}]`

/** Scripts written without spaces of which every character is a word here. */
const single = scripts('Han', 'Hiragana')

/** A letter or mark of those that dictionaries split. */
const joined = `(?=[\\p{L}\\p{M}])${scripts('Thai', 'Lao', 'Khmer', 'Myanmar')}`

/** A character of a single script, a run of joined ones, or a run of other letters, marks and digits. */
const word = new RegExp(`${single}|(?:${joined})+|(?:(?!${single}|${joined})[\\p{L}\\p{M}\\p{N}])+`, 'gu')

const isJoined = new RegExp(joined, 'u')

const hasLetter = /[\p{L}\p{M}\p{N}]/u

const segmenter = once(() => new Intl.Segmenter('th', { granularity: 'word' }))

/** Words that ICU's dictionaries look ahead, and the one before them. */
const lookahead = 4

/**
 * Letters and digits in another form, which NFKC replaces: Roman numerals, radicals, squared and enclosed ones,
 * presentation forms with the ligatures, full and half width, mathematical alphabets. Superscripts and fractions are
 * not among them: 10² is not 102.
 */
const otherForms =
  /[\u017f\u2160-\u2188\u2e80-\u2fdf\u3131-\u318e\u3200-\u33ff\ufb00-\ufdff\ufe70-\uffef\u{1d400}-\u{1d7ff}]{1,400}/gu

const plainLetters = (text: string): string => text.replace(otherForms, (forms) => forms.normalize('NFKC'))

/** Ordering the marks on one letter takes time quadratic in their number, so runs are cut every 400. */
const longRun = /(\p{M}{400})/u

/** A text in a normalisation form of Unicode, in time linear in its length. */
export const composed = (text: string, form: 'NFC' | 'NFD' | 'NFKC' = 'NFC'): string =>
  text
    .split(longRun)
    .map((piece) => piece.normalize(form))
    .join('')

/** The 32 signs of Python's string.punctuation. Other punctuation, such as “ ” ’ —, stays. */
const punctuation = /[!-/:-@[-`{-~]/g

/** Python's \b, for which any letter, digit or underscore is a word's; JavaScript's \b knows ASCII only. */
const article = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu

/** What Python's str.split() takes for white space: JavaScript's \s lacks U+001C–001F and U+0085, and adds U+FEFF. */
const space = /[\u0009-\u000D\u001C-\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+/
