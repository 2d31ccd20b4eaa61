import { Worker } from 'node:worker_threads'
import type { Redis } from 'ioredis'
import { loadOptional, resolveOptional } from '../../basics/loading.ts'
import { knowSecret } from '../../basics/secrets.ts'
import { messageOf, UserError } from '../../errors.ts'
import { queueKey, signaturesOf, type Signatures } from './signatures.ts'

/** A connection to a Redis, and what all that goes through it is signed with. */
export interface Connection {
  readonly redis: Redis
  /** The address without user name and password. */
  readonly shown: string
  readonly signatures: Signatures
  /** Raised, with a UserError, when Redis was not reached for some time. */
  readonly lost: AbortSignal
  /** The result of a command. Throws UserError if Redis refuses it or is lost. */
  readonly asked: <T>(command: Promise<T>) => Promise<T>
  /** Keeps a key alive, which expires after `ms` milliseconds once this process has ended or has released it. */
  readonly keep: (key: string, ms?: number) => void
  readonly release: (key: string) => void
  close(): Promise<void>
}

/** Milliseconds without Redis after which it counts as lost. */
const patienceMs = 10_000

/** Milliseconds after which a kept key is gone if its process was killed. */
export const leaseMs = 10_000

/**
 * Connects to the Redis of an address; `report` gets where the key of the queue is. Throws UserError for no such
 * address, and if no Redis there lets us in.
 */
export async function connectRedis(url: string, report: (line: string) => void): Promise<Connection> {
  const shown = shownAddress(url)
  const { Redis } = (await loadOptional(ioredis)) as typeof import('ioredis')
  const lost = new AbortController()
  let error: unknown
  let isReached = false
  let since: number | undefined
  // of this connection and its duplicates
  const retryStrategy = (): number | null => {
    if (since !== undefined && performance.now() - since >= patienceMs)
      lost.abort(
        new UserError(
          `${shown}: Redis was lost for ${patienceMs / 1000} s (${messageOf(error)}); finished work is kept; run the same command again to continue`,
        ),
      )
    return isReached && !lost.signal.aborted ? 500 : null
  }
  // BullMQ requires commands that wait for as long as it takes
  const options = { lazyConnect: true, maxRetriesPerRequest: null, connectTimeout: 5000, keepAlive: 10_000 }
  const redis = new Redis(url, { ...options, retryStrategy })
  redis.on('error', (thrown: unknown) => (error = thrown))
  redis.on('close', () => (since ??= performance.now()))
  redis.on('ready', () => (since = undefined))
  try {
    await redis.connect()
    await redis.ping()
  } catch (thrown) {
    redis.disconnect()
    throw unreachable(shown, error ?? thrown)
  }
  isReached = true
  const signatures = signaturesOf(queueKey(report))
  // no long computation of this thread holds up the keeping of keys
  const workerData = { url, ioredis: resolveOptional(ioredis) }
  const leases = new Worker(new URL('./lease-thread.js', import.meta.url), { workerData })
  leases.unref()
  // without it keys expire, as they do if this process ends
  leases.on('error', () => undefined)
  return {
    redis,
    shown,
    signatures,
    lost: lost.signal,
    async asked(command) {
      try {
        return await command
      } catch (thrown) {
        lost.signal.throwIfAborted()
        if (thrown instanceof Error && thrown.name === 'ReplyError')
          throw new UserError(`${shown}: Redis refuses a command: ${messageOf(thrown)}`, { cause: thrown })
        throw thrown
      }
    },
    keep: (key, ms = leaseMs) => leases.postMessage({ key, ms }),
    release: (key) => leases.postMessage({ key }),
    async close() {
      await leases.terminate()
      redis.disconnect()
    },
  }
}

/** The client of Redis, which BullMQ brings along. */
const ioredis = { kind: 'workers', package: 'ioredis', version: '5.11.1' }

/** The address without user name and password, which are known as secrets from then on. */
function shownAddress(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  for (const part of [parsed?.username, parsed?.password]) knowSecret(decoded(part ?? ''))
  if (parsed && /^rediss?:$/.test(parsed.protocol) && parsed.hostname !== '')
    return `${parsed.protocol}//${parsed.host}${parsed.pathname.replace(/^\/$/, '')}`
  const written = url.replace(/\/\/.*@/, '//***@')
  throw new UserError(`"${written}" is no address of a Redis; expected one such as redis://localhost:6379`)
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function unreachable(shown: string, error: unknown): UserError {
  const why = messageOf(error)
  return /NOAUTH|WRONGPASS|NOPERM|AUTH/.test(why)
    ? new UserError(`${shown}: Redis refuses the user name or password, or wants one: redis://NAME:PASSWORD@HOST:PORT`)
    : new UserError(
        `${shown}: no Redis can be reached there (${why || 'no answer'}); on Debian, "apt-get install redis-server" brings and starts one`,
      )
}
