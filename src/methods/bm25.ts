import { z } from 'zod'
import { defineMethod } from '../define.ts'
import { highest } from '../math/vectors.ts'
import { words } from '../text/words.ts'

/**
 * Okapi BM25 as Lucene computes it (Robertson and Zaragoza 2009; Lucene's BM25Similarity): the sum over the words of the question of
 * idf · tf / (tf + k1 · (1 − b + b · length / mean length)). A word asked twice counts twice; exact lengths, no stop words, no stemming.
 */
export const bm25 = defineMethod({
  name: 'bm25',
  summary: 'Ranks chunks by the words that they share with the question; chunks that share none are left out.',
  options: z.strictObject({
    k1: z.number().min(0).default(0.9).describe('How slowly a repeated word stops counting (default: Anserini).'),
    b: z.number().min(0).max(1).default(0.4).describe('How much long chunks are marked down (default: Anserini).'),
  }),
  async index(chunks, _models, { k1, b }) {
    const bags = chunks.map(({ text }) => words(text))
    const meanLength = bags.reduce((sum, bag) => sum + bag.length, 0) / bags.length || 1
    const postings = new Map<string, Posting[]>()
    for (const [row, bag] of bags.entries()) {
      const norm = k1 * (1 - b + (b * bag.length) / meanLength)
      for (const [word, count] of tally(bag)) {
        const posting = { row, weight: count / (count + norm) }
        const known = postings.get(word)
        if (known) known.push(posting)
        else postings.set(word, [posting])
      }
    }
    return {
      async retrieve({ text }, { passages }) {
        const asked = tally(words(text))
        const scores = new Float64Array(chunks.length)
        for (const [word, times] of asked) {
          const found = postings.get(word) ?? []
          const idf = Math.log(1 + (chunks.length - found.length + 0.5) / (found.length + 0.5))
          for (const { row, weight } of found) scores[row] = (scores[row] ?? 0) + times * idf * weight
        }
        return highest(scores, passages).flatMap(({ index, score }) => {
          const chunk = chunks[index]
          if (!chunk || score === 0) return []
          const held = new Set(bags[index])
          const why = { matched: [...asked.keys()].filter((word) => held.has(word)) }
          return [{ text: chunk.text, score, from: [chunk.id], kind: 'chunk', why }]
        })
      },
      stats: () => ({ words: postings.size, meanLength }),
    }
  },
})

/** A chunk that holds a word, and what the word weighs in it before idf. */
interface Posting {
  readonly row: number
  readonly weight: number
}

function tally(bag: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of bag) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
