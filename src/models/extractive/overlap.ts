import type { Sentence, Word } from './sentence.ts'

/** How much a stem tells. */
export type Weight = (stem: string) => number

/** The distinct stems of the content words; of all words where there is no content word ("Who are you?"). */
export function stems(words: readonly Word[]): ReadonlySet<string> {
  const content = words.filter((word) => word.content)
  return new Set((content.length > 0 ? content : words.filter((word) => word.pos !== 'PUNCT')).map((word) => word.stem))
}

/** The stems of several sentences. */
export const stemsOf = (sentences: readonly Sentence[]): ReadonlySet<string> =>
  stems(sentences.flatMap((sentence) => sentence.words))

/** Inverse sentence frequency ln(1 + N / (1 + n)): smooth enough for contexts of a few sentences, and finite for words that are not there. */
export function rarity(sentences: readonly Sentence[]): Weight {
  const frequency = new Map<string, number>()
  for (const sentence of sentences)
    for (const stem of new Set(sentence.words.map((word) => word.stem)))
      frequency.set(stem, (frequency.get(stem) ?? 0) + 1)
  return (stem) => Math.log(1 + sentences.length / (1 + (frequency.get(stem) ?? 0)))
}

/** The share of the wanted stems, by weight, that are there: 0 to 1; 0 when nothing is wanted. */
export function coverage(wanted: ReadonlySet<string>, there: ReadonlySet<string>, weight: Weight): number {
  let [all, covered] = [0, 0]
  for (const stem of wanted) {
    all += weight(stem)
    if (there.has(stem)) covered += weight(stem)
  }
  return all > 0 ? covered / all : 0
}

/** Every run of `size` sentences, shorter ones at both ends: each sentence is in `size` of them. */
export const windows = (sentences: readonly Sentence[], size: number): readonly (readonly Sentence[])[] =>
  sentences.length === 0
    ? []
    : Array.from({ length: sentences.length + size - 1 }, (_, last) =>
        sentences.slice(Math.max(0, last - size + 1), last + 1),
      )
