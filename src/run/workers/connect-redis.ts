import { Worker } from 'node:worker_threads'
import type { Redis } from 'ioredis'
import { loadOptional, resolveOptional } from '../../basics/loading.ts'
import { knowSecret, messageOf, UserError } from '../../errors.ts'
import { queueKey, signaturesOf, type Signatures } from './signatures.ts'

/** A connection to a Redis, and the signatures of everything that goes through it. */
export interface Connection {
  readonly redis: Redis
  /** The address without user name and password. */
  readonly address: string
  readonly signatures: Signatures
  /** Aborted with a UserError when Redis has not been reached for some time. */
  readonly disconnectSignal: AbortSignal
  /** The result of a command. Throws UserError if Redis refuses it or is disconnected. */
  readonly runCommand: <T>(command: Promise<T>) => Promise<T>
  /** Renews a key until `release`; it expires `ms` milliseconds after this process has ended or released it. */
  readonly renew: (key: string, ms?: number) => void
  readonly release: (key: string) => void
  close(): Promise<void>
}

/** Milliseconds without Redis after which it counts as disconnected. */
const disconnectMs = 10_000

/** Milliseconds after which a renewed key expires if its process was killed. */
export const leaseMs = 10_000

/**
 * Connects to the Redis at an address; `report` gets the place of the queue key. Throws UserError for an invalid
 * address, and if Redis cannot be reached or refuses the login.
 */
export async function connectRedis(url: string, report: (line: string) => void): Promise<Connection> {
  const address = redactAddress(url)
  const { Redis } = (await loadOptional(ioredis)) as typeof import('ioredis')
  const connectionLoss = new AbortController()
  let lastError: unknown
  let isReached = false
  let disconnectedAt: number | undefined
  // shared by this connection and its duplicates
  const retryStrategy = (): number | null => {
    if (disconnectedAt !== undefined && performance.now() - disconnectedAt >= disconnectMs)
      connectionLoss.abort(
        new UserError(
          `${address}: Redis was lost for ${disconnectMs / 1000} s (${messageOf(lastError)}); finished work is kept; run the same command again to continue`,
        ),
      )
    return isReached && !connectionLoss.signal.aborted ? 500 : null
  }
  // BullMQ requires commands without a retry limit
  const options = { lazyConnect: true, maxRetriesPerRequest: null, connectTimeout: 5000, keepAlive: 10_000 }
  const redis = new Redis(url, { ...options, retryStrategy })
  redis.on('error', (error: unknown) => (lastError = error))
  redis.on('close', () => (disconnectedAt ??= performance.now()))
  redis.on('ready', () => (disconnectedAt = undefined))
  try {
    await redis.connect()
    await redis.ping()
  } catch (error) {
    redis.disconnect()
    throw connectionError(address, lastError ?? error)
  }
  isReached = true
  const signatures = signaturesOf(queueKey(report))
  // a thread renews keys while the main thread computes
  const workerData = { url, ioredis: resolveOptional(ioredis) }
  const leases = new Worker(new URL('./lease-thread.js', import.meta.url), { workerData })
  leases.unref()
  // without the thread keys expire, as if this process had ended
  leases.on('error', () => undefined)
  return {
    redis,
    address,
    signatures,
    disconnectSignal: connectionLoss.signal,
    async runCommand(command) {
      try {
        return await command
      } catch (error) {
        connectionLoss.signal.throwIfAborted()
        if (error instanceof Error && error.name === 'ReplyError')
          throw new UserError(`${address}: Redis refuses a command: ${messageOf(error)}`, { cause: error })
        throw error
      }
    },
    renew: (key, ms = leaseMs) => leases.postMessage({ key, ms }),
    release: (key) => leases.postMessage({ key }),
    async close() {
      await leases.terminate()
      redis.disconnect()
    },
  }
}

/** The Redis client that BullMQ depends on. */
const ioredis = { kind: 'workers', package: 'ioredis', version: '5.11.1' }

/** The address without user name and password, which are registered as secrets. */
function redactAddress(url: string): string {
  const address = URL.canParse(url) ? new URL(url) : undefined
  for (const part of [address?.username, address?.password]) knowSecret(decodePart(part ?? ''))
  if (address && /^rediss?:$/.test(address.protocol) && address.hostname !== '')
    return `${address.protocol}//${address.host}${address.pathname.replace(/^\/$/, '')}`
  const redactedUrl = url.replace(/\/\/.*@/, '//***@')
  throw new UserError(`"${redactedUrl}" is no address of a Redis; expected one such as redis://localhost:6379`)
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
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
