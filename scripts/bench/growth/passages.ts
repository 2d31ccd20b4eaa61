import { mulberry32, seedFrom } from '../../../src/math/random.ts'
import { normalise } from '../../../src/math/vectors.ts'

/**
 * Made-up passages of about 500 bytes whose words recur by the law of Zipf and Mandelbrot, as they do in a language:
 * the passage of a number is the same however many there are. Of 80 million words about 600,000 are different.
 */
export function passageAt(row: number): string {
  const random = mulberry32(seedFrom('passage', row))
  let text = wordOf(random)
  while (text.length < passageBytes) text += ` ${wordOf(random)}`
  return `${text}.`
}

/** A question of eight words, drawn as those of the passages but for the 40 most frequent: stop words. */
export function questionAt(place: number): string {
  const random = mulberry32(seedFrom('question', place))
  return Array.from({ length: 8 }, () => wordOf(random, stopWords)).join(' ')
}

/** A vector of length one, of random direction, for a passage or, after these, a question. */
export function vectorAt(place: number): Float32Array {
  const random = mulberry32(seedFrom('vector', place))
  const vector = Float32Array.from({ length: columns }, () => random() + random() + random() - 1.5)
  return normalise(vector)
}

/** Numbers of a vector, questions that are asked, and passages that each of them wants. */
export const [columns, questions, depth] = [384, 50, 10]

const passageBytes = 500

/** Words of one syllable. */
const stopWords = 40

/** A word of a rank from `first` on. */
function wordOf(random: () => number, first = 0): string {
  const share = (1 + first / 5) ** -0.5
  const rank = Math.min(Math.floor(5 * ((share * random()) ** -2 - 1)), 4e6)
  return (wordsByRank[rank] ??= spell(rank))
}

const wordsByRank: string[] = []

/** A word of its own for each rank: 40 of one syllable, the others of two and more. */
function spell(rank: number): string {
  let word = ''
  for (
    let rest = rank < stopWords ? rank + 1 : rank + syllables.length;
    rest > 0;
    rest = Math.floor(rest / syllables.length)
  )
    word += syllables[rest % syllables.length] ?? ''
  return word
}

const syllables = ['b', 'd', 'f', 'g', 'h', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'w', 'st', 'tr', 'br'].flatMap(
  (onset) => ['a', 'e', 'i', 'o', 'u', 'ai'].map((vowel) => `${onset}${vowel}`),
)
