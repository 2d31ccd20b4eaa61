import { memoiseWeakly } from '../../../../basics/memoise.ts'
import type { Sentence, Word } from './sentence.ts'

/** Whether a sentence denies: an odd number of negating words in those of its parts, between commas, that speak of the given stems. */
export const denies = (sentence: Sentence, about: ReadonlySet<string>): boolean =>
  deniedParts(sentence).filter((part) => part.some(({ stem }) => about.has(stem))).length % 2 === 1

/** The parts with an odd number of negating words; the mark that stands before a part belongs to it. */
const deniedParts = memoiseWeakly((sentence: Sentence): readonly (readonly Word[])[] => {
  const parts: Word[][] = [[]]
  for (const word of sentence.words) {
    if (/^[,;:—–]?$/.test(word.text)) parts.push([])
    parts.at(-1)?.push(word)
  }
  return parts.filter((part) => part.filter(negating).length % 2 === 1)
})

/** Whether a sentence holds a negation. */
export const negates = (sentence: Sentence): boolean => sentence.words.some(negating)

const negating = (word: Word): boolean => NEGATIONS.has(word.text.toLowerCase())

/** Whether one side says the opposite of a word on the other, which it does not say itself. */
export function opposes(a: Sentence, b: Sentence): boolean {
  const [left, right] = [lemmas(a), lemmas(b)]
  return OPPOSITES.some(([one, other]) => against(left, right, one, other) || against(left, right, other, one))
}

const against = (left: ReadonlySet<string>, right: ReadonlySet<string>, one: string, other: string): boolean =>
  left.has(one) && right.has(other) && !left.has(other) && !right.has(one)

const lemmas = (sentence: Sentence): ReadonlySet<string> =>
  new Set(sentence.words.flatMap((word) => [word.lemma.toLowerCase(), word.text.toLowerCase()]))

const NEGATIONS: ReadonlySet<string> = new Set(
  "not n't n’t no never none nobody nothing nowhere neither nor without hardly cannot".split(' '),
)

/** Common opposites; a longer list would catch more and err more. */
const OPPOSITES: readonly (readonly [string, string])[] = [
  ['increase', 'decrease'],
  ['increase', 'reduce'],
  ['rise', 'fall'],
  ['high', 'low'],
  ['higher', 'lower'],
  ['more', 'less'],
  ['more', 'fewer'],
  ['most', 'least'],
  ['large', 'small'],
  ['long', 'short'],
  ['good', 'bad'],
  ['better', 'worse'],
  ['best', 'worst'],
  ['early', 'late'],
  ['before', 'after'],
  ['first', 'last'],
  ['always', 'never'],
  ['all', 'none'],
  ['with', 'without'],
  ['above', 'below'],
  ['inside', 'outside'],
  ['open', 'close'],
  ['start', 'stop'],
  ['begin', 'end'],
  ['accept', 'reject'],
  ['allow', 'forbid'],
  ['succeed', 'fail'],
  ['win', 'lose'],
  ['love', 'hate'],
  ['alive', 'dead'],
  ['live', 'die'],
  ['true', 'false'],
  ['right', 'wrong'],
  ['strong', 'weak'],
  ['positive', 'negative'],
  ['male', 'female'],
  ['north', 'south'],
  ['east', 'west'],
]
