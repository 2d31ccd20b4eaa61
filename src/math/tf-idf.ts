import { countEach } from '../basics/collections.ts'
import { highest, type ScoredIndex } from './vectors.ts'
import { log } from './portable.ts'

interface TfIdfOptions {
  /** Whether a word that stands tf times in a text counts 1 + ln(tf) times (default: false, tf times). */
  readonly sublinear?: boolean
}

/** Texts as vectors of weighed words, searched by cosine. */
interface TfIdfIndex {
  /** The `k` best texts with their cosines, best first, equal ones by lower index; none that shares no word. */
  search(asked: readonly string[], k: number): readonly ScoredIndex[]
  /** Number of distinct words. */
  readonly words: number
}

/**
 * Cosines of tf-idf vectors as scikit-learn's TfidfVectorizer makes them by default: a word weighs tf · (ln((1 + n) /
 * (1 + df)) + 1), n texts of which df hold it, and vectors have length one. Words of the question that stand in no text
 * are left out. `tfIdfIndex(texts.map(words)).search(words('who kept the mill?'), 5)`
 */
export function tfIdfIndex(bags: readonly (readonly string[])[], { sublinear = false }: TfIdfOptions = {}): TfIdfIndex {
  const counts = bags.map(countEach)
  const holders = countEach(counts.flatMap((one) => [...one.keys()]))
  const weighed = (bag: ReadonlyMap<string, number>): readonly (readonly [word: string, weight: number])[] => {
    const weights = [...bag].flatMap(([word, tf]) => {
      const df = holders.get(word)
      const idf = log((1 + bags.length) / (1 + (df ?? 0))) + 1
      return df === undefined ? [] : [[word, (sublinear ? 1 + log(tf) : tf) * idf] as const]
    })
    const length = Math.sqrt(weights.reduce((sum, [, weight]) => sum + weight * weight, 0))
    return weights.map(([word, weight]) => [word, weight / length])
  }
  const postings = new Map<string, { readonly row: number; readonly weight: number }[]>()
  for (const [row, bag] of counts.entries())
    for (const [word, weight] of weighed(bag)) {
      const known = postings.get(word)
      if (known) known.push({ row, weight })
      else postings.set(word, [{ row, weight }])
    }
  return {
    search(asked, k) {
      const scores = new Float64Array(bags.length)
      for (const [word, weight] of weighed(countEach(asked)))
        for (const found of postings.get(word) ?? [])
          scores[found.row] = (scores[found.row] ?? 0) + weight * found.weight
      return highest(scores, k).filter(({ score }) => score > 0)
    },
    words: postings.size,
  }
}
