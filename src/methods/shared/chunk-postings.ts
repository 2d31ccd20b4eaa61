import { z } from 'zod'
import { lazily } from '../../basics/collections.ts'
import { packPostings, postingsOf, unpackPostings, type Postings } from '../../math/postings.ts'
import { analyserOf, analysers, type Analyser } from '../../text/analyse.ts'
import { sha256OfAll } from '../../text/hash.ts'
import type { Chunk, Models } from '../../types.ts'

/** The option `analyser` of lexical methods. */
export const analyser = z
  .enum(analysers)
  .default('english')
  .describe(
    'How texts become words. plain: in lower case; english: without possessive ’s and Lucene’s 33 stop words, stemmed as in Lucene. Set plain for other languages. Arabic is always stemmed; Thai, Lao, Khmer and Burmese are split by dictionaries.',
  )

/** Part of the cache key: raised when analysers or the format of postings change. */
const version = 2

/**
 * Characters of a corpus from which postings are cached, about 8,000 passages: there, reading takes 0.05 s and building
 * 1 s.
 */
const minCharacters = 2 ** 22

/** The postings of the chunks; those of a large corpus are cached on disk. */
export function chunkPostings(
  chunks: readonly Pick<Chunk, 'text'>[],
  analyser: Analyser,
  { cached: cache }: Pick<Models, 'cached'>,
  worth = minCharacters,
): Postings {
  const analyse = analyserOf(analyser)
  const make = (): Postings => postingsOf(lazily(chunks, ({ text }) => analyse(text)))
  if (!cache || chunks.reduce((sum, { text }) => sum + text.length, 0) < worth) return make()
  return cache(postingsName(chunks, analyser), {
    make,
    pack: packPostings,
    unpack: (bytes) => unpackPostings(bytes, chunks.length),
  })
}

/** The cache key has the versions of Unicode and ICU, which define letters and words. */
function postingsName(chunks: readonly Pick<Chunk, 'text'>[], analyser: Analyser): string {
  const texts = function* () {
    yield* [`${version}`, analyser, process.versions.unicode ?? '', process.versions.icu ?? '']
    for (const { text } of chunks) yield text
  }
  return `postings-${sha256OfAll(texts())}`
}
