import type { Redis } from 'ioredis'
import { knowSecret } from '../../basics/secrets.ts'
import { messageOf, UserError } from '../../errors.ts'
import { loadIoredis } from './packages.ts'

/** A connection to a Redis that was reached. */
export interface Connection {
  readonly redis: Redis
  /** The address with its user name and password. */
  readonly url: string
  /** The address as it may be shown. */
  readonly shown: string
  /** Raised, with a UserError, when Redis was not reached for some time. */
  readonly lost: AbortSignal
  /** What a command gives. Throws UserError where Redis refuses it or is lost. */
  readonly asked: <T>(command: Promise<T>) => Promise<T>
  close(): void
}

/** Milliseconds without Redis after which it counts as lost. */
const patience = 10_000

/** Connects to the Redis of an address. Throws UserError where the text is no such address, and where no Redis lets us in there. */
export async function connectRedis(url: string): Promise<Connection> {
  const shown = shownAddress(url)
  const { Redis } = await loadIoredis()
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
  return {
    ...{ redis, url, shown, lost: lost.signal },
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
    close: () => redis.disconnect(),
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
