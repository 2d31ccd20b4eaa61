import { setTimeout as sleep } from 'node:timers/promises'
import type { Job as QueuedJob } from 'bullmq'
import { messageOf, UserError } from '../../errors.ts'
import type { Settings } from '../settings.ts'
import type { Connection } from './connect-redis.ts'
import { jobName, type Job, type JobResult } from './jobs.ts'
import { callsPrefix, keysOf, queueName } from './keys.ts'
import { leaseMs, type Leases } from './leases.ts'
import { openRun } from './open-run.ts'
import { loadBullmq } from './packages.ts'
import { redisCalls } from './redis-calls.ts'
import type { RunRecord } from './run-record.ts'

/** How a worker works. */
export interface WorkerSettings extends Pick<Settings, 'cacheFolder' | 'cache' | 'signal'> {
  /** Jobs of a run at the same time; where it is absent, as many as the run's config says. */
  readonly concurrency?: number
  /** Told, in a line, what the worker does. */
  readonly say: (line: string) => void
}

/** The part of a worker in one run. */
export interface Part {
  readonly name: string
  /** Jobs that were done. */
  readonly done: () => number
  /** Ends calls under way and gives jobs back. */
  close(): Promise<void>
}

/** Workers that may end at one job before it has failed. */
const mostEnds = 3

/** Milliseconds between two looks for jobs whose worker has ended. */
const stalledMs = 3000

/** Does jobs of a run from now on. Throws UserError where something that the run names is not here, or not the same. */
export async function takePart(
  record: RunRecord,
  {
    connection,
    leases,
    settings,
  }: { readonly connection: Connection; readonly leases: Leases; readonly settings: WorkerSettings },
): Promise<Part> {
  const { redis, asked } = connection
  const { Worker, WaitingError } = await loadBullmq()
  const keys = keysOf(record.id)
  const end = new AbortController()
  const signal = AbortSignal.any([end.signal, settings.signal, connection.lost])
  const prefix = record.cache ? callsPrefix : keys.calls
  const shared = redisCalls({ connection, leases, run: record.id, prefix, signal, announce: record.cache })
  const { cacheFolder, cache, say: warn, concurrency } = settings
  const corpus = async (number: number): Promise<Buffer> => {
    const bytes = await asked(redis.getBuffer(keys.corpus(number)))
    if (!bytes) throw new Error(`corpus ${number} of the run is not in Redis`)
    return bytes
  }
  const run = await openRun(record, { cacheFolder, cache: cache && record.cache, signal, warn }, { shared, corpus })
  let done = 0

  const resultOf = async (job: QueuedJob<Job>): Promise<JobResult> => {
    const name = jobName(job.data)
    if (job.stalledCounter >= mostEnds) return { job: name, ended: job.stalledCounter }
    try {
      return { ...(await run.perform(job.data)), job: name }
    } catch (error) {
      return error instanceof UserError
        ? { job: name, mistake: messageOf(error) }
        : { job: name, unexpected: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    }
  }
  const work = async (job: QueuedJob<Job>, token?: string): Promise<void> => {
    const lock = keys.lock(jobName(job.data))
    leases.keep(lock)
    try {
      const result = await resultOf(job)
      signal.throwIfAborted()
      await asked(redis.rpush(keys.results, JSON.stringify(result)))
      done++
    } catch (error) {
      if (!signal.aborted) warn(messageOf(error))
      // to another worker; where the run has ended, there is no such job any more
      await job.moveToWait(token).catch(() => undefined)
      throw new WaitingError()
    } finally {
      leases.letGo(lock)
    }
  }
  const worker = new Worker<Job>(queueName, work, {
    ...{ connection: redis, prefix: keys.prefix, concurrency: concurrency ?? run.concurrency },
    // the lease of a lock is kept by a thread that no computation holds up
    ...{ lockDuration: leaseMs, skipLockRenewal: true, stalledInterval: stalledMs },
    maxStalledCount: Number.MAX_SAFE_INTEGER,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  })
  // it tries again; a Redis that is lost ends this worker
  worker.on('error', () => undefined)
  return {
    name: record.name,
    done: () => done,
    async close() {
      end.abort()
      if (connection.lost.aborted) await withoutRedis(worker)
      else await worker.close()
      await run.close()
    },
  }
}

/** Milliseconds that the queue has to close when there is no Redis that would answer. */
const closeMs = 1000

/** Closes a worker that can give nothing back: some of what it waits for never comes, and nothing else may keep the process alive. */
async function withoutRedis(worker: { close(force: boolean): Promise<void> }): Promise<void> {
  const over = new AbortController()
  const closed = worker.close(true).catch(() => undefined)
  await Promise.race([closed, sleep(closeMs, undefined, { signal: over.signal }).catch(() => undefined)])
  over.abort()
}
