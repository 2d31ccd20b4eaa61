import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { memoiseWeakly } from '../../basics/memoise.ts'
import { UserError } from '../../errors.ts'
import { createUsageCounter, fromBytes, openCache, type UsageCounter } from '../../models/index.ts'
import type { Failure, IndexLine, TrialLine } from '../../records.ts'
import { plain } from '../../text/characters.ts'
import type { Corpus, Phase } from '../../types.ts'
import { runTrial, type Executor } from '../execute/run-trial.ts'
import { buildIndex } from '../execute/build-index.ts'
import type { OnUsage } from '../progress.ts'
import type { RunContext } from '../execute/run-context.ts'
import type { Prepared } from '../prepare/prepare.ts'
import type { Settings } from '../prepare/settings.ts'
import { connectRedis, type Connection } from './connect-redis.ts'
import {
  expirySeconds,
  jobName,
  keysOf,
  loadBullmq,
  queueName,
  removeRun,
  runsKey,
  type JobOutput,
  type Job,
  type JobResult,
} from './messages.ts'
import { callSubject, redisCalls } from './redis-calls.ts'
import { recordOf } from './run-record.ts'

export type Workers = Awaited<ReturnType<typeof openWorkers>>

/** Milliseconds after which the record of a run expires when its process has ended. */
const recordMs = 60_000

/** Milliseconds between two checks of the workers, and without workers before a warning. */
const checkMs = 2000
const idleMs = 10_000

/** The workers on the Redis of an address, for one run. Throws UserError if there is no Redis. */
export async function openWorkers(url: string, settings: Settings) {
  const { cache: isCached } = settings
  const warn = settings.warn ?? ((line: string) => process.emitWarning(line))
  const connection = await connectRedis(url, warn)
  const { redis, runCommand, signatures, disconnectSignal, address } = connection
  const run = randomBytes(9).toString('hex')
  const keys = keysOf(run)
  const failed = new AbortController()
  const stopSignal = AbortSignal.any([settings.signal, disconnectSignal, failed.signal])
  const sharedCalls = await redisCalls(connection, { run, isCached, signal: stopSignal })
  const copier = await openCallCopier(connection, run, settings)
  const { Queue } = await loadBullmq()
  const queue = new Queue(queueName, { connection: redis, prefix: keys.prefix, streams: { events: { maxLen: 100 } } })
  // the commands of the queue reject with the same error
  queue.on('error', () => undefined)
  const blocking = redis.duplicate()
  blocking.on('error', () => undefined)
  const pending = new Map<
    string,
    { readonly settle: (outcome: SentOutcome) => void; readonly fail: (error: unknown) => void }
  >()
  stopSignal.addEventListener('abort', () => {
    for (const { fail } of pending.values()) fail(stopSignal.reason)
    pending.clear()
  })

  const settleJob = (result: JobResult): void => {
    copier.copy(result.calls)
    // a job of a worker that was thought to have ended may return twice
    const waiter = pending.get(result.job)
    pending.delete(result.job)
    if ('userError' in result) failed.abort(new UserError(result.userError))
    else if ('internalError' in result) failed.abort(new Error(`a worker failed: ${result.internalError}`))
    else waiter?.settle(result)
  }
  const receiveResults = async (): Promise<void> => {
    while (!stopSignal.aborted) {
      const [, first] = (await blocking.blpopBuffer(keys.results, 1)) ?? []
      if (!first) continue
      for (const message of [first, ...((await redis.lpopBuffer(keys.results, 100)) ?? [])]) {
        const text = signatures.open(keys.results, message)
        if (text) settleJob(JSON.parse(text.toString()) as JobResult)
      }
    }
  }
  const showRefusals = async (): Promise<void> => {
    for (const line of (await redis.lpop(keys.refusals, 100)) ?? []) warn(plain(line))
  }
  const checkWorkers = async (): Promise<void> => {
    let withoutWorkersSince = performance.now()
    for (;;) {
      await sleep(checkMs, undefined, { signal: stopSignal })
      if ((await redis.exists(keys.record)) === 0)
        throw new UserError(
          `${address}: Redis has forgotten this run (was it restarted or emptied?); finished work is kept; run the same command again to continue`,
        )
      await showRefusals()
      if (pending.size === 0 || (await queue.getWorkersCount()) > 0) withoutWorkersSince = performance.now()
      else if (performance.now() - withoutWorkersSince >= idleMs) {
        withoutWorkersSince = Infinity
        warn(`no worker is listening at ${address}; start one, here or elsewhere: gembench work ${address}`)
      }
    }
  }
  let corpora = 0
  /** Uploads the documents of a corpus once; returns its number. */
  const uploadCorpus = memoiseWeakly(async (corpus: Corpus): Promise<number> => {
    const number = corpora++
    const bytes = gzipSync(JSON.stringify({ ...corpus, questions: [] }), { level: 1 })
    await runCommand(redis.set(keys.corpus(number), signatures.sign(keys.corpus(number), bytes), 'EX', expirySeconds))
    return number
  })
  const send = async (corpus: Corpus, work: Omit<Job, 'corpus'>): Promise<SentOutcome> => {
    stopSignal.throwIfAborted()
    const job: Job = { ...work, corpus: await uploadCorpus(corpus) }
    const name = jobName(job)
    const result = new Promise<SentOutcome>((settle, fail) => pending.set(name, { settle, fail }))
    result.catch(() => undefined)
    const payload = signatures.sign(keys.job, JSON.stringify(job)).toString('base64')
    await runCommand(queue.add(queueName, payload, { jobId: name, removeOnComplete: true, removeOnFail: true }))
    return result
  }
  return {
    shared: sharedCalls,
    /** Aborted with the reason when no more results can arrive. */
    stopSignal,
    /** Announces the run to the workers. Throws UserError if its config contains a secret. */
    async announce(prepared: Prepared): Promise<void> {
      const record = JSON.stringify(recordOf(run, prepared, isCached))
      await queue.waitUntilReady()
      // keys expire if this process is killed
      await runCommand(redis.expire(keys.meta, expirySeconds))
      await runCommand(redis.set(keys.record, signatures.sign(keys.record, record), 'PX', recordMs))
      connection.renew(keys.record, recordMs)
      await runCommand(redis.sadd(runsKey, run))
      for (const task of [receiveResults, checkWorkers])
        runCommand(task()).catch((error: unknown) => failed.abort(error))
    },
    executor: (context: RunContext): Executor => remoteExecutor(send, context),
    /** Copies the calls of the run into the local call cache, if there is one. */
    saveCalls: async (): Promise<void> => {
      await sharedCalls.finishWrites()
      copier.copy(sharedCalls.takeKeys())
      await runCommand(copier.close())
    },
    /** Removes the run from Redis, but for its calls. */
    async close(): Promise<void> {
      try {
        failed.abort(new Error('the run has ended'))
        connection.release(keys.record)
        blocking.disconnect()
        if (!disconnectSignal.aborted) await showRefusals()
        await queue.close().catch(() => undefined)
        if (disconnectSignal.aborted) return
        await copier.close()
        await removeRun(redis, run)
        const note = signatures.describeRejected()
        if (note !== undefined) warn(`note: ${note}`)
      } finally {
        await connection.close()
      }
    },
  }
}

/** The outcome of a job that does not end the run. */
type SentOutcome = JobOutput | { readonly endedWorkers: number }

/** Jobs in the queue at the same time: more than all workers process at once. */
const maxPendingJobs = 1024

/** An executor that sends jobs to workers; a job during which several workers ended fails. */
const remoteExecutor = (
  sendJob: (corpus: Corpus, job: Omit<Job, 'corpus'>) => Promise<SentOutcome>,
  context: RunContext,
): Executor => ({
  concurrency: maxPendingJobs,
  indexesAhead: 31,
  async build(at, entry, { corpus, chunkedCorpus, parts }, onUsage) {
    const output = await sendJob(corpus, { system: entry.id, index: at })
    if ('endedWorkers' in output) {
      const failure = new Error(crashMessage(output.endedWorkers))
      return buildIndex(at, entry, { ...(await chunkedCorpus()), failure }, context, parts)
    }
    const line = { ...(output.line as IndexLine), ...entry.row }
    return { line, isStochastic: output.isStochastic, usage: usageOf(output, onUsage) }
  },
  async ask(at, entry, index, { corpus, chunkedCorpus }, onUsage) {
    // questions of a failed index are not sent
    if (index.line.failure) return runTrial(at, entry, index, await chunkedCorpus(), context)
    const { id, repeat = 0 } = index.line
    const output = await sendJob(corpus, { system: entry.id, index: { id, repeat }, trial: at })
    if ('endedWorkers' in output) {
      const failure: Failure = { phase: 'retrieve', kind: 'method', message: crashMessage(output.endedWorkers) }
      return runTrial(at, entry, { ...index, line: { ...index.line, failure } }, await chunkedCorpus(), context)
    }
    return { line: { ...(output.line as TrialLine), ...entry.row }, usage: usageOf(output, onUsage) }
  },
})

const crashMessage = (count: number): string =>
  `${count} workers ended while they worked on it, and it was not begun again`

function usageOf({ usage }: JobOutput, onUsage: OnUsage): UsageCounter {
  const total = createUsageCounter()
  for (const [phase, increment] of Object.entries(usage) as [Phase, NonNullable<JobOutput['usage'][Phase]>][]) {
    total.add(phase, increment)
    onUsage(phase, increment)
  }
  return total
}

/** Calls per read from Redis. */
const maxCalls = 500

/** Copies calls from Redis into the local call cache and records them; does nothing without a cache. */
async function openCallCopier({ redis, signatures }: Connection, run: string, settings: Settings) {
  const { cacheFolder, warn, onCall: noteUse } = settings
  const cache = settings.cache ? await openCache(join(cacheFolder, 'calls'), warn, run) : undefined
  let copying = Promise.resolve()
  let isOpen = cache !== undefined
  const copyAll = async (keys: readonly string[]): Promise<void> => {
    for (let from = 0; from < keys.length; from += maxCalls) {
      const batch = keys.slice(from, from + maxCalls)
      const calls = await redis.mgetBuffer(batch.map((key) => `${keysOf(run).calls(true)}${key}`))
      for (const [index, key] of batch.entries()) {
        const message = calls[index]
        const bytes = message && signatures.open(callSubject(key), message)
        if (!bytes) continue
        noteUse?.(key)
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
