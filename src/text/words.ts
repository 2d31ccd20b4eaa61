/** The words of a text in order, lower-cased and composed (NFC); an apostrophe parts them, as every other sign does. */
export const words = (text: string): string[] =>
  (ascii.test(text) ? text.toLowerCase().match(asciiWord) : composed(text).toLowerCase().match(word)) ?? []

/** The tokens of an answer as the evaluators of SQuAD, Qasper and MuSiQue count them. */
export const answerTokens = (text: string): string[] =>
  text.toLowerCase().replace(punctuation, '').replace(article, ' ').split(space).filter(Boolean)

/** An answer in lower case, without ASCII punctuation (deleted, not spaced) and articles, white space collapsed. */
export const normaliseAnswer = (text: string): string => answerTokens(text).join(' ')

/** Most texts: what the other expressions find in them, quickly. */
const [ascii, asciiWord] = [/^[\0-\x7f]*$/, /[a-z0-9]+/g]

/** A sign of Han or Hiragana, which are written without spaces, or a run of other letters, marks and digits. */
const word = /[\p{Script=Han}\p{Script=Hiragana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}])[\p{L}\p{M}\p{N}])+/gu

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
