import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { memoiseWeakly } from '../../basics/memoise.ts'
import { UserError } from '../../errors.ts'
import { createUsageCounter, openCache } from '../../models/index.ts'
import type { IndexLine, TrialLine } from '../../records.ts'
import { plain } from '../../text/characters.ts'
import type { Corpus } from '../../types.ts'
import type { RunContext } from '../execute/run-context.ts'
import { runTrial, type Executor } from '../execute/run-trial.ts'
import type { Prepared } from '../prepare/prepare.ts'
import type { Settings } from '../prepare/settings.ts'
import type { OnUsage } from '../progress.ts'
import { connectRedis, leaseMs, resumption } from './connect-redis.ts'
import {
  expirySeconds,
  keysOf,
  queueName,
  removeRun,
  runsKey,
  type Job,
  type JobOutput,
  type JobResult,
} from './messages.ts'
import { copyCalls } from './redis-calls.ts'
import { recordOf } from './run-record.ts'

/** The workers of a run. */
export interface Workers {
  readonly executor: (context: RunContext) => Executor
  /** Aborted with the reason when no more results can arrive. */
  readonly signal: AbortSignal
}

interface PendingJob {
  settle(output: JobOutput): void
  fail(reason: unknown): void
}

/** Milliseconds between two polls for results. */
const pollMs = 20

/** Milliseconds between two checks of the workers. */
const checkMs = 2000

/** Jobs in the queue at the same time: more than all workers process at once. */
const maxPendingJobs = 1024

/**
 * Gives the workers on the Redis of an address to `work`, for one run. Throws UserError if there is no Redis, and if
 * the config contains a secret.
 */
export async function withWorkers<T>(
  url: string,
  prepared: Prepared,
  settings: Settings,
  work: (workers: Workers) => Promise<T>,
): Promise<T> {
  const warn = settings.warn ?? ((line: string) => process.emitWarning(line))
  const record = JSON.stringify(recordOf(prepared, settings.cache))
  const cache = settings.cache ? await openCache(join(settings.cacheFolder, 'calls'), warn) : undefined
  const connection = await connectRedis(url, warn)
  const { redis, bullmq, runCommand, signatures, leases, stop, address } = connection
  const run = randomBytes(9).toString('hex')
  const keys = keysOf(run)
  const queue = new bullmq.Queue(queueName, { connection: redis, prefix: keys.prefix })
  // the commands of the queue reject with the same error
  queue.on('error', () => undefined)
  const pending = new Map<string, PendingJob>()
  stop.signal.addEventListener('abort', () => {
    for (const job of pending.values()) job.fail(stop.signal.reason)
  })

  const receiveResults = async (): Promise<void> => {
    for (;;) {
      await sleep(pollMs, undefined, { signal: stop.signal })
      const messages = (await redis.lpopBuffer(keys.results, maxPendingJobs)) ?? []
      const results = messages.flatMap((message) => {
        const text = signatures.open(keys.results, message)
        const result = text && (JSON.parse(text.toString()) as JobResult)
        if (result && 'error' in result) throw new UserError(result.error)
        return result ?? []
      })
      const calls = results.flatMap((result) => result.calls)
      for (const key of calls) settings.onCall?.(key)
      if (cache) await copyCalls(connection, calls, cache)
      for (const result of results) {
        // a job of a worker that was thought to have ended may return twice
        pending.get(result.job)?.settle(result)
        pending.delete(result.job)
      }
    }
  }
  const printRefusals = async (): Promise<void> => {
    for (const line of (await redis.lpop(keys.refusals, 100)) ?? []) warn(plain(line))
  }
  const checkWorkers = async (): Promise<void> => {
    for (let idleChecks = 0; ;) {
      await sleep(checkMs, undefined, { signal: stop.signal })
      if ((await redis.exists(keys.record)) === 0)
        throw new UserError(`${address}: Redis has forgotten this run (was it restarted or emptied?); ${resumption}`)
      await printRefusals()
      const workerCount = await queue.getWorkersCount()
      const isIdle = pending.size > 0 && workerCount === 0
      idleChecks = isIdle ? idleChecks + 1 : 0
      if (idleChecks === 5)
        warn(`no worker is listening at ${address}; start one, here or elsewhere: gembench work ${address}`)
    }
  }
  let corpora = 0
  /** Uploads the documents of a corpus once; returns its number. */
  const uploadCorpus = memoiseWeakly(async (corpus: Corpus): Promise<number> => {
    const number = corpora++
    const bytes = gzipSync(JSON.stringify({ ...corpus, questions: [] }), { level: 1 })
    await redis.set(keys.corpus(number), signatures.sign(keys.corpus(number), bytes), 'EX', expirySeconds)
    return number
  })
  const send = async (corpus: Corpus, work: Omit<Job, 'corpus'>): Promise<JobOutput> => {
    const job: Job = { ...work, corpus: await uploadCorpus(corpus) }
    stop.signal.throwIfAborted()
    const output = new Promise<JobOutput>((settle, fail) => pending.set(job.id, { settle, fail }))
    output.catch(() => undefined)
    const payload = signatures.sign(keys.queue, JSON.stringify(job)).toString('base64')
    await queue.add(queueName, payload, { jobId: job.id, removeOnComplete: true, removeOnFail: true })
    return output
  }
  const executor = (context: RunContext): Executor => ({
    concurrency: maxPendingJobs,
    indexesAhead: 31,
    async build(at, entry, { corpus }, onUsage) {
      const output = await runCommand(send(corpus, { id: `index-${at.id}`, system: entry.id, index: at }))
      const line = { ...(output.line as IndexLine), ...entry.row }
      return { line, isStochastic: output.isStochastic, usage: usageOf(output, onUsage) }
    },
    async ask(at, entry, index, { corpus, chunkedCorpus }, onUsage) {
      const { id, repeat = 0, failure } = index.line
      if (failure) return runTrial(at, entry, index, await chunkedCorpus(), context)
      const job = { id: `trial-${at.id}`, system: entry.id, index: { id, repeat }, trial: at }
      const output = await runCommand(send(corpus, job))
      return { line: { ...(output.line as TrialLine), ...entry.row }, usage: usageOf(output, onUsage) }
    },
  })
  try {
    await runCommand(queue.waitUntilReady())
    // keys expire if this process is killed
    await runCommand(redis.expire(`${keys.queue}:meta`, expirySeconds))
    await runCommand(redis.set(keys.record, signatures.sign(keys.record, record), 'PX', leaseMs))
    leases.add(keys.record)
    await runCommand(redis.sadd(runsKey, run))
    for (const task of [receiveResults, checkWorkers]) runCommand(task()).catch((error: unknown) => stop.abort(error))
    return await work({ executor, signal: stop.signal })
  } finally {
    stop.abort(new Error('the run has ended'))
    await cache?.close()
    leases.delete(keys.record)
    if (redis.status === 'ready') {
      await printRefusals()
      await removeRun(redis, run)
    }
    connection.close()
  }
}

function usageOf({ usage }: JobOutput, onUsage: OnUsage) {
  const total = createUsageCounter()
  for (const [phase, increment] of usage) {
    total.add(phase, increment)
    onUsage(phase, increment)
  }
  return total
}
