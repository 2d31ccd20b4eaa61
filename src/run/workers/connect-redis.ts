import { unescape } from 'node:querystring'
import { Worker } from 'node:worker_threads'
import { loadOptional } from '../../basics/loading.ts'
import { knowSecret, messageOf, UserError } from '../../errors.ts'
import { signaturesOf } from './signatures.ts'

/** A connection to a Redis, and the signatures of everything that goes through it. */
export type Connection = Awaited<ReturnType<typeof connectRedis>>

/** Milliseconds after which a renewed key expires if its process was killed. */
export const leaseMs = 20_000

/** Attempts to reach Redis again, one a second, before it counts as lost. */
const attempts = 10

/**
 * Connects to the Redis at an address; `report` gets the place of the queue key. Throws UserError for an invalid
 * address, and if Redis cannot be reached or refuses the login.
 */
export async function connectRedis(url: string, report: (line: string) => void) {
  const address = redactAddress(url)
  const { Redis } = (await loadOptional({ ...ioredis, kind: 'workers' })) as typeof import('ioredis')
  const bullmq = (await loadOptional({ ...bullmqPackage, kind: 'workers' })) as typeof import('bullmq')
  const stop = new AbortController()
  let lastError: unknown
  // shared by this connection and its duplicates
  const retryStrategy = (attempt: number): number | null => {
    if (attempt <= attempts) return 1000
    const loss = `Redis was lost for ${attempts} s (${messageOf(lastError)})`
    stop.abort(new UserError(`${address}: ${loss}; ${resumption}`))
    return null
  }
  // BullMQ requires commands without a retry limit
  const options = { lazyConnect: true, maxRetriesPerRequest: null, connectTimeout: 5000, keepAlive: 10_000 }
  const redis = new Redis(url, { ...options, retryStrategy })
  redis.on('error', (error: unknown) => (lastError = error))
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    redis.disconnect()
    throw connectionError(address, lastError ?? error)
  }
  const signatures = signaturesOf(report)
  // a thread renews keys while the main thread computes
  const leases = new Worker(new URL('./lease-thread.js', import.meta.url), { workerData: { url, leaseMs } })
  leases.unref()
  // without the thread keys expire, as if this process had ended
  leases.on('error', () => undefined)
  return {
    redis,
    bullmq,
    /** Without user name and password. */
    address,
    signatures,
    /** Aborted with the reason when this process can do no more with it, as after the loss of Redis. */
    stop,
    /** The result of a command. Throws UserError, and aborts `stop`, if Redis refuses it or is lost. */
    runCommand: async <T>(command: Promise<T>): Promise<T> => {
      try {
        return await command
      } catch (error) {
        if (error instanceof Error && error.name === 'ReplyError')
          stop.abort(new UserError(`${address}: Redis refuses a command: ${messageOf(error)}`, { cause: error }))
        stop.signal.throwIfAborted()
        throw error
      }
    },
    /** Renews a key until `release`; it expires `leaseMs` milliseconds after this process has ended or released it. */
    renew: (key: string) => leases.postMessage({ key, isHeld: true }),
    release: (key: string) => leases.postMessage({ key, isHeld: false }),
    async close(): Promise<void> {
      signatures.close()
      await leases.terminate()
      redis.disconnect()
    },
  }
}

/** How a run goes on that has lost its Redis. */
export const resumption = 'finished work is kept; run the same command again to continue'

/** The queue, and the Redis client that it depends on. */
const bullmqPackage = { package: 'bullmq', version: '5.81.5' }
const ioredis = { package: 'ioredis', version: '5.11.1' }

/** The address without user name and password, which are registered as secrets. */
function redactAddress(url: string): string {
  const address = URL.canParse(url) ? new URL(url) : undefined
  for (const part of [address?.username, address?.password]) knowSecret(unescape(part ?? ''))
  if (address && /^rediss?:$/.test(address.protocol) && address.hostname !== '')
    return `${address.protocol}//${address.host}${address.pathname.replace(/^\/$/, '')}`
  const redactedUrl = url.replace(/\/\/.*@/, '//***@')
  throw new UserError(`"${redactedUrl}" is no address of a Redis; expected one such as redis://localhost:6379`)
}

function connectionError(address: string, error: unknown): UserError {
  const reason = messageOf(error)
  return /NOAUTH|WRONGPASS|NOPERM|AUTH/.test(reason)
    ? new UserError(
        `${address}: Redis refuses the user name or password, or wants one: redis://NAME:PASSWORD@HOST:PORT`,
      )
    : new UserError(
        `${address}: no Redis can be reached there (${reason || 'no answer'}); on Debian, "apt-get install redis-server" brings and starts one`,
      )
}
