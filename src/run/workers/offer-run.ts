import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { UserError } from '../../errors.ts'
import type { Corpus } from '../../types.ts'
import type { Prepared } from '../prepare/prepare.ts'
import { jobName, type Job, type JobResult } from './jobs.ts'
import { expirySeconds, keysOf, queueName, runsKey } from './keys.ts'
import type { Leases } from './leases.ts'
import { loadBullmq } from './packages.ts'
import { recordOf } from './run-record.ts'
import type { Connection } from './connect-redis.ts'
import type { Done, Jobs } from './worker-performer.ts'

/** What a run needs to be offered to workers. */
export interface Offer {
  readonly connection: Connection
  readonly leases: Leases
  readonly id: string
  readonly cache: boolean
  /** Ends the waiting for results. */
  readonly signal: AbortSignal
  /** Told, in a line, what workers say, and where there are none. */
  readonly warn: (line: string) => void
}

/** A run that workers take part in. */
export interface OfferedRun extends Jobs {
  /** Raised, with what is wrong, when no more results can come. */
  readonly over: AbortSignal
  close(): Promise<void>
}

/** Milliseconds that the record of a run outlives its process. */
const recordMs = 60_000

/** Milliseconds between two looks at who works, and without workers before that is said. */
const lookMs = 2000
const lonelyMs = 10_000

/** Tells workers of a run; they begin as jobs come. Throws UserError where it holds what must not be told. */
export async function offerRun(
  prepared: Prepared,
  { connection, leases, id, cache, signal, warn }: Offer,
): Promise<OfferedRun> {
  const { redis, asked } = connection
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
  await asked(redis.set(keys.record, JSON.stringify(record), 'PX', recordMs))
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
  const hear = async (): Promise<void> => {
    while (!over.aborted) {
      const [, first] = (await blocking.blpop(keys.results, 1)) ?? []
      const more = first === undefined ? [] : ((await redis.lpop(keys.results, 100)) ?? [])
      for (const text of first === undefined ? [] : [first, ...more]) take(JSON.parse(text) as JobResult)
    }
  }
  const tellRefusals = async (): Promise<void> => {
    for (const line of (await redis.lpop(keys.refusals, 100)) ?? []) warn(line)
  }
  const look = async (): Promise<void> => {
    let seen = performance.now()
    let told = false
    for (;;) {
      await sleep(lookMs, undefined, { signal: over })
      if ((await redis.exists(keys.record)) === 0)
        throw new UserError(
          `${connection.shown}: Redis has forgotten this run (was it restarted or emptied?); finished work is kept; run the same command again to continue`,
        )
      await tellRefusals()
      if (pending.size === 0 || (await queue.getWorkersCount()) > 0) {
        seen = performance.now()
        told = false
      } else if (!told && performance.now() - seen >= lonelyMs) {
        told = true
        warn(
          `no worker is listening at ${connection.shown}; start one, here or elsewhere: gembench work ${connection.shown}`,
        )
      }
    }
  }
  for (const work of [hear, look]) asked(work()).catch((error: unknown) => failed.abort(error))

  const numbers = new WeakMap<Corpus, Promise<number>>()
  let corpora = 0
  const bringOnce = async (corpus: Corpus): Promise<number> => {
    const number = corpora++
    const bytes = gzipSync(JSON.stringify({ ...corpus, questions: [] }), { level: 1 })
    await asked(redis.set(keys.corpus(number), bytes, 'EX', expirySeconds))
    return number
  }
  return {
    over,
    bring(corpus) {
      const number = numbers.get(corpus) ?? bringOnce(corpus)
      numbers.set(corpus, number)
      return number
    },
    async send(job: Job) {
      over.throwIfAborted()
      const name = jobName(job)
      const done = new Promise<Done>((settle, fail) => pending.set(name, { settle, fail }))
      done.catch(() => undefined)
      await asked(queue.add(job.kind, job, { jobId: name, removeOnComplete: true, removeOnFail: true }))
      return done
    },
    async close() {
      failed.abort(new Error('the run has ended'))
      leases.letGo(keys.record)
      blocking.disconnect()
      if (!connection.lost.aborted) await tellRefusals()
      await queue.close().catch(() => undefined)
    },
  }
}
