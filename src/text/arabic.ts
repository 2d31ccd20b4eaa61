/** The light10 stemmer (Larkey, Ballesteros and Connell 2007) as in Lucene, with Persian yeh and kaf. */
export const stemArabic = (word: string): string =>
  arabic.test(word) ? withoutSuffixes(withoutPrefix(normalArabic(word))) : word

const arabic = /^\p{Script=Arabic}/u

/** Removes tatweel and vowel marks; unifies alef, yeh and kaf; teh marbuta becomes heh. */
const normalArabic = (word: string) =>
  word
    .replace(/[\u0640\u064b-\u065f\u0670]/g, '')
    .replace(/[\u0622\u0623\u0625\u0671]/g, '\u0627')
    .replace(/[\u0649\u06cc]/g, '\u064a')
    .replace(/\u0629/g, '\u0647')
    .replace(/\u06a9/g, '\u0643')

const prefixes = ['ال', 'وال', 'بال', 'كال', 'فال', 'لل', 'و']

/** Each is removed once, in this order. */
const suffixes = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ه', 'ي']

/** Leaves at least two letters, three after a one-letter prefix. */
function withoutPrefix(word: string) {
  const prefix = prefixes.find(
    (candidate) => word.startsWith(candidate) && word.length >= candidate.length + (candidate.length === 1 ? 3 : 2),
  )
  return prefix === undefined ? word : word.slice(prefix.length)
}

const withoutSuffixes = (word: string) =>
  suffixes.reduce(
    (stem, suffix) =>
      stem.endsWith(suffix) && stem.length >= suffix.length + 2 ? stem.slice(0, -suffix.length) : stem,
    word,
  )
