import { memoise } from '../basics/memoise.ts'
import { sentences } from '../text/sentences.ts'
import { words } from '../text/words.ts'
import type { SampledTask } from './task.ts'

/** What becomes of names that do not stand in the text that they were taken from. */
export type Ungrounded = 'drop' | 'count'

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
 * names does not stand in the text, unless `ungrounded` is "count". A part without a letter or digit is not looked at.
 */
export function groundingOf(ungrounded: Ungrounded) {
  /** Names that were looked for and found, as often as extracted; items that were left out for either reason. */
  const counts = { checked: 0, grounded: 0, dropped: 0, echoes: 0 }
  /** The check against one text, which is counted. */
  const on = (text: string): KeepGrounded => {
    const source = sourceOf(text)
    return (task, items, partsOf) => {
      const shows = shownBy(task.example ?? '')
      const isEcho = (part: readonly string[]) => shows(part) && !holds(source.phrase, part)
      return items.filter((item) => {
        const { names = [], told = [] } = partsOf(item)
        const asked = names.map(termsOf).filter((terms) => terms.length > 0)
        const echoes = [...asked, ...told.map(termsOf).filter((terms) => terms.length > 0)].filter(isEcho)
        const found = asked.filter((terms) => !isEcho(terms) && source.has(terms)).length
        counts.checked += asked.length
        counts.grounded += found
        if (echoes.length > 0) counts.echoes++
        else if (ungrounded === 'drop' && found < asked.length) counts.dropped++
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
function sourceOf(text: string) {
  const phrase = phraseOf(text)
  const inSentences = sentences(text).map((sentence) => new Set(termsOf(sentence.text)))
  return {
    phrase,
    /** Whether the words stand in it one after the other, or all of them in one sentence. */
    has: (terms: readonly string[]): boolean =>
      holds(phrase, terms) ||
      // a name of little words alone
      (terms.every((term) => functionWords.has(term)) && holds(` ${plainWords(text).join(' ')} `, terms)) ||
      (!terms.some((term) => unspaced.test(term)) &&
        inSentences.some((known) => terms.every((term) => known.has(term)))),
  }
}

const phraseOf = (text: string): string => ` ${termsOf(text).join(' ')} `

const holds = (phrase: string, terms: readonly string[]): boolean => {
  const wanted = terms.join(' ')
  // scripts without spaces have no word boundaries that could be compared
  return phrase.includes(unspaced.test(wanted) ? wanted : ` ${wanted} `)
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u

/** The words of a text as compared: lower case, no accents, plurals or number commas; no articles beside others. */
function termsOf(text: string): readonly string[] {
  const all = plainWords(text)
  const terms = all.filter((word) => !functionWords.has(word))
  return terms.length > 0 ? terms.map(singular) : all
}

const plainWords = (text: string): readonly string[] =>
  words(text.replace(/(\d),(?=\d{3}(?!\d))/g, '$1')).flatMap(plainWord)

/** A word without accents; none where only marks are left. */
function plainWord(word: string): readonly string[] {
  const letters = word.replace(/\p{M}/gu, '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return letters === '' ? [] : [letters]
}

/** An English plural as its singular, near enough for a comparison: both sides go through it. */
const singular = (word: string): string =>
  word.length < 4 || /(?:ss|us|is)$/.test(word)
    ? word
    : word.replace(/ies$/, 'y').replace(/(?<=s|x|z|ch|sh)es$|(?<!s)s$/, '')

const functionWords = new Set(
  'a an the of in on at to for from by with and or as its his her their our my your this that these those s'.split(' '),
)
