import { tokensOfBatch, paddedLength, type Row } from '../shared/token-batches.ts'

interface Waiting<T> {
  readonly row: Row
  /** Rises with every row that is asked; that of a question is below those of all documents. */
  readonly turn: number
  readonly signal: AbortSignal
  readonly resolve: (made: T) => void
  readonly reject: (error: unknown) => void
}

/** Batches that are given to the model before the first of them is done, so that it never waits for the next one. */
const batchesAhead = 4

/** Added to the turn of a question, so that it comes before every document. */
const questionsFirst = -(2 ** 50)

/**
 * Rows of whoever asks, in batches of one padded length each: what is asked at the same time goes together. The row that has waited longest
 * comes first, and with it those of its length; with `soon`, as for a question on whose vector an answer waits, a row comes before all
 * others. A row's result does not depend on its batch. `run` gives a result for each row of a batch.
 */
export function rowQueue<T>(
  run: (batch: readonly Row[]) => Promise<readonly T[]>,
): (row: Row, signal: AbortSignal, soon: boolean) => Promise<T> {
  const lengths = new Map<number, Waiting<T>[]>()
  let ahead = 0
  let turns = 0
  let planned = false
  const send = async (batch: readonly Waiting<T>[]): Promise<void> => {
    ahead++
    try {
      const made = await run(batch.map(({ row }) => row))
      for (const [index, { resolve }] of batch.entries()) resolve(made[index] as T)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      ahead--
      sendNext()
    }
  }
  const longestWaiting = (): readonly [length: number, rows: Waiting<T>[]] | undefined => {
    let first: [number, Waiting<T>[]] | undefined
    const turnOf = (rows: readonly Waiting<T>[] = []): number => rows[0]?.turn ?? Infinity
    for (const one of lengths) if (turnOf(one[1]) < turnOf(first?.[1])) first = one
    return first
  }
  const sendNext = (): void => {
    planned = false
    for (let next; ahead < batchesAhead && (next = longestWaiting());) {
      const [length, rows] = next
      const batch = rows.splice(0, Math.max(1, Math.floor(tokensOfBatch / length)))
      if (rows.length === 0) lengths.delete(length)
      const wanted = batch.filter(({ signal }) => !signal.aborted)
      for (const { reject, signal } of batch) if (signal.aborted) reject(signal.reason)
      if (wanted.length > 0) void send(wanted)
    }
  }
  return (row, signal, soon) =>
    new Promise((resolve, reject) => {
      const length = paddedLength(row)
      const rows = lengths.get(length) ?? []
      const waiting = { row, turn: (soon ? questionsFirst : 0) + turns++, signal, resolve, reject }
      const later = soon ? rows.findIndex(({ turn }) => turn >= 0) : -1
      rows.splice(later < 0 ? rows.length : later, 0, waiting)
      lengths.set(length, rows)
      // what is asked in one go is there before the first batch is made
      if (!planned) queueMicrotask(sendNext)
      planned = true
    })
}
