import { itemAt } from '../../basics/collections.ts'
import type { EmbedRole } from '../../types.ts'
import { type Computed, workClock } from '../calls/work-clock.ts'
import type { Provider } from '../provider.ts'

/** An opened model that reads tokens and gives vectors. */
export interface Encoder {
  /** The ids of all tokens of a text, special tokens included. */
  encode(text: string): Row
  /** One unit vector per row; all rows have one padded length. */
  vectors(rows: readonly Row[]): Promise<readonly Float32Array[]>
  /** One vector of the last layer per token of a row. */
  tokenVectors(row: Row): Promise<readonly Float32Array[]>
}

interface EmbedderOptions {
  /** Tokens read of a text; Infinity: all. */
  readonly window: number
  readonly prefixes?: Readonly<Record<EmbedRole, string>>
  /** The encoder of queries, if another one embeds documents. */
  readonly query?: Encoder
}

type Embedding = Required<Pick<Provider, 'embed' | 'embedTokens' | 'tokenIds' | 'countTokens'>>

/** Embeds the texts of concurrent calls together, queries first; each call gets its share of the time. */
export function embedder(
  document: Encoder,
  { window, prefixes = { query: '', document: '' }, query = document }: EmbedderOptions,
): Embedding & Pick<Provider, 'readsTokens'> {
  const models = { query, document }
  const clock = workClock()
  const documentQueue = rowQueue((rows) => document.vectors(rows), clock)
  const queues = {
    document: documentQueue,
    query: query === document ? documentQueue : rowQueue((rows) => query.vectors(rows), clock),
  }
  const tokensOf = (text: string): Row => shorten(document.encode(text), window)
  return {
    ...(Number.isFinite(window) && { readsTokens: window }),
    async embed(texts, role, signal) {
      const rows = texts.map((text) => shorten(models[role].encode(prefixes[role] + text), window))
      const results = await Promise.all(rows.map((row) => queues[role](row, signal, role === 'query')))
      return {
        vectors: results.map(({ value }) => value),
        tokens: rows.reduce((sum, row) => sum + row.length, 0),
        milliseconds: results.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
      }
    },
    async embedTokens(text) {
      const row = tokensOf(text)
      const { value: vectors, milliseconds } = await clock(() => document.tokenVectors(row))
      return { vectors, tokens: row.length, milliseconds }
    },
    tokenIds: tokensOf,
    countTokens: (text, role) =>
      role === 'tokens' ? document.encode(text).length : models[role].encode(prefixes[role] + text).length,
  }
}

/** The token ids of a text. */
export type Row = readonly number[]

/** Tokens of a batch: enough to keep the cores busy; more makes other calls wait longer. */
const tokensOfBatch = 1024

/** Padded length of a row: the runtime adds by fours, and a rest of three would be added in another order. */
export const paddedLength = ({ length }: Row): number => (length % 4 === 3 ? length + 1 : length)

/** The row itself, or its beginning and its last token, which closes the text. */
export const shorten = (row: Row, most: number): Row =>
  row.length <= most ? row : [...row.slice(0, most - 1), ...row.slice(-1)]

/** The ids of rows of one padded length, and a mask with 1 for tokens and 0 for padding. */
export function pad(rows: readonly Row[], padding = 0): { ids: BigInt64Array; mask: BigInt64Array; length: number } {
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
  /** Whether an answer waits for it, such as a question's vector: it precedes all other rows. */
  readonly isUrgent: boolean
  readonly resolve: (result: Computed<T>) => void
  readonly reject: (error: unknown) => void
}

type QueueRow<T> = (row: Row, signal: AbortSignal, isUrgent: boolean) => Promise<Computed<T>>

/** Batches in flight, so that the model never waits for the next one. */
const batchesAhead = 4

/** Batches rows of one padded length, the longest waiting first; no result depends on the batch. */
export function rowQueue<T>(run: (batch: readonly Row[]) => Promise<readonly T[]>, clock = workClock()): QueueRow<T> {
  // urgent rows first, each kind in the order of its calls
  let waiting: readonly Waiting<T>[] = []
  let ahead = 0
  let isScheduled = false
  const send = async (batch: readonly Waiting<T>[]): Promise<void> => {
    ahead++
    try {
      const { value: results, milliseconds } = await clock(() => run(batch.map(({ row }) => row)))
      // rows of a batch have one length
      for (const [index, { resolve }] of batch.entries())
        resolve({ value: itemAt(results, index), milliseconds: milliseconds / batch.length })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      ahead--
      sendNext()
    }
  }
  const sendNext = (): void => {
    isScheduled = false
    for (let [first] = waiting; first && ahead < batchesAhead; [first] = waiting) {
      const length = paddedLength(first.row)
      const equalRows = waiting.filter(({ row }) => paddedLength(row) === length)
      const batch = equalRows.slice(0, Math.max(1, Math.floor(tokensOfBatch / length)))
      const batchItems = new Set(batch)
      waiting = waiting.filter((item) => !batchItems.has(item))
      for (const { reject, signal } of batch) {
        if (signal.aborted) reject(signal.reason)
      }
      const live = batch.filter(({ signal }) => !signal.aborted)
      if (live.length > 0) void send(live)
    }
  }
  return (row, signal, isUrgent) =>
    new Promise((resolve, reject) => {
      const later = isUrgent ? waiting.findIndex((item) => !item.isUrgent) : -1
      const at = later < 0 ? waiting.length : later
      waiting = waiting.toSpliced(at, 0, { row, signal, isUrgent, resolve, reject })
      // rows of one synchronous turn are queued before the first batch starts
      if (!isScheduled) queueMicrotask(sendNext)
      isScheduled = true
    })
}
