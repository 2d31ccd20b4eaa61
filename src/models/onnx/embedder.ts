import type { EmbedRole } from '../../types.ts'
import type { Provider } from '../provider.ts'
import { rowQueue, shortened, type Row } from './rows.ts'

/** An opened model that reads tokens and gives vectors. */
export interface Encoder {
  /** The ids of all tokens of a text, special ones too. */
  encode(text: string): Row
  /** One vector of length one for each of some rows of one padded length. */
  vectors(rows: readonly Row[]): Promise<readonly Float32Array[]>
  /** A vector for each token of a row: of the last layer, or of another one. */
  tokenVectors(row: Row, layer?: number): Promise<readonly Float32Array[]>
}

export interface EmbedderOptions {
  /** Tokens of a text that are read; Infinity: all. */
  readonly window: number
  readonly prefixes?: Readonly<Record<EmbedRole, string>>
  /** Embeds queries, where another model embeds documents. */
  readonly query?: Encoder
}

type Embedding = Required<Pick<Provider, 'embed' | 'embedTokens' | 'tokenIds' | 'countTokens'>>

/** Embeddings of texts, and of single tokens, by a model on this computer. Texts that are asked for at the same time are embedded together, queries first. */
export function embedder(
  document: Encoder,
  { window, prefixes = { query: '', document: '' }, query = document }: EmbedderOptions,
): Embedding & Pick<Provider, 'readsTokens'> {
  const models = { query, document }
  const askDocument = rowQueue((rows) => document.vectors(rows))
  const ask = {
    document: askDocument,
    query: query === document ? askDocument : rowQueue((rows) => query.vectors(rows)),
  }
  const tokensOf = (text: string): Row => shortened(document.encode(text), window)
  return {
    ...(Number.isFinite(window) && { readsTokens: window }),
    async embed(texts, role, signal) {
      const rows = texts.map((text) => shortened(models[role].encode(prefixes[role] + text), window))
      const vectors = await Promise.all(rows.map((row) => ask[role](row, signal, role === 'query')))
      return { vectors, tokens: rows.reduce((sum, row) => sum + row.length, 0) }
    },
    async embedTokens(text, _signal, layer) {
      const row = tokensOf(text)
      return { vectors: await document.tokenVectors(row, layer), tokens: row.length }
    },
    tokenIds: tokensOf,
    countTokens: (text, role) =>
      role === 'tokens' ? document.encode(text).length : models[role].encode(prefixes[role] + text).length,
  }
}
