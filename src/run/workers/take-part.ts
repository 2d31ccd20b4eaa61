import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job as QueuedJob } from 'bullmq'
import { messageOf, UserError } from '../../errors.ts'
import type { Settings } from '../settings.ts'
import { type Connection, keysOf, leaseMs, loadBullmq, queueName } from './connect-redis.ts'
import { jobName, type Job, type JobResult } from './worker-performer.ts'
import { redisCalls } from './redis-calls.ts'
import { openWorkerRun } from './open-worker-run.ts'
import type { RunRecord } from './run-record.ts'
import { asksOf } from '../../config/index.ts'

/** How a worker works. */
export interface WorkerSettings extends Pick<Settings, 'cacheFolder' | 'cache' | 'signal'> {
  /** Jobs of a run at the same time; where it is absent, as many as the run's config says. */
  readonly concurrency?: number
  /** Programs, plug-in files and variables of the environment that runs may use here. */
  readonly allow: readonly string[]
  readonly say: (line: string) => void
}

/** The part of a worker in one run. */
export type Part = Awaited<ReturnType<typeof takePart>>

/** Workers that may end at one job before it has failed. */
const mostEnds = 3

/** Milliseconds between two looks for jobs whose worker has ended. */
const stalledMs = 3000

/** Does jobs of a run from now on. Throws UserError where something that the run names is not here, or not the same. */
export async function takePart(record: RunRecord, connection: Connection, settings: WorkerSettings) {
  const { redis, asked, leases, signatures } = connection
  const { Worker, WaitingError } = await loadBullmq()
  const keys = keysOf(record.id)
  const end = new AbortController()
  const signal = AbortSignal.any([end.signal, settings.signal, connection.lost])
  const shared = redisCalls(connection, { run: record.id, cache: record.cache, signal })
  const { cacheFolder, cache, say: warn, concurrency } = settings
  const corpus = async (number: number): Promise<Buffer> => {
    const bytes = await asked(redis.getBuffer(keys.corpus(number)))
    const opened = bytes && signatures.open(keys.about.corpus(number), bytes)
    if (!opened)
      throw new UserError(`corpus ${number} of the run is not in Redis, or not signed with the key of the queue`)
    return opened
  }
  refuseAsks(record, settings.allow)
  const run = await openWorkerRun(
    record,
    { cacheFolder, cache: cache && record.cache, signal, warn },
    { shared, corpus },
  )
  let done = 0

  const resultOf = async (job: Job, stalled: number): Promise<JobResult> => {
    const name = jobName(job)
    if (stalled >= mostEnds) return { job: name, ended: stalled }
    try {
      return { ...(await run.perform(job)), job: name }
    } catch (error) {
      return error instanceof UserError
        ? { job: name, mistake: messageOf(error) }
        : { job: name, unexpected: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    }
  }
  const work = async (job: QueuedJob<string>, token?: string): Promise<void> => {
    const signed = signatures.open(keys.about.job, Buffer.from(job.data, 'base64'))
    if (!signed) return
    const wanted = JSON.parse(signed.toString()) as Job
    const lock = keys.lock(jobName(wanted))
    leases.keep(lock)
    try {
      const result = await resultOf(wanted, job.stalledCounter)
      signal.throwIfAborted()
      await asked(redis.rpush(keys.results, signatures.sign(keys.about.result, JSON.stringify(result))))
      done++
    } catch (error) {
      if (!signal.aborted) warn(messageOf(error))
      // to another worker; where the run has ended, there is no such job any more
      await job.moveToWait(token).catch(() => undefined)
      throw new WaitingError()
    } finally {
      leases.release(lock)
    }
  }
  const worker = new Worker<string>(queueName, work, {
    connection: redis,
    prefix: keys.prefix,
    concurrency: concurrency ?? run.concurrency,
    // the lease of a lock is kept by a thread that no computation holds up
    lockDuration: leaseMs,
    skipLockRenewal: true,
    stalledInterval: stalledMs,
    maxStalledCount: Number.MAX_SAFE_INTEGER,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  })
  // it tries again; a Redis that is lost ends this worker
  worker.on('error', () => undefined)
  return {
    name: record.name,
    done: () => done,
    /** Ends calls under way and gives jobs back. */
    async close(): Promise<void> {
      end.abort()
      if (connection.lost.aborted) await withoutRedis(worker)
      else await worker.close()
      await run.close()
    },
  }
}

/** Throws UserError for the first thing that a config would run or read here without leave. */
function refuseAsks({ config, folder }: RunRecord, allow: readonly string[]): void {
  const allowed = new Set([...allow, ...allow.map((path) => resolve(path))])
  for (const { kind, name } of asksOf(config)) {
    const [program = ''] = name.split(' ')
    const [wanted, what] =
      kind === 'plug-in'
        ? [resolve(folder, name), `runs the plug-in ${resolve(folder, name)}`]
        : kind === 'program'
          ? [program, `runs the program ${program}`]
          : [name, `reads the variable ${name}`]
    const isHarmless = kind === 'server' || (kind === 'variable' && process.env[name] === undefined)
    if (!isHarmless && !allowed.has(wanted))
      throw new UserError(`the run ${what}, and this worker was not started with --allow ${wanted}`)
  }
}

/** Milliseconds that the queue has to close when there is no Redis that would answer. */
const closeMs = 1000

/** Closes a worker that can give nothing back; nothing else may keep the process alive. */
async function withoutRedis(worker: { close(force: boolean): Promise<void> }): Promise<void> {
  const over = new AbortController()
  const closed = worker.close(true).catch(() => undefined)
  await Promise.race([closed, sleep(closeMs, undefined, { signal: over.signal }).catch(() => undefined)])
  over.abort()
}
