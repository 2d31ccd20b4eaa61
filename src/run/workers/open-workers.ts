import { randomBytes } from 'node:crypto'
import { fromBytes, openCache } from '../../models/index.ts'
import type { Prepared } from '../prepare/prepare.ts'
import type { Settings } from '../settings.ts'
import {
  connectRedis,
  type Connection,
  loadBullmq,
  keysOf,
  removeRun,
  expirySeconds,
  queueName,
  runsKey,
} from './connect-redis.ts'
import { aboutCall, redisCalls } from './redis-calls.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { once } from '../../basics/memoise.ts'
import { UserError } from '../../errors.ts'
import { plain } from '../../text/characters.ts'
import type { Corpus } from '../../types.ts'
import { jobName, type Job, type JobResult, type Done } from './worker-performer.ts'
import { recordOf } from './run-record.ts'
import { join } from 'node:path'

export type Workers = Awaited<ReturnType<typeof openWorkers>>

/** The workers on the Redis of an address, for one run. Throws UserError where there is none. */
export async function openWorkers(url: string, settings: Settings) {
  const warn = settings.warn ?? ((line: string) => process.emitWarning(line))
  const connection = await connectRedis(url, warn)
  const id = randomBytes(9).toString('hex')
  const { cache } = settings
  const signal = AbortSignal.any([settings.signal, connection.lost])
  const copying = cache ? copyCalls(connection, id, settings) : undefined
  const endCopying = await copying?.catch(async (error: unknown) => {
    await connection.close()
    throw error
  })
  let offered: OfferedRun | undefined
  const keepCalls = once(async () => endCopying?.())
  return {
    shared: redisCalls(connection, { run: id, cache, signal }),
    /** Tells them of the run. Throws UserError where it holds what must not be told. */
    async offer(prepared: Prepared): Promise<OfferedRun> {
      return (offered = await offerRun(prepared, connection, { id, cache, signal, warn }))
    },
    /** Ends the copying of calls into the cache, once those that workers have told of are there and noted as used. */
    keepCalls,
    /** Leaves nothing of the run in Redis but the calls that were made. */
    async close(): Promise<void> {
      try {
        await offered?.close()
        if (connection.lost.aborted) return
        await keepCalls()
        await removeRun(connection.redis, id)
        const note = connection.signatures.noteOnDropped()
        if (note !== undefined) warn(`note: ${note}`)
      } finally {
        await connection.close()
      }
    },
  }
}

interface Offer {
  readonly id: string
  readonly cache: boolean
  readonly signal: AbortSignal
  /** Told, in a line, what workers say, and where there are none. */
  readonly warn: (line: string) => void
}

type OfferedRun = Awaited<ReturnType<typeof offerRun>>

/** Milliseconds that the record of a run outlives its process. */
const recordMs = 60_000

/** Milliseconds between two looks at who works, and without workers before that is said. */
const lookMs = 2000
const lonelyMs = 10_000

/** Tells workers of a run; they begin as jobs come. Throws UserError where it holds what must not be told. */
async function offerRun(
  prepared: Prepared,
  { redis, asked, leases, signatures, shown, lost }: Connection,
  { id, cache, signal, warn }: Offer,
) {
  const keys = keysOf(id)
  const record = recordOf(id, prepared, cache)
  const { Queue } = await loadBullmq()
  const queue = new Queue(queueName, { connection: redis, prefix: keys.prefix, streams: { events: { maxLen: 100 } } })
  // its commands fail with the same
  queue.on('error', () => undefined)
  const failed = new AbortController()
  const over = AbortSignal.any([signal, failed.signal])
  const pending = new Map<string, { readonly settle: (done: Done) => void; readonly fail: (error: unknown) => void }>()
  over.addEventListener('abort', () => {
    for (const { fail } of pending.values()) fail(over.reason)
    pending.clear()
  })
  await queue.waitUntilReady()
  // where this process is killed, nothing stays for ever
  await asked(redis.expire(keys.meta, expirySeconds))
  await asked(redis.set(keys.record, signatures.sign(keys.about.record, JSON.stringify(record)), 'PX', recordMs))
  leases.keep(keys.record, recordMs)
  await asked(redis.sadd(runsKey, id))

  const take = (result: JobResult): void => {
    // a job whose worker was thought to have ended may come twice
    const waiting = pending.get(result.job)
    pending.delete(result.job)
    if ('mistake' in result) failed.abort(new UserError(result.mistake))
    else if ('unexpected' in result) failed.abort(new Error(`a worker failed: ${result.unexpected}`))
    else waiting?.settle(result)
  }
  const blocking = redis.duplicate()
  blocking.on('error', () => undefined)
  const takeResults = async (): Promise<void> => {
    while (!over.aborted) {
      const [, first] = (await blocking.blpopBuffer(keys.results, 1)) ?? []
      if (!first) continue
      for (const signed of [first, ...((await redis.lpopBuffer(keys.results, 100)) ?? [])]) {
        const text = signatures.open(keys.about.result, signed)
        if (text) take(JSON.parse(text.toString()) as JobResult)
      }
    }
  }
  const tellRefusals = async (): Promise<void> => {
    for (const line of (await redis.lpop(keys.refusals, 100)) ?? []) warn(plain(line))
  }
  const look = async (): Promise<void> => {
    let seen = performance.now()
    let told = false
    for (;;) {
      await sleep(lookMs, undefined, { signal: over })
      if ((await redis.exists(keys.record)) === 0)
        throw new UserError(
          `${shown}: Redis has forgotten this run (was it restarted or emptied?); finished work is kept; run the same command again to continue`,
        )
      await tellRefusals()
      if (pending.size === 0 || (await queue.getWorkersCount()) > 0) {
        seen = performance.now()
        told = false
      } else if (!told && performance.now() - seen >= lonelyMs) {
        told = true
        warn(`no worker is listening at ${shown}; start one, here or elsewhere: gembench work ${shown}`)
      }
    }
  }
  for (const work of [takeResults, look]) asked(work()).catch((error: unknown) => failed.abort(error))

  const numbers = new WeakMap<Corpus, Promise<number>>()
  let corpora = 0
  const bringOnce = async (corpus: Corpus): Promise<number> => {
    const number = corpora++
    const bytes = gzipSync(JSON.stringify({ ...corpus, questions: [] }), { level: 1 })
    await asked(redis.set(keys.corpus(number), signatures.sign(keys.about.corpus(number), bytes), 'EX', expirySeconds))
    return number
  }
  return {
    /** Raised, with what is wrong, when no more results can come. */
    over,
    bring(corpus: Corpus): Promise<number> {
      const number = numbers.get(corpus) ?? bringOnce(corpus)
      numbers.set(corpus, number)
      return number
    },
    async send(job: Job): Promise<Done> {
      over.throwIfAborted()
      const name = jobName(job)
      const done = new Promise<Done>((settle, fail) => pending.set(name, { settle, fail }))
      done.catch(() => undefined)
      const signed = signatures.sign(keys.about.job, JSON.stringify(job)).toString('base64')
      await asked(queue.add(job.kind, signed, { jobId: name, removeOnComplete: true, removeOnFail: true }))
      return done
    },
    async close(): Promise<void> {
      failed.abort(new Error('the run has ended'))
      leases.release(keys.record)
      blocking.disconnect()
      if (!lost.aborted) await tellRefusals()
      await queue.close().catch(() => undefined)
    },
  }
}

const everyMs = 500
const most = 500

/** Copies the calls of a run into the call cache here as they come; the returned function ends that. */
async function copyCalls(
  { redis, asked, signatures }: Connection,
  run: string,
  { cacheFolder, warn, signal, used }: Settings,
): Promise<() => Promise<void>> {
  const cache = await openCache(join(cacheFolder, 'calls'), warn, run)
  const { made, calls } = keysOf(run)
  const copyAll = async (): Promise<void> => {
    for (;;) {
      const keys = (await redis.lpop(made, most)) ?? []
      if (keys.length === 0) return
      const found = await redis.mgetBuffer(keys.map((key) => `${calls(true)}${key}`))
      for (const [index, key] of keys.entries()) {
        const signed = found[index]
        const bytes = signed ? signatures.open(aboutCall(key), signed) : undefined
        if (!bytes) continue
        used?.(key)
        if (!cache.get(key)) cache.put(key, fromBytes(bytes).entry)
      }
    }
  }
  const end = new AbortController()
  const stop = AbortSignal.any([signal, end.signal])
  const copying = (async () => {
    while (!stop.aborted) {
      await copyAll()
      await sleep(everyMs, undefined, { signal: stop }).catch(() => undefined)
    }
  })()
  // a Redis that is lost ends the run elsewhere
  copying.catch(() => undefined)
  return async () => {
    end.abort()
    try {
      await copying
      await asked(copyAll())
    } finally {
      await cache.close()
    }
  }
}
