import { once } from '../basics/memoise.ts'

/**
 * The words of a text in order, lower-cased and composed (NFC), full-width forms and ligatures as plain letters (NFKC).
 * Apostrophes and all other signs separate words. Han and Hiragana are single characters; Thai, Lao, Khmer and Burmese
 * are split by Unicode's dictionaries.
 */
export function words(text: string): string[] {
  if (ascii.test(text)) return text.toLowerCase().match(asciiWord) ?? []
  const runs = normaliseUnicode(plainLetters(text)).toLowerCase().match(word) ?? []
  return runs.flatMap((run) => (isJoined.test(run) ? wordsOfRun(run) : [run]))
}

/** The words of a text in a script without spaces. */
export const wordsOfRun = (text: string): string[] =>
  [...segmentsOf(text, segmenter(), lookahead)].filter((segment) => hasLetter.test(segment))

/** The tokens of an answer as the evaluators of SQuAD, Qasper and MuSiQue count them. */
export const answerTokens = (text: string): string[] =>
  splitAtSpace(text.toLowerCase().replace(punctuation, '').replace(article, ' '))

/** Python's str.split(). */
export const splitAtSpace = (text: string): string[] => text.split(space).filter(Boolean)

/** Lower case, without ASCII punctuation (deleted, not spaced) and articles, white space collapsed. */
export const normaliseAnswer = (text: string): string => answerTokens(text).join(' ')

/** The fast path of most texts. */
const ascii = /^[\0-\x7f]*$/
const asciiWord = /[a-z0-9]+/g

const scripts = (...names: string[]) => names.map((name) => `\\p{Script=${name}}`).join('')

/** Scripts without spaces between words, for a class of characters. */
export const unspacedScripts = scripts('Han', 'Hiragana', 'Katakana', 'Thai', 'Lao', 'Khmer', 'Myanmar')

/** Scripts where every character is a word here. */
const single = `[${scripts('Han', 'Hiragana')}]`

/** A letter or mark of the scripts split by dictionaries. */
const unspacedLetter = `(?=[\\p{L}\\p{M}])[${scripts('Thai', 'Lao', 'Khmer', 'Myanmar')}]`

/** A single character, a run to split by dictionary, or a run of other letters, marks and digits. */
const word = new RegExp(
  `${single}|(?:${unspacedLetter})+|(?:(?!${single}|${unspacedLetter})[\\p{L}\\p{M}\\p{N}])+`,
  'gu',
)

const isJoined = new RegExp(unspacedLetter, 'u')

const hasLetter = /[\p{L}\p{M}\p{N}]/u

const segmenter = once(() => new Intl.Segmenter('th', { granularity: 'word' }))

/** Words of lookahead of ICU's dictionaries, plus one. */
const lookahead = 4

/**
 * Compatibility letters and digits to replace by NFKC: Roman numerals, radicals, squared and enclosed ones,
 * presentation forms, full and half width, mathematical alphabets. Not superscripts and fractions: 10² is not 102.
 */
const otherForms =
  /[\u017f\u2160-\u2188\u2e80-\u2fdf\u3131-\u318e\u3200-\u33ff\ufb00-\ufdff\ufe70-\uffef\u{1d400}-\u{1d7ff}]{1,400}/gu

const plainLetters = (text: string) => text.replace(otherForms, (forms) => forms.normalize('NFKC'))

/** Normalisation is quadratic in the marks on one letter, so runs are split every 400. */
const longRun = /(\p{M}{400})/u

/** A text in a normalisation form of Unicode, in time linear in its length. */
export const normaliseUnicode = (text: string, form: 'NFC' | 'NFD' | 'NFKC' = 'NFC'): string =>
  text
    .split(longRun)
    .map((piece) => piece.normalize(form))
    .join('')

/** The 32 signs of Python's string.punctuation. Other punctuation, such as “ ” ’ —, stays. */
const punctuation = /[!-/:-@[-`{-~]/g

/** Articles at Unicode word boundaries, as Python's \b; JavaScript's is ASCII only. */
const article = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu

/** Python's white space: JavaScript's \s lacks U+001C–001F and U+0085, and adds U+FEFF. */
const space = /[\u0009-\u000D\u001C-\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+/

/** The segments of a text, by windows (quadratic in Node 20), whose last `uncertain` ones are read again. */
export function* segmentsOf(text: string, segmenter: Intl.Segmenter, uncertain = 1): Generator<string> {
  let from = 0
  let size = windowSize
  while (from < text.length) {
    const window = text.slice(from, from + size)
    const segments = Array.from(segmenter.segment(window), ({ segment }) => segment)
    const isLast = from + size >= text.length
    const certain = isLast ? segments : segments.slice(0, -uncertain)
    yield* certain
    from += certain.reduce((sum, segment) => sum + segment.length, 0)
    size = certain.length === 0 ? size * 2 : windowSize
  }
}

const windowSize = 2048
