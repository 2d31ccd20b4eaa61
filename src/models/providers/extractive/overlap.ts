import { memoise, memoiseWeakly } from '../../../basics/memoise.ts'
import { lower, type Sentence, type Word, wordSet } from './language.ts'

/** How much a stem tells. */
export type Weight = (stem: string) => number

/** Where each stem stands: indices of words. */
export type Places = ReadonlyMap<string, readonly number[]>

/** The distinct stems of the content words; of all words where there is no content word ("Who are you?"). */
export const stems = memoiseWeakly((words: readonly Word[]): ReadonlySet<string> => {
  const told = hasContent(words) ? words.filter(({ content }) => content) : words.filter(({ pos }) => pos !== 'PUNCT')
  return new Set(told.map(({ stem }) => stem))
})

const hasContent = memoiseWeakly((words: readonly Word[]): boolean => words.some(({ content }) => content))

/** The distinct stems of several sentences: of content words, or of all words where no sentence has any. */
export function stemsOf(sentences: readonly Sentence[]): ReadonlySet<string> {
  const contentful = sentences.filter(({ words }) => hasContent(words))
  const found = new Set<string>()
  for (const { words } of contentful.length > 0 ? contentful : sentences)
    for (const stem of stems(words)) found.add(stem)
  return found
}

/** Inverse sentence frequency ln(1 + N / (1 + n)): finite for words that are not there. */
export const rarity = memoiseWeakly((sentences: readonly Sentence[]): Weight => {
  const frequency = new Map<string, number>()
  for (const { words } of sentences)
    for (const stem of new Set(words.map(({ stem }) => stem))) frequency.set(stem, (frequency.get(stem) ?? 0) + 1)
  return memoise((stem) => Math.log(1 + sentences.length / (1 + (frequency.get(stem) ?? 0))))
})

/** The share of the wanted stems, by weight, that are there: 0 to 1; 0 when nothing is wanted. */
export const coverage = (
  wanted: ReadonlySet<string>,
  there: Pick<ReadonlySet<string>, 'has'>,
  weight: Weight,
): number => weighted(wanted, weight, (stem) => (there.has(stem) ? 1 : 0))

/** The sentences that hold the most of a question, by the share that they hold (0 to 1), ties in their order. */
export function closest(question: Sentence, sentences: readonly Sentence[]) {
  const weight = rarity(sentences)
  const asked = stems(question.words)
  return sentences
    .map((sentence, place) => ({ sentence, place, share: coverage(asked, stems(sentence.words), weight) }))
    .sort((a, b) => b.share - a.share || a.place - b.place)
}

/** The stems of content words in a few sentences, and which words of them all they are. */
export function placesOf(sentences: readonly Sentence[]): Places {
  const places = new Map<string, number[]>([...stemsOf(sentences)].map((stem) => [stem, []]))
  for (const [place, { stem }] of sentences.flatMap(({ words }) => words).entries()) places.get(stem)?.push(place)
  return places
}

/** Like coverage, but a stem counts 1 / its distance in words from the nearest of the others. */
export function proximity(
  wanted: ReadonlySet<string>,
  others: ReadonlySet<string>,
  places: Places,
  weight: Weight,
): number {
  const near = [...others].filter((stem) => !wanted.has(stem)).flatMap((stem) => places.get(stem) ?? [])
  if (near.length === 0) return 0
  return weighted(wanted, weight, (stem) => 1 / leastDistance(places.get(stem) ?? [], near))
}

/** The least distance between a place of one kind and one of the other; infinite where there are none. */
function leastDistance(places: readonly number[], others: readonly number[]): number {
  let least = Infinity
  for (const place of places) for (const other of others) least = Math.min(least, Math.abs(place - other))
  return least
}

function weighted(wanted: ReadonlySet<string>, weight: Weight, worth: (stem: string) => number): number {
  let [all, sum] = [0, 0]
  for (const stem of wanted) {
    const own = weight(stem)
    all += own
    sum += own * worth(stem)
  }
  return all > 0 ? sum / all : 0
}

/** Every run of `size` sentences, shorter ones at both ends: each sentence is in `size` of them. */
export const windows = (sentences: readonly Sentence[], size: number): readonly (readonly Sentence[])[] =>
  sentences.length === 0
    ? []
    : Array.from({ length: sentences.length + size - 1 }, (_, last) =>
        sentences.slice(Math.max(0, last - size + 1), last + 1),
      )

/** Whether the parts of a sentence, between commas, that speak of the given stems hold an odd number of negations. */
export const denies = (sentence: Sentence, about: ReadonlySet<string>): boolean =>
  deniedParts(sentence).filter((part) => part.some(({ stem }) => about.has(stem))).length % 2 === 1

/** The parts with an odd number of negating words; the mark that stands before a part belongs to it. */
const deniedParts = memoiseWeakly((sentence: Sentence): readonly (readonly Word[])[] => {
  const parts: Word[][] = [[]]
  for (const word of sentence.words) {
    if (/^[,;:—–]?$/.test(word.text)) parts.push([])
    parts.at(-1)?.push(word)
  }
  return parts.filter((part) => part.filter(isNegation).length % 2 === 1)
})

/** Whether a sentence holds a negation. */
export const negates = (sentence: Sentence): boolean => sentence.words.some(isNegation)

const isNegation = (word: Word): boolean => NEGATIONS.has(lower(word))

/** Whether one side says the opposite of a word on the other, which it does not say itself. */
export function opposes(a: Sentence, b: Sentence): boolean {
  const [left, right] = [lemmas(a), lemmas(b)]
  return OPPOSITES.some(([one, other]) => isAgainst(left, right, one, other) || isAgainst(left, right, other, one))
}

const isAgainst = (left: ReadonlySet<string>, right: ReadonlySet<string>, one: string, other: string): boolean =>
  left.has(one) && right.has(other) && !left.has(other) && !right.has(one)

const lemmas = (sentence: Sentence): ReadonlySet<string> =>
  new Set(sentence.words.flatMap((word) => [word.lemma.toLowerCase(), lower(word)]))

const NEGATIONS = wordSet("not n't n’t no never none nobody nothing nowhere neither nor without hardly cannot")

/** Common opposites; a longer list would catch more and err more. */
const OPPOSITES: readonly (readonly [string, string])[] = [
  'increase decrease, increase reduce, rise fall, high low, higher lower, more less, more fewer, most least',
  'large small, long short, good bad, better worse, best worst, early late, before after, first last',
  'always never, all none, with without, above below, inside outside, open close, start stop, begin end',
  'accept reject, allow forbid, succeed fail, win lose, love hate, alive dead, live die, true false',
  'right wrong, strong weak, positive negative, male female, north south, east west',
]
  .flatMap((pairs) => pairs.split(', '))
  .map((pair) => {
    const [one = '', other = ''] = pair.split(' ')
    return [one, other]
  })
