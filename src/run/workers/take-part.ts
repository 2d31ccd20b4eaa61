import { resolve } from 'node:path'
import pLimit from 'p-limit'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job as QueuedJob } from 'bullmq'
import { messageOf, UserError } from '../../errors.ts'
import type { Settings } from '../settings.ts'
import {
  aboutCorpus,
  aboutJobs,
  aboutResults,
  callsPrefix,
  type Connection,
  keysOf,
  loadBullmq,
  queueName,
} from './connect-redis.ts'
import type { Signatures } from './signatures.ts'
import { jobName, type Job, type JobResult, spentOf, type Made } from './worker-performer.ts'
import { leaseMs, type Leases } from './leases.ts'
import { redisCalls } from './redis-calls.ts'
import { type RunRecord, modelsHash, differenceOf, ownCode } from './run-record.ts'
import { gunzipSync } from 'node:zlib'
import { asksOf, readConfigValue } from '../../config/index.ts'
import type { SharedCalls } from '../../models/index.ts'
import type { Corpus } from '../../types.ts'
import { ask } from '../asking/ask.ts'
import { buildIndex, type BuiltIndex, sharedParts } from '../asking/build-index.ts'
import { cutCorpus } from '../asking/chunk-corpus.ts'
import { type MethodEntry, startsProcesses } from '../asking/method-entry.ts'
import type { Place } from '../asking/performer.ts'
import { menus } from '../plug-ins/menus.ts'
import { methodEntriesOf } from '../prepare/method-entries.ts'
import { openPlanModels } from '../prepare/open-plan-models.ts'

/** How a worker works. */
export interface WorkerSettings extends Pick<Settings, 'cacheFolder' | 'cache' | 'signal'> {
  /** Jobs of a run at the same time; where it is absent, as many as the run's config says. */
  readonly concurrency?: number
  /** Programs, plug-in files and variables of the environment that runs may use here. */
  readonly allow: readonly string[]
  readonly say: (line: string) => void
}

/** A worker that is connected. */
export interface AtWork {
  readonly connection: Connection
  readonly leases: Leases
  readonly signatures: Signatures
  readonly settings: WorkerSettings
}

/** The part of a worker in one run. */
export interface Part {
  readonly name: string
  readonly done: () => number
  /** Ends calls under way and gives jobs back. */
  close(): Promise<void>
}

/** Workers that may end at one job before it has failed. */
const mostEnds = 3

/** Milliseconds between two looks for jobs whose worker has ended. */
const stalledMs = 3000

/** Does jobs of a run from now on. Throws UserError where something that the run names is not here, or not the same. */
export async function takePart(record: RunRecord, { connection, leases, signatures, settings }: AtWork): Promise<Part> {
  const { redis, asked } = connection
  const { Worker, WaitingError } = await loadBullmq()
  const keys = keysOf(record.id)
  const end = new AbortController()
  const signal = AbortSignal.any([end.signal, settings.signal, connection.lost])
  const prefix = record.cache ? callsPrefix : keys.calls
  const shared = redisCalls({ connection, leases, signatures, run: record.id, prefix, signal, announce: record.cache })
  const { cacheFolder, cache, say: warn, concurrency } = settings
  const corpus = async (number: number): Promise<Buffer> => {
    const bytes = await asked(redis.getBuffer(keys.corpus(number)))
    const opened = bytes && signatures.open(aboutCorpus(record.id, number), bytes)
    if (!opened)
      throw new UserError(`corpus ${number} of the run is not in Redis, or not signed with the key of the queue`)
    return opened
  }
  refuseAsks(record, settings.allow)
  const run = await openRun(record, { cacheFolder, cache: cache && record.cache, signal, warn }, { shared, corpus })
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
    const signed = signatures.open(aboutJobs(record.id), Buffer.from(job.data, 'base64'))
    if (!signed) return
    const wanted = JSON.parse(signed.toString()) as Job
    const lock = keys.lock(jobName(wanted))
    leases.keep(lock)
    try {
      const result = await resultOf(wanted, job.stalledCounter)
      signal.throwIfAborted()
      await asked(redis.rpush(keys.results, signatures.sign(aboutResults(record.id), JSON.stringify(result))))
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

interface OpenedRun {
  /** Jobs at the same time, where nothing else is asked for. */
  readonly concurrency: number
  /** Does a job. Throws what would end the run. */
  perform(job: Job): Promise<Made>
  close(): Promise<void>
}

/** Where a worker gets what is not in the record of a run. */
interface Sources {
  readonly shared: SharedCalls
  /** The compressed documents of a corpus. */
  corpus(number: number): Promise<Buffer>
}

/** Corpora, with their indexes, that a worker keeps at the same time. */
const mostPlaces = 8

/** Opens what a run names. Throws UserError where it is not here, or not as it is where `run` was called. */
async function openRun(record: RunRecord, settings: Omit<Settings, 'results'>, sources: Sources): Promise<OpenedRun> {
  const difference = differenceOf(record.code, ownCode())
  if (difference !== undefined) throw new UserError(`${difference}; workers need the same version as the run`)
  const { folder: cwd, asked } = record
  const plan = await readConfigValue(
    record.config,
    record.name,
    { cwd, environment: process.env, ...(asked && { methods: asked }) },
    menus,
  )
  // what methods need of the dataset was checked where it is
  const entries = await methodEntriesOf(plan, { name: '', evidence: true }, { questions: 0, withoutEvidence: 0 })
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  if (record.methods.some((id) => !byId.has(id)))
    throw new UserError('the file of a method, or of an option, is not the same here as in the run')
  const { models, close } = await openPlanModels(plan, { ...settings, shared: sources.shared })
  if (modelsHash(models) !== record.models) {
    await close()
    throw new UserError(
      'its models are not those of the run: a variable of the environment in its config has another value here',
    )
  }
  const { budget, seed, limits, dataset } = plan
  const keepsCalls = dataset.drop !== undefined
  let unusable: UserError | undefined
  models.watch(['complete', 'answer', 'embed'], (why) => (unusable = why))
  const conditions = { models, budget, seed, limits, style: record.style, ended: settings.signal, keepsCalls }
  const places = new Map<number, Promise<PlaceOfIndexes>>()
  const placeOf = async (number: number): Promise<PlaceOfIndexes> => {
    const place = places.get(number) ?? bring(number)
    // the last one used comes last
    places.delete(number)
    places.set(number, place)
    for (const [oldest, left] of places)
      if (places.size > mostPlaces) {
        places.delete(oldest)
        void left.then(closeWhenIdle)
      }
    return place
  }
  const bring = async (number: number): Promise<PlaceOfIndexes> => {
    const corpus = JSON.parse(gunzipSync(await sources.corpus(number)).toString()) as Corpus
    const chunked = await cutCorpus(corpus, plan.chunks, conditions)
    const place = { corpus, chunked, parts: sharedParts(entries) }
    return { ...place, indexes: new Map(), jobs: 0, isLeft: false }
  }
  const opening = pLimit(1)
  const withIndex = async <T>(
    entry: MethodEntry,
    { id, repeat }: { id: string; repeat: number },
    place: PlaceOfIndexes,
    work: (built: BuiltIndex) => Promise<T>,
  ): Promise<T> => {
    const key = `${entry.id} ${repeat}`
    const one = await opening(async () => {
      const known = place.indexes.get(key)
      // of the jobs of another row there are no more, or they are given again
      await endPrograms(places.values(), (other) => other !== known && (startsProcesses(entry) || other.jobs === 0))
      const built = known?.built ?? buildIndex({ id, repeat }, entry, place.chunked, conditions, place.parts)
      const index = known ?? { built, jobs: 0, startsProcesses: startsProcesses(entry) }
      place.indexes.set(key, index)
      index.jobs++
      return index
    })
    try {
      const built = await one.built
      // one that failed is built again for the next that needs it
      if (built.line.failure) place.indexes.delete(key)
      return await work(built)
    } finally {
      one.jobs--
    }
  }

  return {
    concurrency: plan.concurrency,
    async perform(job) {
      const entry = byId.get(job.method)
      if (!entry) throw new Error(`no method ${job.method} is in the record of the run`)
      const place = await placeOf(job.corpus)
      place.jobs++
      try {
        return await withIndex(entry, { id: job.at.id, repeat: job.repeat }, place, async (built) => {
          const { line, meter } =
            job.kind === 'index' ? built : await ask(job.at, entry, built, place.chunked, conditions)
          if (unusable) throw unusable
          return { line, drew: built.drew, spent: spentOf(meter) }
        })
      } finally {
        place.jobs--
        if (place.isLeft) await closeWhenIdle(place)
      }
    },
    async close() {
      for (const place of places.values()) await closeWhenIdle(await place)
      await close()
    },
  }
}

/** A corpus with its indexes, and the jobs under way there; `isLeft`: no more will come. */
interface PlaceOfIndexes extends Place {
  readonly indexes: Map<string, KeptIndex>
  jobs: number
  isLeft: boolean
}

interface KeptIndex {
  readonly built: Promise<BuiltIndex>
  readonly startsProcesses: boolean
  jobs: number
}

/** Closes indexes of plug-ins and programs, of which those of two rows are never alive at once. */
async function endPrograms(
  places: Iterable<Promise<PlaceOfIndexes>>,
  isOver: (index: KeptIndex) => boolean,
): Promise<void> {
  for (const { indexes } of await Promise.all(places))
    for (const [key, index] of indexes) {
      if (!index.startsProcesses || !isOver(index)) continue
      indexes.delete(key)
      await (await index.built).index?.close?.()
    }
}

/** Closes the indexes of a corpus that no more jobs come to, once none is under way. */
async function closeWhenIdle(place: PlaceOfIndexes): Promise<void> {
  place.isLeft = true
  if (place.jobs > 0) return
  for (const { built } of place.indexes.values()) await (await built).index?.close?.()
}
