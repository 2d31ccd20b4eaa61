import { tokensOfBatch, paddedLength, type Row } from '../shared/token-batches.ts'

interface Waiting<T> {
  readonly row: Row
  readonly signal: AbortSignal
  readonly resolve: (made: T) => void
  readonly reject: (error: unknown) => void
}

/** Batches that are given to the model before the first of them is done, so that it never waits for the next one. */
const batchesAhead = 8

/**
 * Rows of whoever asks, in batches of one padded length each: what is asked at the same time goes together. The length whose rows have
 * waited longest comes first. A row's result does not depend on its batch. `run` gives a result for each row of a batch.
 */
export function rowQueue<T>(
  run: (batch: readonly Row[]) => Promise<readonly T[]>,
): (row: Row, signal: AbortSignal) => Promise<T> {
  const lengths = new Map<number, Waiting<T>[]>()
  let ahead = 0
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
  const sendNext = (): void => {
    planned = false
    for (const [length, rows] of lengths) {
      if (ahead === batchesAhead) return
      lengths.delete(length)
      const batch = rows.splice(0, Math.max(1, Math.floor(tokensOfBatch / length)))
      if (rows.length > 0) lengths.set(length, rows)
      const wanted = batch.filter(({ signal }) => !signal.aborted)
      for (const { reject, signal } of batch) if (signal.aborted) reject(signal.reason)
      if (wanted.length > 0) void send(wanted)
    }
  }
  return (row, signal) =>
    new Promise((resolve, reject) => {
      const length = paddedLength(row)
      const rows = lengths.get(length) ?? []
      rows.push({ row, signal, resolve, reject })
      lengths.set(length, rows)
      // what is asked in one go is there before the first batch is made
      if (!planned) queueMicrotask(sendNext)
      planned = true
    })
}
