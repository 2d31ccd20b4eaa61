import { randomBytes } from 'node:crypto'
import type { SharedCalls } from '../../models/index.ts'
import type { Prepared } from '../prepare/prepare.ts'
import type { Settings } from '../settings.ts'
import { connectRedis } from './connect-redis.ts'
import { copyCalls } from './copy-calls.ts'
import { callsPrefix, keysOf, removeRun } from './keys.ts'
import { openLeases } from './leases.ts'
import { offerRun, type OfferedRun } from './offer-run.ts'
import { redisCalls } from './redis-calls.ts'

/** The workers on a Redis, for one run. */
export interface Workers {
  /** The calls that this process shares with them. */
  readonly shared: SharedCalls
  /** Tells them of the run. Throws UserError where it holds what must not be told. */
  offer(prepared: Prepared): Promise<OfferedRun>
  /** Leaves nothing of the run in Redis but the calls that were made. */
  close(): Promise<void>
}

/** Connects to the Redis of an address. Throws UserError where there is none. */
export async function openWorkers(url: string, settings: Settings): Promise<Workers> {
  const connection = await connectRedis(url)
  const leases = openLeases(url)
  const id = randomBytes(9).toString('hex')
  const prefix = settings.cache ? callsPrefix : keysOf(id).calls
  const signal = AbortSignal.any([settings.signal, connection.lost])
  const leave = async (): Promise<void> => {
    await leases.close()
    connection.close()
  }
  const copying = settings.cache ? copyCalls(connection, id, prefix, settings) : undefined
  const endCopying = await copying?.catch(async (error: unknown) => {
    await leave()
    throw error
  })
  let offered: OfferedRun | undefined
  return {
    shared: redisCalls({ connection, leases, run: id, prefix, signal, announce: settings.cache }),
    async offer(prepared) {
      const warn = settings.warn ?? ((line: string) => process.emitWarning(line))
      return (offered = await offerRun(prepared, { connection, leases, id, cache: settings.cache, signal, warn }))
    },
    async close() {
      try {
        await offered?.close()
        if (connection.lost.aborted) return
        await endCopying?.()
        await removeRun(connection.redis, id)
      } finally {
        await leave()
      }
    },
  }
}
