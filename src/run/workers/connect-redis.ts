import type { Redis } from 'ioredis'
import { knowSecret } from '../../basics/secrets.ts'
import { messageOf, UserError } from '../../errors.ts'
import { loadOptional, resolveOptional } from '../../basics/loading.ts'
import { queueKey, signaturesOf, type Signatures } from './signatures.ts'
import { Worker } from 'node:worker_threads'

/** A connection to a Redis that was reached, and what all that goes through it is signed with. */
export interface Connection {
  readonly redis: Redis
  /** The address without user name and password. */
  readonly shown: string
  readonly signatures: Signatures
  readonly leases: Leases
  /** Raised, with a UserError, when Redis was not reached for some time. */
  readonly lost: AbortSignal
  /** What a command gives. Throws UserError where Redis refuses it or is lost. */
  readonly asked: <T>(command: Promise<T>) => Promise<T>
  close(): Promise<void>
}

/** Milliseconds without Redis after which it counts as lost. */
const patience = 10_000

/**
 * Connects to the Redis of an address; `told` says where the key of the queue is. Throws UserError for no such address,
 * and where no Redis lets us in there.
 */
export async function connectRedis(url: string, told: (line: string) => void): Promise<Connection> {
  const shown = shownAddress(url)
  const { Redis } = (await loadOptional(ioredis)) as typeof import('ioredis')
  const lost = new AbortController()
  let error: unknown
  let reached = false
  let since: number | undefined
  // of this connection and its duplicates
  const retryStrategy = (): number | null => {
    if (since !== undefined && performance.now() - since >= patience)
      lost.abort(
        new UserError(
          `${shown}: Redis was lost for ${patience / 1000} s (${messageOf(error)}); finished work is kept; run the same command again to continue`,
        ),
      )
    return reached && !lost.signal.aborted ? 500 : null
  }
  // BullMQ wants commands to wait for as long as it takes
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: null,
    connectTimeout: 5000,
    keepAlive: 10_000,
    retryStrategy,
  })
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
  reached = true
  const signatures = signaturesOf(queueKey(told))
  const { thread, ...leases } = openLeases(url)
  return {
    redis,
    shown,
    signatures,
    leases,
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
    async close() {
      await thread.terminate()
      redis.disconnect()
    },
  }
}

/** Keys of Redis that live as long as this process, so that one that is killed leaves nothing to wait for. */
interface Leases {
  /** Keeps a key alive that expires after `leaseMs`, or after `ms`, unless it is kept. */
  keep(key: string, ms?: number): void
  /** Lets a key expire, or be removed. */
  release(key: string): void
}

/** Milliseconds after which a kept key is gone where its process was killed. */
export const leaseMs = 10_000

/** Keeps keys of the Redis of that address alive from a thread of its own: a long computation does not hold it up. */
function openLeases(url: string): Leases & { readonly thread: Worker } {
  const thread = new Worker(new URL('./lease-thread.js', import.meta.url), {
    workerData: { url, ioredis: resolveOptional(ioredis) },
  })
  thread.unref()
  // without it keys expire, as they do where this process ends
  thread.on('error', () => undefined)
  return {
    thread,
    keep: (key, ms = leaseMs) => thread.postMessage({ key, ms }),
    release: (key) => thread.postMessage({ key }),
  }
}

/** The address without user name and password, which are known as secrets from then on. */
function shownAddress(url: string): string {
  const parsed = URL.canParse(url) ? new URL(url) : undefined
  const secrets = [parsed?.username, parsed?.password].map((part) => decoded(part ?? ''))
  for (const secret of secrets) knowSecret(secret)
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

/** BullMQ, the queue of jobs. Throws UserError with the command that installs it. */
export const loadBullmq = async (): Promise<typeof import('bullmq')> =>
  (await loadOptional({ kind: 'workers', package: 'bullmq', version: '5.81.5' })) as typeof import('bullmq')

/** The client of Redis, which BullMQ brings along. */
const ioredis = { kind: 'workers', package: 'ioredis', version: '5.11.1' }

export const runsKey = 'gembench:runs'

/** The name of the queue of jobs, below the prefix of its run. */
export const queueName = 'jobs'

/** The keys of one run; all begin with `gembench:<id>`. */
export const keysOf = (id: string) => {
  const prefix = `gembench:${id}`
  return {
    prefix,
    /** The run record, for as long as the process of the run lives. */
    record: `${prefix}:record`,
    corpus: (number: number): string => `${prefix}:corpus:${number}`,
    /** What the queue knows of itself. */
    meta: `${prefix}:${queueName}:meta`,
    results: `${prefix}:results`,
    /** Why workers take no part, a line each. */
    refusals: `${prefix}:refusals`,
    /** Keys of the calls that were made or found, for the cache of who runs. */
    made: `${prefix}:made`,
    /** Calls; without a cache they are not shared beyond the run. */
    calls: (cache: boolean): string => (cache ? 'gembench:calls:' : `${prefix}:calls:`),
    /** Replies that were of no use: every worker meets the same loss. */
    lost: `${prefix}:lost:`,
    /** What says who has a job. */
    lock: (job: string): string => `${prefix}:${queueName}:${job}:lock`,
    /** What the signatures of entries are for. */
    about: {
      record: `record ${id}`,
      job: `job ${id}`,
      result: `result ${id}`,
      corpus: (number: number): string => `corpus ${id} ${number}`,
    },
  }
}

/** Seconds after which what a run has put into Redis is gone, whatever happens: a week. */
export const expirySeconds = 7 * 24 * 3600

export async function removeRun(redis: Redis, id: string): Promise<void> {
  await redis.srem(runsKey, id)
  for await (const keys of redis.scanStream({ match: `${keysOf(id).prefix}:*`, count: 1000 }) as AsyncIterable<
    string[]
  >)
    if (keys.length > 0) await redis.unlink(keys)
}
