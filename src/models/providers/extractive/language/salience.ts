import { isHeading } from './headings.ts'
import { rarity } from './overlap.ts'
import type { Sentence } from './sentence.ts'

/** A sentence as weights of its content stems, unit length. */
type Vector = ReadonlyMap<string, number>

/** How central each sentence is: the cosine of its tf-idf vector with the sum of all (centroid summarisation, Radev et al. 2004). */
export function salience(sentences: readonly Sentence[]): readonly number[] {
  const vectors = vectorsOf(sentences)
  const centroid = centre(vectors)
  return sentences.map((sentence, index) => worth(sentence, vectors[index] ?? new Map(), centroid))
}

/**
 * Takes sentences one by one, central ones first and unlike those before (maximal marginal relevance, Carbonell and Goldstein 1998).
 * `take` says whether a sentence was taken; one that was not does not push away its like. Ends after the last sentence or when `take` gives undefined.
 */
export function diverse(sentences: readonly Sentence[], take: (index: number) => boolean | undefined): void {
  const vectors = vectorsOf(sentences)
  const centroid = centre(vectors)
  const worths = sentences.map((sentence, index) => worth(sentence, vectors[index] ?? new Map(), centroid))
  const likeness = vectors.map(() => 0)
  const left = new Set(vectors.keys())
  const score = (index: number): number => RELEVANCE * (worths[index] ?? 0) - (1 - RELEVANCE) * (likeness[index] ?? 0)
  while (left.size > 0) {
    // the order holds until a sentence is taken
    const scores = new Map([...left].map((index) => [index, score(index)]))
    const order = [...left].sort((a, b) => (scores.get(b) ?? 0) - (scores.get(a) ?? 0) || a - b)
    for (const next of order) {
      left.delete(next)
      const taken = take(next)
      if (taken === undefined) return
      const vector = vectors[next]
      if (!taken || !vector) continue
      for (const index of left)
        likeness[index] = Math.max(likeness[index] ?? 0, cosine(vectors[index] ?? new Map(), vector))
      break
    }
  }
}

/** Headings and the pieces that a chunk begins with are worth half. */
function worth(sentence: Sentence, vector: Vector, centroid: Vector): number {
  const broken = isHeading(sentence) || /^[\p{Ll},.;:)]/u.test(sentence.text)
  return cosine(vector, centroid) * (broken ? 0.5 : 1)
}

function vectorsOf(sentences: readonly Sentence[]): readonly Vector[] {
  const weight = rarity(sentences)
  return sentences.map(({ words }) => {
    const counts = new Map<string, number>()
    for (const word of words) if (word.content) counts.set(word.stem, (counts.get(word.stem) ?? 0) + weight(word.stem))
    return unit(counts)
  })
}

function centre(vectors: readonly Vector[]): Vector {
  const sum = new Map<string, number>()
  for (const vector of vectors) for (const [stem, weight] of vector) sum.set(stem, (sum.get(stem) ?? 0) + weight)
  return unit(sum)
}

function unit(vector: Vector): Vector {
  let squares = 0
  for (const weight of vector.values()) squares += weight * weight
  const length = Math.sqrt(squares)
  return length > 0 ? new Map([...vector].map(([stem, weight]) => [stem, weight / length])) : vector
}

function cosine(a: Vector, b: Vector): number {
  const [small, large] = a.size < b.size ? [a, b] : [b, a]
  let sum = 0
  for (const [stem, weight] of small) sum += weight * (large.get(stem) ?? 0)
  return sum
}

/** Weight of relevance against novelty: a repeated sentence is worth nothing. */
const RELEVANCE = 0.5
