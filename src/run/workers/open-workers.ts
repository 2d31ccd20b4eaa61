import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { memoiseWeakly } from '../../basics/memoise.ts'
import { UserError } from '../../errors.ts'
import { createMeter, fromBytes, openCache, type Meter } from '../../models/index.ts'
import type { Failure, IndexLine, TrialLine } from '../../records.ts'
import { plain } from '../../text/characters.ts'
import type { Corpus, Phase } from '../../types.ts'
import { runTrial } from '../execute/run-trial.ts'
import { buildIndex } from '../execute/build-index.ts'
import type { OnUsage } from '../execute/call-counts.ts'
import type { RunContext } from '../execute/run-context.ts'
import type { Executor } from '../execute/executor.ts'
import type { Prepared } from '../prepare/prepare.ts'
import type { Settings } from '../settings.ts'
import { connectRedis, type Connection } from './connect-redis.ts'
import {
  expirySeconds,
  jobName,
  keysOf,
  loadBullmq,
  queueName,
  removeRun,
  runsKey,
  type Done,
  type Job,
  type JobResult,
} from './messages.ts'
import { aboutCall, redisCalls } from './redis-calls.ts'
import { recordOf } from './run-record.ts'

export type Workers = Awaited<ReturnType<typeof openWorkers>>

/** Milliseconds that the record of a run outlives its process. */
const recordMs = 60_000

/** Milliseconds between two looks at who works, and without workers before that is reported. */
const lookMs = 2000
const lonelyMs = 10_000

/** The workers on the Redis of an address, for one run. Throws UserError if there is no Redis. */
export async function openWorkers(url: string, settings: Settings) {
  const { cache: isCached } = settings
  const warn = settings.warn ?? ((line: string) => process.emitWarning(line))
  const connection = await connectRedis(url, warn)
  const { redis, asked, signatures, lost, shown } = connection
  const run = randomBytes(9).toString('hex')
  const keys = keysOf(run)
  const failed = new AbortController()
  const over = AbortSignal.any([settings.signal, lost, failed.signal])
  const shared = redisCalls(connection, { run, isCached, signal: over })
  const cached = await copiedCalls(connection, run, settings)
  const { Queue } = await loadBullmq()
  const queue = new Queue(queueName, { connection: redis, prefix: keys.prefix, streams: { events: { maxLen: 100 } } })
  // its commands fail with the same
  queue.on('error', () => undefined)
  const blocking = redis.duplicate()
  blocking.on('error', () => undefined)
  const pending = new Map<string, { readonly settle: (done: Sent) => void; readonly fail: (error: unknown) => void }>()
  over.addEventListener('abort', () => {
    for (const { fail } of pending.values()) fail(over.reason)
    pending.clear()
  })

  const take = (result: JobResult): void => {
    cached.copy(result.calls)
    // a job whose worker was thought to have ended may come twice
    const waiting = pending.get(result.job)
    pending.delete(result.job)
    if ('mistake' in result) failed.abort(new UserError(result.mistake))
    else if ('unexpected' in result) failed.abort(new Error(`a worker failed: ${result.unexpected}`))
    else waiting?.settle(result)
  }
  const takeResults = async (): Promise<void> => {
    while (!over.aborted) {
      const [, first] = (await blocking.blpopBuffer(keys.results, 1)) ?? []
      if (!first) continue
      for (const signed of [first, ...((await redis.lpopBuffer(keys.results, 100)) ?? [])]) {
        const text = signatures.open(keys.results, signed)
        if (text) take(JSON.parse(text.toString()) as JobResult)
      }
    }
  }
  const showRefusals = async (): Promise<void> => {
    for (const line of (await redis.lpop(keys.refusals, 100)) ?? []) warn(plain(line))
  }
  const look = async (): Promise<void> => {
    let lonelySince = performance.now()
    for (;;) {
      await sleep(lookMs, undefined, { signal: over })
      if ((await redis.exists(keys.record)) === 0)
        throw new UserError(
          `${shown}: Redis has forgotten this run (was it restarted or emptied?); finished work is kept; run the same command again to continue`,
        )
      await showRefusals()
      if (pending.size === 0 || (await queue.getWorkersCount()) > 0) lonelySince = performance.now()
      else if (performance.now() - lonelySince >= lonelyMs) {
        lonelySince = Infinity
        warn(`no worker is listening at ${shown}; start one, here or elsewhere: gembench work ${shown}`)
      }
    }
  }
  let corpora = 0
  /** Brings the documents of a corpus to the workers; gives its number. */
  const bring = memoiseWeakly(async (corpus: Corpus): Promise<number> => {
    const number = corpora++
    const bytes = gzipSync(JSON.stringify({ ...corpus, questions: [] }), { level: 1 })
    await asked(redis.set(keys.corpus(number), signatures.sign(keys.corpus(number), bytes), 'EX', expirySeconds))
    return number
  })
  const send = async (corpus: Corpus, work: Omit<Job, 'corpus'>): Promise<Sent> => {
    over.throwIfAborted()
    const job: Job = { ...work, corpus: await bring(corpus) }
    const name = jobName(job)
    const result = new Promise<Sent>((settle, fail) => pending.set(name, { settle, fail }))
    result.catch(() => undefined)
    const signed = signatures.sign(keys.job, JSON.stringify(job)).toString('base64')
    await asked(queue.add(queueName, signed, { jobId: name, removeOnComplete: true, removeOnFail: true }))
    return result
  }
  return {
    shared,
    /** Raised, with what is wrong, when no more results can come. */
    over,
    /** Offers the run to the workers. Throws UserError if it holds what must not be sent. */
    async offer(prepared: Prepared): Promise<void> {
      const record = JSON.stringify(recordOf(run, prepared, isCached))
      await queue.waitUntilReady()
      // where this process is killed, nothing stays for ever
      await asked(redis.expire(keys.meta, expirySeconds))
      await asked(redis.set(keys.record, signatures.sign(keys.record, record), 'PX', recordMs))
      connection.keep(keys.record, recordMs)
      await asked(redis.sadd(runsKey, run))
      for (const work of [takeResults, look]) asked(work()).catch((error: unknown) => failed.abort(error))
    },
    executor: (context: RunContext): Executor => remoteExecutor(send, context),
    /** Puts the calls that were used into the call cache of this computer, if there is one. */
    keepCalls: async (): Promise<void> => {
      cached.copy(shared.takeUsed())
      await asked(cached.close())
    },
    /** Leaves nothing of the run in Redis but the calls that were made. */
    async close(): Promise<void> {
      try {
        failed.abort(new Error('the run has ended'))
        connection.release(keys.record)
        blocking.disconnect()
        if (!lost.aborted) await showRefusals()
        await queue.close().catch(() => undefined)
        if (lost.aborted) return
        await cached.close()
        await removeRun(redis, run)
        const note = signatures.noteOnDropped()
        if (note !== undefined) warn(`note: ${note}`)
      } finally {
        await connection.close()
      }
    },
  }
}

/** What came of a job, or how many workers ended at it. */
type Sent = Done | { readonly ended: number }

/** Jobs that are given to workers at the same time; more than all of them do at once, so that none waits for us. */
const atOnce = 1024

/** Lets workers do the work; a job at which several of them ended has failed. */
const remoteExecutor = (
  send: (corpus: Corpus, job: Omit<Job, 'corpus'>) => Promise<Sent>,
  context: RunContext,
): Executor => ({
  concurrency: atOnce,
  indexesAhead: 31,
  async build(at, entry, { corpus, chunkedCorpus: chunked, parts }, onUsage) {
    const done = await send(corpus, { system: entry.id, index: at })
    if ('ended' in done) {
      const failure = new Error(workersEnded(done.ended))
      return buildIndex(at, entry, { ...chunked, failure }, context, parts)
    }
    const line = { ...(done.line as IndexLine), ...entry.row }
    return { line, isStochastic: done.isStochastic, usage: meterOf(done, onUsage) }
  },
  async ask(at, entry, built, { corpus, chunkedCorpus: chunked }, onUsage) {
    // a question of an index that failed is not asked
    if (built.line.failure) return runTrial(at, entry, built, chunked, context)
    const { id, repeat = 0 } = built.line
    const done = await send(corpus, { system: entry.id, index: { id, repeat }, trial: at })
    if ('ended' in done) {
      const failure: Failure = { phase: 'retrieve', kind: 'method', message: workersEnded(done.ended) }
      return runTrial(at, entry, { ...built, line: { ...built.line, failure } }, chunked, context)
    }
    return { line: { ...(done.line as TrialLine), ...entry.row }, usage: meterOf(done, onUsage) }
  },
})

const workersEnded = (count: number): string =>
  `${count} workers ended while they worked on it, and it was not begun again`

function meterOf({ spent }: Done, onUsage: OnUsage): Meter {
  const meter = createMeter()
  for (const [phase, usage] of Object.entries(spent) as [Phase, NonNullable<Done['spent'][Phase]>][]) {
    meter.add(phase, usage)
    onUsage(phase, usage)
  }
  return meter
}

/** Calls that are read from Redis at once. */
const mostCalls = 500

/** Copies calls from Redis into the call cache of this computer, and notes them as used; nothing without a cache. */
async function copiedCalls({ redis, signatures }: Connection, run: string, settings: Settings) {
  const { cacheFolder, warn, onCall: used } = settings
  const cache = settings.cache ? await openCache(join(cacheFolder, 'calls'), warn, run) : undefined
  let copying = Promise.resolve()
  let isOpen = cache !== undefined
  const copyAll = async (keys: readonly string[]): Promise<void> => {
    for (let from = 0; from < keys.length; from += mostCalls) {
      const some = keys.slice(from, from + mostCalls)
      const calls = await redis.mgetBuffer(some.map((key) => `${keysOf(run).calls(true)}${key}`))
      for (const [index, key] of some.entries()) {
        const signed = calls[index]
        const bytes = signed && signatures.open(aboutCall(key), signed)
        if (!bytes) continue
        used?.(key)
        if (!cache?.get(key)) cache?.put(key, fromBytes(bytes).entry)
      }
    }
  }
  return {
    copy(keys: readonly string[]): void {
      if (isOpen && keys.length > 0) copying = copying.then(() => copyAll(keys))
      // awaited by `close`
      copying.catch(() => undefined)
    },
    async close(): Promise<void> {
      if (!isOpen) return
      isOpen = false
      await copying.finally(() => cache?.close())
    },
  }
}
