import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { slices } from '../../basics/collections.ts'
import { memoiseWeakly } from '../../basics/memoise.ts'
import { UserError } from '../../errors.ts'
import { createUsageCounter, fromBytes, openCache, type UsageCounter } from '../../models/index.ts'
import type { IndexLine, TrialLine } from '../../records.ts'
import { plain } from '../../text/characters.ts'
import type { Corpus } from '../../types.ts'
import { buildIndex } from '../execute/build-index.ts'
import type { RunContext } from '../execute/run-context.ts'
import { runTrial, type Executor } from '../execute/run-trial.ts'
import type { Prepared } from '../prepare/prepare.ts'
import type { Settings } from '../prepare/settings.ts'
import type { OnUsage } from '../progress.ts'
import { connectRedis, leaseMs, resumption, type Connection } from './connect-redis.ts'
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
import { callSubject } from './redis-calls.ts'
import { recordOf } from './run-record.ts'

/** The workers of a run. */
export interface Workers {
  readonly executor: (context: RunContext) => Executor
  /** Aborted with the reason when no more results can arrive. */
  readonly signal: AbortSignal
}

/** Milliseconds between two checks of the workers. */
const checkMs = 2000

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
  const connection = await connectRedis(url, warn)
  const { redis, bullmq, runCommand, signatures, stop, address } = connection
  const run = randomBytes(9).toString('hex')
  const keys = keysOf(run)
  const copier = await openCallCopier(connection, keys.calls(true), settings)
  const queue = new bullmq.Queue(queueName, { connection: redis, prefix: keys.prefix })
  // the commands of the queue reject with the same error
  queue.on('error', () => undefined)
  const receiver = redis.duplicate()
  receiver.on('error', () => undefined)
  const pending = new Map<string, readonly [settle: (result: Sent) => void, fail: (reason: unknown) => void]>()
  stop.signal.addEventListener('abort', () => {
    for (const [, fail] of pending.values()) fail(stop.signal.reason)
  })

  const receiveResults = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const [, message] = (await receiver.blpopBuffer(keys.results, 1)) ?? []
      const text = message && signatures.open(keys.results, message)
      if (!text) continue
      const result = JSON.parse(text.toString()) as JobResult
      await copier.copy(result.calls)
      if ('error' in result) throw new UserError(result.error)
      // a job of a worker that was thought to have ended may return twice
      pending.get(result.job)?.[0](result)
      pending.delete(result.job)
    }
  }
  const checkWorkers = async (): Promise<void> => {
    let checksWithoutWorkers = 0
    for (;;) {
      await sleep(checkMs, undefined, { signal: stop.signal })
      if ((await redis.exists(keys.record)) === 0)
        throw new UserError(`${address}: Redis has forgotten this run (was it restarted or emptied?); ${resumption}`)
      for (const line of (await redis.lpop(keys.refusals, 100)) ?? []) warn(plain(line))
      const isIdle = pending.size > 0 && (await queue.getWorkersCount()) === 0
      checksWithoutWorkers = isIdle ? checksWithoutWorkers + 1 : 0
      if (checksWithoutWorkers === 5)
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
  const send = async (corpus: Corpus, work: Omit<Job, 'corpus'>): Promise<Sent> => {
    const job: Job = { ...work, corpus: await uploadCorpus(corpus) }
    stop.signal.throwIfAborted()
    const result = new Promise<Sent>((settle, fail) => pending.set(job.id, [settle, fail]))
    result.catch(() => undefined)
    const payload = signatures.sign(keys.queue, JSON.stringify(job)).toString('base64')
    await queue.add(queueName, payload, { jobId: job.id, removeOnComplete: true, removeOnFail: true })
    return result
  }
  try {
    await runCommand(queue.waitUntilReady())
    // keys expire if this process is killed
    await runCommand(redis.expire(`${keys.queue}:meta`, expirySeconds))
    await runCommand(redis.set(keys.record, signatures.sign(keys.record, record), 'PX', leaseMs))
    connection.renew(keys.record)
    await runCommand(redis.sadd(runsKey, run))
    for (const task of [receiveResults, checkWorkers]) runCommand(task()).catch((error: unknown) => stop.abort(error))
    const sendJob: typeof send = (corpus, job) => runCommand(send(corpus, job))
    return await work({ executor: (context) => remoteExecutor(sendJob, context), signal: stop.signal })
  } finally {
    stop.abort(new Error('the run has ended'))
    connection.release(keys.record)
    receiver.disconnect()
    await copier.close()
    if (redis.status === 'ready') await removeRun(redis, run)
    await connection.close()
  }
}

/** The result of a job that does not end the run. */
type Sent = Exclude<JobResult, { readonly error: string }>

/** Jobs in the queue at the same time: more than all workers process at once. */
const maxPendingJobs = 1024

/** An executor that sends jobs to workers. Questions of a failed index are not sent. */
const remoteExecutor = (
  sendJob: (corpus: Corpus, job: Omit<Job, 'corpus'>) => Promise<Sent>,
  context: RunContext,
): Executor => ({
  concurrency: maxPendingJobs,
  indexesAhead: 31,
  async build(at, entry, { corpus, chunkedCorpus, parts }, onUsage) {
    const result = await sendJob(corpus, { id: `index-${at.id}`, system: entry.id, index: at })
    if ('failure' in result) {
      const failure = new Error(result.failure.message)
      return buildIndex(at, entry, { ...(await chunkedCorpus()), failure }, context, parts)
    }
    const line = { ...(result.line as IndexLine), ...entry.row }
    return { line, isStochastic: result.isStochastic, usage: usageOf(result.usage, onUsage) }
  },
  async ask(at, entry, index, { corpus, chunkedCorpus }, onUsage) {
    const { id, repeat = 0, failure: indexFailure } = index.line
    const job = { id: `trial-${at.id}`, system: entry.id, index: { id, repeat }, trial: at }
    const result = indexFailure ? { failure: indexFailure } : await sendJob(corpus, job)
    if ('failure' in result) {
      const line = { ...index.line, failure: result.failure }
      return runTrial(at, entry, { ...index, line }, await chunkedCorpus(), context)
    }
    return { line: { ...(result.line as TrialLine), ...entry.row }, usage: usageOf(result.usage, onUsage) }
  },
})

function usageOf(usage: JobOutput['usage'], onUsage: OnUsage): UsageCounter {
  const total = createUsageCounter()
  for (const [phase, increment] of usage) {
    total.add(phase, increment)
    onUsage(phase, increment)
  }
  return total
}

/** Calls per read from Redis. */
const maxCalls = 500

/** Records the calls of workers, and copies them into the local call cache, if there is one. */
async function openCallCopier(
  { redis, signatures }: Connection,
  prefix: string,
  { cache: isCached, cacheFolder, warn, onCall }: Settings,
) {
  const cache = isCached ? await openCache(join(cacheFolder, 'calls'), warn) : undefined
  return {
    async copy(keys: readonly string[]): Promise<void> {
      for (const key of keys) onCall?.(key)
      const newKeys = cache ? keys.filter((key) => !cache.get(key)) : []
      for (const batch of slices(newKeys, maxCalls)) {
        const calls = await redis.mgetBuffer(batch.map((key) => `${prefix}${key}`))
        for (const [index, key] of batch.entries()) {
          const message = calls[index]
          const bytes = message && signatures.open(callSubject(key), message)
          if (bytes) cache?.put(key, fromBytes(bytes).entry)
        }
      }
    },
    close: async () => cache?.close(),
  }
}
