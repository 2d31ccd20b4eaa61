import { frozen } from '../../basics/plain-data.ts'
import { chunk, type ChunkOptions } from '../../chunking/index.ts'
import { tokenizer, type TokenizerName } from '../../text/tokens.ts'
import type { Chunk, Corpus } from '../../types.ts'
import { locator, type Locator } from './evidence.ts'

/** A corpus, cut into chunks once for all methods; both are frozen. */
export interface ChunkedCorpus {
  readonly corpus: Corpus
  readonly chunks: readonly Chunk[]
  readonly locate: Locator
}

export type ChunkSettings = ChunkOptions & { readonly tokenizer: TokenizerName }

/** Cuts the documents of a corpus into chunks. */
export function chunkCorpus(corpus: Corpus, settings: ChunkSettings): ChunkedCorpus {
  const words = tokenizer(settings.tokenizer)
  const chunks = frozen(corpus.documents.flatMap((document, index) => chunk(document, index, settings, words)))
  return { corpus: frozen(corpus), chunks, locate: locator(corpus, chunks) }
}
