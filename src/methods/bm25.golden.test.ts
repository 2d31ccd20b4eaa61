import { stemmer } from 'stemmer'
import { analyserOf } from '../text/analyse.ts'
import { bm25Index } from '../math/bm25.ts'
import { notOurs, replayGolden } from '../test-support/golden.ts'

type Stemmer = 'porter' | 'snowball-english' | 'none'

/** Words of the cases of Porter as printed that its author's later form, which Lucene has, stems otherwise. */
const later = new Set(['possibly', 'archaeology', 's', 'is', 'us', 'as'])

interface Searched {
  readonly documents: readonly string[]
  readonly queries: readonly string[]
  readonly stemmer: Stemmer
  readonly k1: number
  readonly b: number
  readonly k: number
}

replayGolden({
  'text.stem': ({ stemmer: wanted, words: asked }: { readonly stemmer: Stemmer; readonly words: readonly string[] }) =>
    wanted === 'porter' ? { result: asked.map((word) => (later.has(word) ? notOurs : stemmer(word))) } : notOurs,
  'text.analyse': ({ texts }: { readonly texts: readonly string[] }) => ({
    porter: texts.map(analyserOf('english')),
    'snowball-english': notOurs,
    none: notOurs,
  }),
  'bm25.analysed': ({ documents, queries, stemmer: wanted, k1, b, k }: Searched) => {
    if (wanted !== 'porter') return notOurs
    const analyse = analyserOf('english')
    const index = bm25Index(documents.map(analyse), { k1, b })
    return {
      results: queries.map((query) => {
        const found = index.search(analyse(query), k)
        return {
          query_tokens: analyse(query),
          order: found.map(({ index: row }) => row),
          scores: found.map(({ score }) => score),
        }
      }),
    }
  },
})
