/**
 * An Arabic word without what differs between its forms: the light10 stemmer (Larkey, Ballesteros and Connell 2007) in
 * the order of Lucene's ArabicNormalizer and ArabicStemmer, with the Persian forms of yeh and kaf as Arabic ones. Words
 * in other scripts stay as they are.
 */
export const stemArabic = (word: string): string =>
  arabic.test(word) ? withoutSuffixes(withoutPrefix(normalArabic(word))) : word

const arabic = /^\p{Script=Arabic}/u

/** Without tatweel and vowel marks; the forms of alef, yeh and kaf as one letter each, teh marbuta as heh. */
const normalArabic = (word: string): string =>
  word
    .replace(/[\u0640\u064b-\u065f\u0670]/g, '')
    .replace(/[\u0622\u0623\u0625\u0671]/g, '\u0627')
    .replace(/[\u0649\u06cc]/g, '\u064a')
    .replace(/\u0629/g, '\u0647')
    .replace(/\u06a9/g, '\u0643')

/** Articles with and without a conjunction or preposition before them, and the conjunction waw; the first that fits. */
const prefixes = ['ال', 'وال', 'بال', 'كال', 'فال', 'لل', 'و']

/** Each is removed once, in this order. */
const suffixes = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ه', 'ي']

/** Two letters are left at least, after a prefix of one letter three. */
function withoutPrefix(word: string): string {
  const prefix = prefixes.find((one) => word.startsWith(one) && word.length >= one.length + (one.length === 1 ? 3 : 2))
  return prefix === undefined ? word : word.slice(prefix.length)
}

const withoutSuffixes = (word: string): string =>
  suffixes.reduce(
    (left, suffix) =>
      left.endsWith(suffix) && left.length >= suffix.length + 2 ? left.slice(0, -suffix.length) : left,
    word,
  )
