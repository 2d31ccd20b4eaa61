import { countEach } from '../basics/collections.ts'
import { highest, type ScoredIndex } from './vectors.ts'
import { log } from './portable.ts'

export interface Bm25Options {
  /** How slowly a repeated word stops counting, from 0 (default: 0.9, Anserini's). */
  readonly k1?: number
  /** How much long texts are marked down, from 0 to 1 (default: 0.4, Anserini's). */
  readonly b?: number
}

/** Texts as bags of words, searched by the words that they share with a question. */
export interface Bm25Index {
  /** The `k` best texts, best first, equal scores by lower index; texts that share no word are left out. */
  search(asked: readonly string[], k: number): readonly ScoredIndex[]
  /** Number of distinct words. */
  readonly words: number
  /** Mean number of words of a text; 1 where there is none. */
  readonly meanLength: number
}

/**
 * Okapi BM25 as Lucene computes it (Robertson and Zaragoza 2009; Lucene's BM25Similarity): the sum over the words of
 * the question of idf · tf / (tf + k1 · (1 − b + b · length / mean length)). A word asked twice counts twice; lengths
 * are exact. Throws RangeError for a bad option. `bm25Index(texts.map(words)).search(words('who kept the mill?'), 5)`
 */
export function bm25Index(bags: readonly (readonly string[])[], { k1 = 0.9, b = 0.4 }: Bm25Options = {}): Bm25Index {
  if (!(k1 >= 0 && k1 < Infinity)) throw new RangeError(`k1 is ${k1}; it must be a number from 0`)
  if (!(b >= 0 && b <= 1)) throw new RangeError(`b is ${b}; it must be a number from 0 to 1`)
  const meanLength = bags.reduce((sum, bag) => sum + bag.length, 0) / bags.length || 1
  const postings = new Map<string, Posting[]>()
  for (const [row, bag] of bags.entries()) {
    const norm = k1 * (1 - b + (b * bag.length) / meanLength)
    for (const [word, count] of countEach(bag)) {
      const posting = { row, weight: count / (count + norm) }
      const known = postings.get(word)
      if (known) known.push(posting)
      else postings.set(word, [posting])
    }
  }
  return {
    search(asked, k) {
      const scores = new Float64Array(bags.length)
      for (const [word, times] of countEach(asked)) {
        const found = postings.get(word) ?? []
        const idf = log(1 + (bags.length - found.length + 0.5) / (found.length + 0.5))
        for (const { row, weight } of found) scores[row] = (scores[row] ?? 0) + times * idf * weight
      }
      return highest(scores, k).filter(({ score }) => score > 0)
    },
    words: postings.size,
    meanLength,
  }
}

/** A text that holds a word, and what the word weighs in it before idf. */
interface Posting {
  readonly row: number
  readonly weight: number
}
