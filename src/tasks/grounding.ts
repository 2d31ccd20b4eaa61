import { memoise } from '../basics/memoise.ts'
import { stemArabic } from '../text/arabic.ts'
import { sentences } from '../text/sentences.ts'
import { words } from '../text/words.ts'
import type { SampledTask } from './task.ts'

/** What becomes of names that do not stand in the text that they were taken from; `auto`: by its language. */
export type Ungrounded = 'auto' | 'drop' | 'count'

/** What of an item is looked for: `names` in the text, and `told` in the example of the prompt alone. */
interface Parts {
  readonly names?: readonly string[]
  readonly told?: readonly string[]
}

/** Checks what was extracted from one text: gives the items that are kept, in order. */
export type KeepGrounded = <T>(
  task: Pick<SampledTask, 'example'>,
  items: readonly T[],
  partsOf: (item: T) => Parts,
) => readonly T[]

export type Grounding = ReturnType<typeof groundingOf>

/**
 * Checks extractions against the texts that they were asked about. An item is an echo where a part of it stands in the
 * example of the prompt and not in the text: echoes are always left out. Otherwise it is left out where one of its
 * names does not stand in the text, unless `ungrounded` is "count", or "auto" and the language of the texts (ISO 639-1,
 * undefined: not known, read as English) is another than English: there a word may also stand in another inflection. A
 * part without a letter or digit is not looked at.
 */
export function groundingOf(ungrounded: Ungrounded, language?: string) {
  const isInflected = language !== undefined && language !== 'en'
  const drops = ungrounded === 'drop' || (ungrounded === 'auto' && !isInflected)
  /** Names that were looked for and found, as often as extracted; items that were left out for either reason. */
  const counts = { checked: 0, grounded: 0, dropped: 0, echoes: 0 }
  /** The check against one text, which is counted. */
  const on = (text: string): KeepGrounded => {
    const source = sourceOf(text, isInflected)
    const terms = (part: string): readonly string[] => termsOf(part, isInflected)
    return (task, items, partsOf) => {
      const shows = shownBy(task.example ?? '')
      const isEcho = (part: readonly string[]) => shows(part) && !holds(source.phrase, part)
      return items.filter((item) => {
        const { names = [], told = [] } = partsOf(item)
        const asked = names.map(terms).filter((one) => one.length > 0)
        const echoes = [...asked, ...told.map(terms).filter((one) => one.length > 0)].filter(isEcho)
        const found = asked.filter((terms) => !isEcho(terms) && source.has(terms)).length
        counts.checked += asked.length
        counts.grounded += found
        if (echoes.length > 0) counts.echoes++
        else if (drops && found < asked.length) counts.dropped++
        else return true
        return false
      })
    }
  }
  return { on, counts: (): Readonly<typeof counts> => ({ ...counts }) }
}

/** The figures of an index: names checked, and the share of them that stands in the texts; null for none. */
export const groundingStats = ({ counts }: Grounding) => {
  const { checked, grounded, dropped, echoes } = counts()
  return {
    namesChecked: checked,
    namesGrounded: grounded,
    grounded: checked > 0 ? grounded / checked : null,
    ungroundedDropped: dropped,
    echoesDropped: echoes,
  }
}

/** What was left out, in words that end a note. */
export const groundingWarnings = ({ counts }: Grounding): Readonly<Record<string, number>> => {
  const { dropped, echoes } = counts()
  return {
    'extractions dropped, because a name in them does not stand in the text that was read': dropped,
    'extractions dropped, because they repeat the example in the prompt': echoes,
  }
}

/** Whether words stand in an example one after the other; a single word only as a string of its own. */
const shownBy = memoise((example: string): ((terms: readonly string[]) => boolean) => {
  const phrase = phraseOf(example)
  const strings = new Set(Array.from(example.matchAll(/"([^"]*)"/g), ([, string = '']) => phraseOf(string)))
  return (terms) => (terms.length > 1 ? holds(phrase, terms) : strings.has(` ${terms.join(' ')} `))
})

/** A text as names are looked for in it. */
function sourceOf(text: string, isInflected: boolean) {
  const phrase = phraseOf(text, isInflected)
  const inSentences = sentences(text).map((sentence) => new Set(termsOf(sentence.text, isInflected)))
  return {
    phrase,
    /** Whether the words stand in it one after the other, or all of them in one sentence. */
    has: (terms: readonly string[]): boolean =>
      holds(phrase, terms) ||
      // a name of little words alone
      (terms.every((term) => functionWords.has(term)) && holds(` ${plainWords(text).join(' ')} `, terms)) ||
      (!terms.some((term) => unspaced.test(term)) &&
        inSentences.some((known) =>
          terms.every((term) => known.has(term) || (isInflected && [...known].some((word) => isFormOf(word, term)))),
        )),
  }
}

/**
 * Whether a word is probably an inflected form of a term: both begin alike. A term of four letters stands in it whole;
 * of a longer one the last two in five may change (Virtanen: Virtasen, Turku: Turussa), and few letters are added.
 */
function isFormOf(word: string, term: string): boolean {
  if (term.length < 4) return false
  let shared = 0
  while (shared < term.length && word[shared] === term[shared]) shared++
  const isShort = term.length === 4
  return term.length - shared <= (isShort ? 0 : 0.45 * term.length) && word.length - shared <= (isShort ? 3 : 5)
}

const phraseOf = (text: string, isInflected = false): string => ` ${termsOf(text, isInflected).join(' ')} `

const holds = (phrase: string, terms: readonly string[]): boolean => {
  const wanted = terms.join(' ')
  // scripts without spaces have no word boundaries that could be compared
  return unspaced.test(wanted)
    ? phrase.replaceAll(' ', '').includes(wanted.replaceAll(' ', ''))
    : phrase.includes(` ${wanted} `)
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/**
 * The words of a text as compared: lower case, no accents or number commas, no articles beside others; no plurals of
 * English.
 */
function termsOf(text: string, isInflected = false): readonly string[] {
  const all = plainWords(text)
  const terms = all.filter((word) => !functionWords.has(word))
  if (terms.length === 0) return all
  return isInflected ? terms : terms.map(singular)
}

const plainWords = (text: string): readonly string[] =>
  words(text.replace(/(\d),(?=\d{3}(?!\d))/g, '$1')).flatMap(plainWord)

/** A word without accents, an Arabic one as its stem; none where only marks are left. */
function plainWord(word: string): readonly string[] {
  const letters = word.replace(/\p{M}/gu, '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return letters === '' ? [] : [stemArabic(letters)]
}

/** An English plural as its singular, near enough for a comparison: both sides go through it. */
const singular = (word: string): string =>
  word.length < 4 || /(?:ss|us|is)$/.test(word)
    ? word
    : word.replace(/ies$/, 'y').replace(/(?<=s|x|z|ch|sh)es$|(?<!s)s$/, '')

const functionWords = new Set(
  'a an the of in on at to for from by with and or as its his her their our my your this that these those s'.split(' '),
)
