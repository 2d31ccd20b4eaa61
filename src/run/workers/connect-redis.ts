import { unescape } from 'node:querystring'
import { loadOptional } from '../../basics/loading.ts'
import { knowSecret, messageOf, UserError } from '../../errors.ts'
import { signaturesOf } from './signatures.ts'

/** A connection to a Redis, and the signatures of everything that goes through it. */
export type Connection = Awaited<ReturnType<typeof connectRedis>>

/** Milliseconds after which the keys of an ended process expire. */
export const leaseMs = 30_000

/** Attempts to reach Redis again, one a second, before it counts as lost. */
const attempts = 10

/**
 * Connects to the Redis at an address; `report` gets the place of the queue key. Throws UserError for an invalid
 * address, and if Redis cannot be reached or refuses the login.
 */
export async function connectRedis(url: string, report: (line: string) => void) {
  const address = redactAddress(url)
  const { Redis } = (await loadOptional(ioredis)) as typeof import('ioredis')
  const bullmq = (await loadOptional(bullmqPackage)) as typeof import('bullmq')
  const stop = new AbortController()
  let lastError: unknown
  // shared by this connection and its duplicates
  const retryStrategy = (attempt: number): number | null => {
    if (attempt <= attempts) return 1000
    stop.abort(new UserError(`${address}: Redis was lost for ${attempts} s (${messageOf(lastError)}); ${resumption}`))
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
    throw new UserError(`${address}: ${whyUnreachable(messageOf(lastError ?? error))}`)
  }
  const signatures = signaturesOf(report)
  const leases = new Set<string>()
  const renewal = setInterval(() => {
    const commands = Array.from(leases, (key) => ['pexpire', key, String(leaseMs)])
    const renewals = redis.pipeline(commands).exec()
    renewals.catch(() => undefined)
  }, leaseMs / 10)
  return {
    redis,
    bullmq,
    /** Without user name and password. */
    address,
    signatures,
    /** Keys that this process keeps from expiring. */
    leases,
    /** Aborted with the reason when this process can do no more with it: Redis is lost. */
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
    close(): void {
      signatures.close()
      clearInterval(renewal)
      redis.disconnect()
    },
  }
}

/** How a run goes on that has lost its Redis. */
export const resumption = 'finished work is kept; run the same command again to continue'

/** The queue, and the Redis client that it depends on. */
const bullmqPackage = { kind: 'workers', package: 'bullmq', version: '5.81.5' }
const ioredis = { kind: 'workers', package: 'ioredis', version: '5.11.1' }

/** The address without user name and password, which are registered as secrets. */
function redactAddress(url: string): string {
  const address = URL.canParse(url) ? new URL(url) : undefined
  for (const part of [address?.username, address?.password]) knowSecret(unescape(part ?? ''))
  if (address && /^rediss?:$/.test(address.protocol) && address.hostname !== '')
    return `${address.protocol}//${address.host}${address.pathname.replace(/^\/$/, '')}`
  const redactedUrl = url.replace(/\/\/.*@/, '//***@')
  throw new UserError(`"${redactedUrl}" is no address of a Redis; expected one such as redis://localhost:6379`)
}

const whyUnreachable = (reason: string): string =>
  /NOAUTH|WRONGPASS|NOPERM|AUTH/.test(reason)
    ? 'Redis refuses the user name or password, or wants one: redis://NAME:PASSWORD@HOST:PORT'
    : `no Redis can be reached there (${reason || 'no answer'}); on Debian, "apt-get install redis-server" brings and starts one`
