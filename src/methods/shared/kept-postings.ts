import { lazily } from '../../basics/collections.ts'
import { packPostings, postingsOf, unpackPostings, type Postings } from '../../math/postings.ts'
import { analyserOf, type Analyser } from '../../text/analyse.ts'
import { sha256OfAll } from '../../text/hash.ts'
import type { Chunk, Models } from '../../types.ts'

/** Raised when an analyser gives other words, or postings of the same words are others. */
const version = 2

/**
 * Characters of texts from which postings are kept, about 8,000 passages. Measured: a second of the processor to make
 * them, a twentieth of it to read; below, a file for each of many small corpora would spare nothing that is noticed.
 */
const worthKeeping = 2 ** 22

/** The postings of the texts of chunks; those of a large corpus are made once and kept in the cache folder. */
export function chunkPostings(
  chunks: readonly Pick<Chunk, 'text'>[],
  analyser: Analyser,
  { cached: kept }: Pick<Models, 'cached'>,
  worth = worthKeeping,
): Postings {
  const analyse = analyserOf(analyser)
  const make = (): Postings => postingsOf(lazily(chunks, ({ text }) => analyse(text)))
  if (!kept || chunks.reduce((sum, { text }) => sum + text.length, 0) < worth) return make()
  return kept(postingsName(chunks, analyser), {
    make,
    pack: packPostings,
    unpack: (packed) => unpackPostings(packed, chunks.length),
  })
}

/** Letters are what this version of Unicode says, and words of scripts without spaces what that of ICU does. */
function postingsName(chunks: readonly Pick<Chunk, 'text'>[], analyser: Analyser): string {
  const texts = function* () {
    yield* [`${version}`, analyser, process.versions.unicode ?? '', process.versions.icu ?? '']
    for (const { text } of chunks) yield text
  }
  return `postings-${sha256OfAll(texts())}`
}
