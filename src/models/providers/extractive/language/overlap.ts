import { memoise, memoiseWeakly } from '../../../../basics/memoise.ts'
import type { Sentence, Word } from './sentence.ts'

/** How much a stem tells. */
export type Weight = (stem: string) => number

/** Where each stem stands: indices of words. */
export type Places = ReadonlyMap<string, readonly number[]>

type Stems = Pick<ReadonlySet<string>, 'has'>

/** The distinct stems of the content words; of all words where there is no content word ("Who are you?"). */
export const stems = memoiseWeakly((words: readonly Word[]): ReadonlySet<string> => {
  const content = words.filter((word) => word.content)
  return new Set((content.length > 0 ? content : words.filter((word) => word.pos !== 'PUNCT')).map((word) => word.stem))
})

const hasContent = memoiseWeakly((words: readonly Word[]): boolean => words.some((word) => word.content))

/** The distinct stems of several sentences: of their content words, or of all words where none of them has a content word. */
export function stemsOf(sentences: readonly Sentence[]): ReadonlySet<string> {
  const contentful = sentences.filter(({ words }) => hasContent(words))
  const found = new Set<string>()
  for (const { words } of contentful.length > 0 ? contentful : sentences)
    for (const stem of stems(words)) found.add(stem)
  return found
}

/** Inverse sentence frequency ln(1 + N / (1 + n)): smooth enough for contexts of a few sentences, and finite for words that are not there. */
export const rarity = memoiseWeakly((sentences: readonly Sentence[]): Weight => {
  const frequency = new Map<string, number>()
  for (const { words } of sentences)
    for (const stem of allStems(words)) frequency.set(stem, (frequency.get(stem) ?? 0) + 1)
  return memoise((stem) => Math.log(1 + sentences.length / (1 + (frequency.get(stem) ?? 0))))
})

const allStems = memoiseWeakly((words: readonly Word[]): ReadonlySet<string> => new Set(words.map(({ stem }) => stem)))

/** The share of the wanted stems, by weight, that are there: 0 to 1; 0 when nothing is wanted. */
export const coverage = (wanted: ReadonlySet<string>, there: Stems, weight: Weight): number =>
  weighted(wanted, weight, (stem) => (there.has(stem) ? 1 : 0))

/** The stems of content words in a few sentences, and which words of them all they are. */
export function placesOf(sentences: readonly Sentence[]): Places {
  const places = new Map<string, number[]>()
  for (const stem of stemsOf(sentences)) places.set(stem, [])
  let place = 0
  for (const { words } of sentences)
    for (const { stem } of words) {
      places.get(stem)?.push(place)
      place++
    }
  return places
}

/** Like coverage, but a stem that is there counts 1 / its distance in words from the nearest of the others; a stem that is one of them marks no place. */
export function proximity(
  wanted: ReadonlySet<string>,
  others: ReadonlySet<string>,
  places: Places,
  weight: Weight,
): number {
  const near: number[] = []
  for (const stem of others) if (!wanted.has(stem)) near.push(...(places.get(stem) ?? []))
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
