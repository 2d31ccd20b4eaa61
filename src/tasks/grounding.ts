import { memoise } from '../basics/memoise.ts'
import { stemArabic } from '../text/arabic.ts'
import { sentences } from '../text/sentences.ts'
import { unspacedScripts, words } from '../text/words.ts'
import type { SampledTask } from './task.ts'

/** Treatment of extracted names that are not in the source text; `auto`: depends on its language. */
export type Ungrounded = 'auto' | 'drop' | 'count'

/** The checked parts of an item: `names` against text and example, `statements` against the example only. */
interface Parts {
  readonly names?: readonly string[]
  readonly statements?: readonly string[]
}

/** Checks the extractions from one text; returns the retained items, in order. */
export type KeepGrounded = <T>(
  task: Pick<SampledTask, 'example'>,
  items: readonly T[],
  partsOf: (item: T) => Parts,
) => readonly T[]

export type Grounding = ReturnType<typeof groundingOf>

/**
 * Checks extractions against their source texts. An item is an echo if a part of it is in the example of the prompt but
 * not in the text: echoes are always dropped. An item with a name that is not in the text is dropped, unless
 * `ungrounded` is "count", or "auto" with a `language` (ISO 639-1) other than English, whose words may be inflected.
 */
export function groundingOf(ungrounded: Ungrounded, language?: string) {
  const isInflected = language !== undefined && language !== 'en'
  const drops = ungrounded === 'drop' || (ungrounded === 'auto' && !isInflected)
  /** Names and names in the text, with repetitions; items dropped for either reason. */
  const counts = { names: 0, groundedNames: 0, drops: 0, echoes: 0 }
  const on = (text: string): KeepGrounded => {
    const source = sourceOf(text, isInflected)
    const terms = (part: string): readonly string[] => termsOf(part, isInflected)
    return (task, items, partsOf) => {
      const isInExample = exampleMatcher(task.example ?? '')
      const isEcho = (part: readonly string[]) => isInExample(part) && !holds(source.phrase, part)
      return items.filter((item) => {
        const { names = [], statements = [] } = partsOf(item)
        const nameTerms = names.map(terms).filter((part) => part.length > 0)
        const statementTerms = statements.map(terms).filter((part) => part.length > 0)
        const echoes = [...nameTerms, ...statementTerms].filter(isEcho)
        const groundedCount = nameTerms.filter((terms) => !isEcho(terms) && source.has(terms)).length
        counts.names += nameTerms.length
        counts.groundedNames += groundedCount
        if (echoes.length > 0) counts.echoes++
        else if (drops && groundedCount < nameTerms.length) counts.drops++
        else return true
        return false
      })
    }
  }
  return { on, counts: (): Readonly<typeof counts> => ({ ...counts }) }
}

/** Statistics of an index: extraction precision, the share of names that are in the texts; null without names. */
export const groundingStats = ({ counts }: Grounding) => {
  const { names, groundedNames, drops, echoes } = counts()
  return {
    namesChecked: names,
    namesGrounded: groundedNames,
    grounded: names > 0 ? groundedNames / names : null,
    ungroundedDropped: drops,
    echoesDropped: echoes,
  }
}

/** Numbers of dropped items, by message. */
export const groundingWarnings = ({ counts }: Grounding): Readonly<Record<string, number>> => {
  const { drops, echoes } = counts()
  return {
    'extractions dropped, because a name in them does not stand in the text that was read': drops,
    'extractions dropped, because they repeat the example in the prompt': echoes,
  }
}

/** Whether an example contains a phrase; a single word only as a complete string. */
const exampleMatcher = memoise((example: string): ((terms: readonly string[]) => boolean) => {
  const phrase = phraseOf(example)
  const strings = new Set(Array.from(example.matchAll(/"([^"]*)"/g), ([, string = '']) => phraseOf(string)))
  return (terms) => (terms.length > 1 ? holds(phrase, terms) : strings.has(` ${terms.join(' ')} `))
})

function sourceOf(text: string, isInflected: boolean) {
  const phrase = phraseOf(text, isInflected)
  const inSentences = sentences(text).map((sentence) => new Set(termsOf(sentence.text, isInflected)))
  return {
    phrase,
    /** Whether the text contains the words as a phrase, or all of them in one sentence. */
    has: (terms: readonly string[]) =>
      holds(phrase, terms) ||
      // a name of function words only
      (terms.every((term) => functionWords.has(term)) && holds(` ${plainWords(text).join(' ')} `, terms)) ||
      (!terms.some((term) => scriptsWithoutSpaces.test(term)) &&
        inSentences.some((sentenceTerms) =>
          terms.every(
            (term) =>
              sentenceTerms.has(term) || (isInflected && [...sentenceTerms].some((word) => isFormOf(word, term))),
          ),
        )),
  }
}

/**
 * Whether a word is probably an inflected form of a term, by their common prefix. A term of four letters must be the
 * prefix; of a longer one the last two in five may change (Virtanen: Virtasen, Turku: Turussa), plus a few letters.
 */
function isFormOf(word: string, term: string) {
  if (term.length < 4) return false
  let prefixLength = 0
  while (prefixLength < term.length && word[prefixLength] === term[prefixLength]) prefixLength++
  const isShort = term.length === 4
  const longestChange = isShort ? 0 : 0.45 * term.length
  const longestEnding = isShort ? 3 : 5
  const change = term.length - prefixLength
  const ending = word.length - prefixLength
  return change <= longestChange && ending <= longestEnding
}

const phraseOf = (text: string, isInflected = false) => ` ${termsOf(text, isInflected).join(' ')} `

const holds = (phrase: string, terms: readonly string[]) => {
  const target = terms.join(' ')
  // scripts without spaces have no word boundaries
  return scriptsWithoutSpaces.test(target)
    ? phrase.replaceAll(' ', '').includes(target.replaceAll(' ', ''))
    : phrase.includes(` ${target} `)
}

const scriptsWithoutSpaces = new RegExp(`[${unspacedScripts}\\p{Script=Hangul}]`, 'u')

/**
 * Normalises the words of a text: lower case, no accents, number commas or articles, English plurals as singulars.
 */
function termsOf(text: string, isInflected = false): readonly string[] {
  const all = plainWords(text)
  const terms = all.filter((word) => !functionWords.has(word))
  if (terms.length === 0) return all
  return isInflected ? terms : terms.map(singular)
}

const plainWords = (text: string) => words(text.replace(/(\d),(?=\d{3}(?!\d))/g, '$1')).flatMap(plainWord)

/** A word without accents, Arabic words as stems; empty if only marks remain. */
function plainWord(word: string): readonly string[] {
  const letters = word.replace(/\p{M}/gu, '').normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
  return letters === '' ? [] : [stemArabic(letters)]
}

/** A crude English singular; both sides of a comparison go through it. */
const singular = (word: string) =>
  word.length < 4 || /(?:ss|us|is)$/.test(word)
    ? word
    : word.replace(/ies$/, 'y').replace(/(?<=s|x|z|ch|sh)es$|(?<!s)s$/, '')

const functionWords = new Set(
  'a an the of in on at to for from by with and or as its his her their our my your this that these those s'.split(' '),
)
