import { itemAt, valueOf } from '../../basics/collections.ts'
import type { EmbedRole } from '../../types.ts'
import { type Computed, workClock } from '../calls/work-clock.ts'
import type { Provider } from '../provider.ts'

/** An opened model that reads tokens and gives vectors. */
export interface Encoder {
  /** The ids of all tokens of a text, special ones too. */
  encode(text: string): Row
  /** One vector of length one for each of some rows of one padded length. */
  vectors(rows: readonly Row[]): Promise<readonly Float32Array[]>
  /** A vector for each token of a row: of the last layer. */
  tokenVectors(row: Row): Promise<readonly Float32Array[]>
}

interface EmbedderOptions {
  /** Tokens of a text that are read; Infinity: all. */
  readonly window: number
  readonly prefixes?: Readonly<Record<EmbedRole, string>>
  /** Embeds queries, where another model embeds documents. */
  readonly query?: Encoder
}

type Embedding = Required<Pick<Provider, 'embed' | 'embedTokens' | 'tokenIds' | 'countTokens'>>

/** Embeddings on this computer, of several calls together, queries first; each call takes its share of time. */
export function embedder(
  document: Encoder,
  { window, prefixes = { query: '', document: '' }, query = document }: EmbedderOptions,
): Embedding & Pick<Provider, 'readsTokens'> {
  const models = { query, document }
  const atWork = workClock()
  const askDocument = rowQueue((rows) => document.vectors(rows), atWork)
  const ask = {
    document: askDocument,
    query: query === document ? askDocument : rowQueue((rows) => query.vectors(rows), atWork),
  }
  const tokensOf = (text: string): Row => shortened(document.encode(text), window)
  return {
    ...(Number.isFinite(window) && { readsTokens: window }),
    async embed(texts, role, signal) {
      const rows = texts.map((text) => shortened(models[role].encode(prefixes[role] + text), window))
      const made = await Promise.all(rows.map((row) => ask[role](row, signal, role === 'query')))
      return {
        vectors: made.map(({ value }) => value),
        tokens: rows.reduce((sum, row) => sum + row.length, 0),
        milliseconds: made.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
      }
    },
    async embedTokens(text) {
      const row = tokensOf(text)
      const { value: vectors, milliseconds } = await atWork(() => document.tokenVectors(row))
      return { vectors, tokens: row.length, milliseconds }
    },
    tokenIds: tokensOf,
    countTokens: (text, role) =>
      role === 'tokens' ? document.encode(text).length : models[role].encode(prefixes[role] + text).length,
  }
}

/** A text as a model reads it: the ids of its tokens. */
export type Row = readonly number[]

/** Tokens of a batch: enough to keep the cores busy; more would only make others wait longer. */
const tokensOfBatch = 1024

/** Tokens to which a row is filled up: the runtime adds by fours, and three left over would be in another order. */
export const paddedLength = ({ length }: Row): number => (length % 4 === 3 ? length + 1 : length)

/** The row itself, or its beginning and its last token: that closes the text for the model. */
export const shortened = (row: Row, most: number): Row =>
  row.length <= most ? row : [...row.slice(0, most - 1), ...row.slice(-1)]

/** The ids of rows of one padded length in a row, filled up with `padding`, and a mask of the tokens (1). */
export function padded(rows: readonly Row[], padding = 0): { ids: BigInt64Array; mask: BigInt64Array; length: number } {
  const length = Math.max(...rows.map(paddedLength))
  const ids = new BigInt64Array(rows.length * length).fill(BigInt(padding))
  const mask = new BigInt64Array(rows.length * length)
  for (const [index, row] of rows.entries()) {
    ids.set(row.map(BigInt), index * length)
    mask.fill(1n, index * length, index * length + row.length)
  }
  return { ids, mask, length }
}

interface Waiting<T> {
  readonly row: Row
  readonly signal: AbortSignal
  /** Whether an answer waits for it, as for the vector of a question: it comes before all that is not urgent. */
  readonly isUrgent: boolean
  /** Rises with every row that is asked. */
  readonly turn: number
  readonly resolve: (made: Computed<T>) => void
  readonly reject: (error: unknown) => void
}

type AskRow<T> = (row: Row, signal: AbortSignal, isUrgent: boolean) => Promise<Computed<T>>

/** Batches that are given to a model before the first of them is done, so that it never waits for the next one. */
const batchesAhead = 4

/** Rows in batches of one padded length each, the longest waiting first; no result depends on the batch. */
export function rowQueue<T>(run: (batch: readonly Row[]) => Promise<readonly T[]>, atWork = workClock()): AskRow<T> {
  const lengths = new Map<number, Waiting<T>[]>()
  let ahead = 0
  let turns = 0
  let isPlanned = false
  const send = async (batch: readonly Waiting<T>[]): Promise<void> => {
    ahead++
    try {
      const { value: made, milliseconds } = await atWork(() => run(batch.map(({ row }) => row)))
      // the rows of a batch are of one length
      for (const [index, { resolve }] of batch.entries())
        resolve({ value: itemAt(made, index), milliseconds: milliseconds / batch.length })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      ahead--
      sendNext()
    }
  }
  const sendNext = (): void => {
    isPlanned = false
    while (ahead < batchesAhead) {
      const [first] = [...lengths].flatMap(([length, [one]]) => (one ? [{ length, one }] : [])).sort(byTurn)
      if (!first) return
      const rows = valueOf(lengths, first.length)
      const batch = rows.splice(0, Math.max(1, Math.floor(tokensOfBatch / first.length)))
      if (rows.length === 0) lengths.delete(first.length)
      for (const { reject, signal } of batch) if (signal.aborted) reject(signal.reason)
      const wanted = batch.filter(({ signal }) => !signal.aborted)
      if (wanted.length > 0) void send(wanted)
    }
  }
  return (row, signal, isUrgent) =>
    new Promise((resolve, reject) => {
      const length = paddedLength(row)
      const rows = lengths.get(length) ?? []
      const later = isUrgent ? rows.findIndex((other) => !other.isUrgent) : -1
      rows.splice(later < 0 ? rows.length : later, 0, { row, signal, isUrgent, turn: turns++, resolve, reject })
      lengths.set(length, rows)
      // what is asked in one go is there before the first batch is made
      if (!isPlanned) queueMicrotask(sendNext)
      isPlanned = true
    })
}

const byTurn = <T>(a: { readonly one: Waiting<T> }, b: { readonly one: Waiting<T> }): number =>
  Number(b.one.isUrgent) - Number(a.one.isUrgent) || a.one.turn - b.one.turn
