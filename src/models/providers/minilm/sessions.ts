import { availableParallelism } from 'node:os'
import { openSession, type ModelFile, type Session } from './session.ts'

/** Each holds the model in memory. */
const mostSessions = 2

/**
 * Opens a model more than once and shares its threads out: each batch goes to the session that has the least to do. Threads that work on
 * batches of their own do not wait for each other, as those of one batch do.
 */
export async function openSessions(file: ModelFile): Promise<Session> {
  const threads = file.threads || availableParallelism()
  const count = Math.min(mostSessions, threads)
  const sessions = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const session = await openSession({ ...file, threads: Math.floor((threads + index) / count) })
      return { session, tokens: 0 }
    }),
  )
  return {
    async run(batch, output) {
      const least = sessions.reduce((best, one) => (one.tokens < best.tokens ? one : best))
      // the batch itself moves to the thread of the session
      const { length } = batch.ids
      least.tokens += length
      try {
        return await least.session.run(batch, output)
      } finally {
        least.tokens -= length
      }
    },
    async close() {
      await Promise.all(sessions.map(({ session }) => session.close()))
    },
  }
}
