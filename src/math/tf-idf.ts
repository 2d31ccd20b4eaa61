import { countEach } from '../basics/collections.ts'
import { placesOf, postingsOf, rowsOfBlock } from './postings.ts'
import { type ScoredIndex, highest } from './highest.ts'
import { log } from './portable.ts'

/** A tf-idf index, searched by cosine. */
interface TfIdfIndex {
  /** The `k` best texts with their cosines, best first, ties by index; texts without a shared word are omitted. */
  search(query: readonly string[], k: number): readonly ScoredIndex[]
}

/**
 * Cosines of tf-idf vectors as scikit-learn's TfidfVectorizer makes them by default: a word weighs tf · (ln((1 + n) /
 * (1 + df)) + 1), n texts of which df hold it, and vectors have length one. Query words that occur in no text are
 * ignored. `tfIdfIndex(texts.map(words)).search(words('who kept the mill?'), 5)`
 */
export function tfIdfIndex(bags: Iterable<readonly string[]>): TfIdfIndex {
  const { words, lengths, blocks } = postingsOf(bags)
  const holders = new Uint32Array(words.size)
  for (const { words: numbers, starts } of blocks)
    for (const [at, word] of numbers.entries()) holders[word]! += starts[at + 1]! - starts[at]!
  const idfs = Float64Array.from(holders, (count) => log((1 + lengths.length) / (1 + count)) + 1)
  const norms = new Float64Array(lengths.length)
  for (const [place, { words: numbers, starts, rows, counts }] of blocks.entries())
    for (const [at, word] of numbers.entries())
      for (let k = starts[at]!; k < starts[at + 1]!; k++)
        norms[place * rowsOfBlock + rows[k]!]! += (counts[k]! * idfs[word]!) ** 2
  for (const [row, sum] of norms.entries()) norms[row] = Math.sqrt(sum)
  const scores = new Float64Array(lengths.length)
  return {
    search(query, k) {
      scores.fill(0)
      const terms = [...countEach(query)].flatMap(([word, count]) => {
        const number = words.get(word)
        return number === undefined ? [] : [{ number, weight: count * idfs[number]! }]
      })
      const length = Math.sqrt(terms.reduce((sum, { weight }) => sum + weight * weight, 0))
      for (const { number, weight } of terms)
        for (const [place, block] of blocks.entries()) {
          const [from, to] = placesOf(block, number)
          for (let at = from; at < to; at++) {
            const row = place * rowsOfBlock + block.rows[at]!
            scores[row]! += (weight / length) * ((block.counts[at]! * idfs[number]!) / norms[row]!)
          }
        }
      return highest(scores, k).filter(({ score }) => score > 0)
    },
  }
}
