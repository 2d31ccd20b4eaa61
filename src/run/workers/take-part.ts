import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import type { Job as QueuedJob } from 'bullmq'
import { asksOf, readConfigValue } from '../../config/index.ts'
import { messageOf, UserError } from '../../errors.ts'
import type { Corpus, Phase } from '../../types.ts'
import { runTrial } from '../execute/run-trial.ts'
import { buildIndex, sharedParts, type BuiltIndex, type IndexAt } from '../execute/build-index.ts'
import { chunkWithModels } from '../execute/chunk-corpus.ts'
import { registries } from '../plug-ins/registries.ts'
import { methodEntriesOf, type MethodEntry } from '../prepare/method-entries.ts'
import { openPlanModels } from '../prepare/open-plan-models.ts'
import type { Settings } from '../settings.ts'
import { leaseMs, type Connection } from './connect-redis.ts'
import { jobName, keysOf, loadBullmq, queueName, type Done, type Job, type Outcome } from './messages.ts'
import { redisCalls, type RedisCalls } from './redis-calls.ts'
import { modelsHash, ownCode, type RunRecord } from './run-record.ts'

/** How a worker works. */
export interface WorkerSettings extends Pick<Settings, 'cacheFolder' | 'cache' | 'signal'> {
  /** Jobs of a run at the same time; if absent, as many as the run's config says. */
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

/** Does jobs of a run from now on. Throws UserError if something that the run names is not here, or not the same. */
export async function takePart(record: RunRecord, connection: Connection, settings: WorkerSettings) {
  const { redis, asked, signatures, lost } = connection
  const { say, concurrency } = settings
  const { Worker, WaitingError } = await loadBullmq()
  const keys = keysOf(record.id)
  const end = new AbortController()
  const signal = AbortSignal.any([end.signal, settings.signal, lost])
  const shared = redisCalls(connection, { run: record.id, isCached: record.cache, signal })
  refuseAsks(record, settings.allow)
  const opened = await openRun(record, connection, shared, { ...settings, signal })
  let done = 0

  const resultOf = async (job: Job, ended: number): Promise<Outcome> => {
    if (ended >= mostEnds) return { ended }
    try {
      return await opened.perform(job)
    } catch (error) {
      if (error instanceof UserError) return { mistake: messageOf(error) }
      return { unexpected: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    }
  }
  const work = async (queued: QueuedJob<string>, token?: string): Promise<void> => {
    const signed = signatures.open(keys.job, Buffer.from(queued.data, 'base64'))
    if (!signed) return
    const job = JSON.parse(signed.toString()) as Job
    const lock = keys.lock(jobName(job))
    connection.keep(lock)
    try {
      const outcome = await resultOf(job, queued.stalledCounter)
      signal.throwIfAborted()
      const result = JSON.stringify({ ...outcome, job: jobName(job), calls: shared.takeUsed() })
      await asked(redis.rpush(keys.results, signatures.sign(keys.results, result)))
      done++
    } catch (error) {
      if (!signal.aborted) say(messageOf(error))
      // to another worker; if the run has ended, there is no such job any more
      await queued.moveToWait(token).catch(() => undefined)
      throw new WaitingError()
    } finally {
      connection.release(lock)
    }
  }
  const worker = new Worker<string>(queueName, work, {
    connection: redis,
    prefix: keys.prefix,
    concurrency: concurrency ?? opened.concurrency,
    // the locks are kept by a thread that no computation holds up
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
      // without Redis nothing can be given back, and a second is enough to close
      if (lost.aborted) await Promise.race([worker.close(true).catch(() => undefined), sleep(1000)])
      else await worker.close()
      await opened.close()
    },
  }
}

/** Throws UserError for the first thing that a config would run or read here without leave. */
function refuseAsks({ config, folder }: RunRecord, allow: readonly string[]): void {
  const allowed = new Set([...allow, ...allow.map((path) => resolve(path))])
  for (const { kind, name } of asksOf(config)) {
    const [program = ''] = name.split(' ')
    const [item, use] =
      kind === 'plug-in'
        ? [resolve(folder, name), `runs the plug-in ${resolve(folder, name)}`]
        : kind === 'program'
          ? [program, `runs the program ${program}`]
          : [name, `reads the variable ${name}`]
    const isHarmless = kind === 'server' || (kind === 'variable' && process.env[name] === undefined)
    if (!isHarmless && !allowed.has(item))
      throw new UserError(`the run ${use}, and this worker was not started with --allow ${item}`)
  }
}

/** Corpora, with their indexes, that a worker keeps at the same time. */
const mostPlaces = 8

/** Opens what a run names. Throws UserError if it is not here, or not as it is where `run` was called. */
async function openRun(
  { code, folder: cwd, asked: methods, config, name, ...record }: RunRecord,
  { redis, asked, signatures }: Connection,
  shared: RedisCalls,
  { cacheFolder, cache, signal, say: warn }: WorkerSettings,
) {
  if (code !== ownCode())
    throw new UserError(`it runs ${code}, and here is ${ownCode()}; workers need the same version as the run`)
  const settings = { cwd, environment: process.env, ...(methods && { methods }) }
  const plan = await readConfigValue(config, name, settings, registries)
  // what methods need of the dataset was checked where it is
  const entries = await methodEntriesOf(plan, { name: '', evidence: true }, { questions: 0, withoutEvidence: 0 })
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  if (record.methods.some((id) => !byId.has(id)))
    throw new UserError('the file of a method, or of an option, is not the same here as in the run')
  const opened = await openPlanModels(plan, {
    cacheFolder,
    cache: cache && record.cache,
    signal,
    warn,
    sharedCalls: shared,
  })
  const { models } = opened
  if (modelsHash(models) !== record.models) {
    await opened.close()
    throw new UserError(
      'its models are not those of the run: a variable of the environment in its config has another value here',
    )
  }
  let unusable: UserError | undefined
  models.watch(['complete', 'answer', 'embed'], (why) => (unusable = why))
  const { budget, seed, limits, chunks, concurrency } = plan
  const context = { models, budget, seed, limits, style: record.style, signal }

  const openCorpus = async (number: number) => {
    const key = keysOf(record.id).corpus(number)
    const bytes = await asked(redis.getBuffer(key))
    const compressed = bytes && signatures.open(key, bytes)
    if (!compressed)
      throw new UserError(`corpus ${number} of the run is not in Redis, or not signed with the key of the queue`)
    const corpus = JSON.parse(gunzipSync(compressed).toString()) as Corpus
    return { chunked: await chunkWithModels(corpus, chunks, context), parts: sharedParts() }
  }
  /** A corpus with its indexes, and the jobs under way there. */
  const openPlace = (number: number) => {
    const corpus = openCorpus(number)
    const indexes = new Map<string, Promise<BuiltIndex>>()
    const indexOf = async (entry: MethodEntry, at: IndexAt): Promise<BuiltIndex> => {
      const key = `${entry.id} ${at.repeat}`
      const { chunked, parts } = await corpus
      const building = indexes.get(key) ?? buildIndex(at, entry, chunked, context, parts)
      indexes.set(key, building)
      const built = await building
      // one that failed is built again for the next that needs it
      if (built.line.failure) indexes.delete(key)
      return built
    }
    const close = async (): Promise<void> => {
      for (const built of indexes.values()) await (await built).index?.close?.()
    }
    return { corpus, indexOf, close, jobs: 0 }
  }
  const places = new Map<number, ReturnType<typeof openPlace>>()
  /** The place of a corpus, used last; of too many, those without a job are closed, the one used least lately first. */
  const placeOf = (number: number) => {
    const place = places.get(number) ?? openPlace(number)
    places.delete(number)
    places.set(number, place)
    for (const [other, { jobs, close }] of places) {
      if (places.size <= mostPlaces) break
      if (jobs === 0 && other !== number) {
        places.delete(other)
        void close()
      }
    }
    return place
  }
  return {
    concurrency,
    async perform({ corpus, system, index, trial }: Job): Promise<Done> {
      const entry = byId.get(system)
      if (!entry) throw new Error(`no system ${system} is in the record of the run`)
      const place = placeOf(corpus)
      place.jobs++
      try {
        const built = await place.indexOf(entry, index)
        const { chunked } = await place.corpus
        const { line, usage: meter } = trial ? await runTrial(trial, entry, built, chunked, context) : built
        if (unusable) throw unusable
        const phases: readonly Phase[] = trial ? ['retrieve', 'answer'] : ['index']
        const spent = Object.fromEntries(phases.map((phase) => [phase, meter.spent(phase)]))
        return { line, isStochastic: built.isStochastic, spent }
      } finally {
        place.jobs--
      }
    },
    async close(): Promise<void> {
      for (const { close } of places.values()) await close()
      await opened.close()
    },
  }
}
