import { countEach, itemAt } from '../basics/collections.ts'
import { type Block, placesOf, postingsOf, rowsOfBlock, timesIn } from './postings.ts'
import { type ScoredIndex, highest } from './highest.ts'
import { log } from './portable.ts'

export interface Bm25Options {
  /** How slowly a repeated word stops counting, from 0 (default: 0.9, Anserini's). */
  readonly k1?: number
  /** How much long texts are marked down, from 0 to 1 (default: 0.4, Anserini's). */
  readonly b?: number
}

/** A lexical index over bags of words. */
export interface Bm25Index {
  /** The `k` best texts, best first, equal scores by lower index; texts that share no word are left out. */
  search(query: readonly string[], k: number): readonly ScoredIndex[]
  /** Whether the text of an index holds a word. */
  holds(index: number, word: string): boolean
}

/**
 * Okapi BM25 as Lucene computes it (Robertson and Zaragoza 2009; Lucene's BM25Similarity): the sum over the words of
 * the question of idf · tf / (tf + k1 · (1 − b + b · length / mean length)). Repeated query words count repeatedly;
 * lengths are exact. Reads the texts once and keeps none. Throws RangeError for a bad option.
 * `bm25Index(texts.map(words)).search(words('who kept the mill?'), 5)`
 */
export function bm25Index(bags: Iterable<readonly string[]>, { k1 = 0.9, b = 0.4 }: Bm25Options = {}): Bm25Index {
  if (!(k1 >= 0 && k1 < Infinity)) throw new RangeError(`k1 is ${k1}; it must be a number from 0`)
  if (!(b >= 0 && b <= 1)) throw new RangeError(`b is ${b}; it must be a number from 0 to 1`)
  const postings = postingsOf(bags)
  const { words, lengths, blocks } = postings
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / lengths.length || 1
  const norms = Float64Array.from(lengths, (length) => k1 * (1 - b + (b * length) / meanLength))
  const room = new Float64Array(Math.min(rowsOfBlock, lengths.length))
  return {
    search(query, k) {
      const terms = Array.from(countEach(query)).flatMap(([word, times]) => {
        const number = words.get(word)
        if (number === undefined) return []
        const places = blocks.map((block) => placesOf(block, number))
        const holders = places.reduce((sum, [from, to]) => sum + to - from, 0)
        return [{ places, weight: times * log(1 + (lengths.length - holders + 0.5) / (holders + 0.5)) }]
      })
      // block by block, so that scores and norms fit the L2 cache
      const matches = blocks.flatMap((block, at) => {
        const first = at * rowsOfBlock
        const part = { norms: norms.subarray(first, first + rowsOfBlock), scores: room.fill(0) }
        for (const { places, weight } of terms) add(block, itemAt(places, at), weight, part)
        return highest(part.scores.subarray(0, part.norms.length), k).flatMap(({ index, score }) =>
          score > 0 ? [{ index: first + index, score }] : [],
        )
      })
      const scores = matches.map(({ score }) => score)
      return highest(scores, k).map(({ index }) => itemAt(matches, index))
    },
    holds: (index, word) => timesIn(postings, word, index) > 0,
  }
}

interface Part {
  readonly norms: Float64Array
  readonly scores: Float64Array
}

/** Adds a word's contribution to the scores of a block. */
function add({ rows, counts }: Block, [from, to]: readonly [number, number], weight: number, part: Part): void {
  const { norms, scores } = part
  for (let at = from; at < to; at++) {
    const row = rows[at]!
    const count = counts[at]!
    scores[row]! += weight * (count / (count + norms[row]!))
  }
}
