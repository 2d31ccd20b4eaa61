import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Job as QueuedJob } from 'bullmq'
import pLimit from 'p-limit'
import { valueOf } from '../../basics/collections.ts'
import { asksOf, readConfig } from '../../config/index.ts'
import { messageOf, UserError } from '../../errors.ts'
import type { Corpus } from '../../types.ts'
import { buildIndex, sharedParts, type BuiltIndex, type IndexAt } from '../execute/build-index.ts'
import { chunkWithModels } from '../execute/chunk-corpus.ts'
import { runTrial } from '../execute/run-trial.ts'
import { registries } from '../plug-ins/registries.ts'
import { methodEntriesOf, type MethodEntry } from '../prepare/method-entries.ts'
import { openPlanModels } from '../prepare/open-plan-models.ts'
import type { Settings } from '../prepare/settings.ts'
import { leaseMs, type Connection } from './connect-redis.ts'
import { keysOf, queueName, type Job, type JobOutput, type JobResult } from './messages.ts'
import { redisCalls } from './redis-calls.ts'
import { codeIdentity, settingsHash, type RunRecord } from './run-record.ts'

/** Settings of a worker. */
export interface WorkerSettings extends Pick<Settings, 'cacheFolder' | 'cache' | 'signal'> {
  /** Concurrent jobs of a run (default: the concurrency of its config). */
  readonly concurrency?: number
  /** Programs, plug-in files and environment variables that runs may use. */
  readonly allow: readonly string[]
  readonly warn: (line: string) => void
}

/** The participation of a worker in one run. */
export type Participation = Awaited<ReturnType<typeof joinRun>>

/** Workers that may end during a job before it fails. */
const maxCrashes = 3

/** Corpora that a worker keeps open with their indexes. */
const maxCorpora = 8

/** Joins a run. Throws UserError if a file, variable or version of the run is missing or different here. */
export async function joinRun(run: string, record: RunRecord, connection: Connection, settings: WorkerSettings) {
  const { redis, bullmq, runCommand, signatures, stop } = connection
  const keys = keysOf(run)
  const end = new AbortController()
  const signal = AbortSignal.any([end.signal, stop.signal])
  const usedKeys = new Set<string>()
  checkPermissions(record, settings.allow)
  const systems = await openSystems(record, {
    ...settings,
    cache: settings.cache && record.isCached,
    signal,
    sharedCalls: redisCalls(connection, { run, isCached: record.isCached, signal }),
    onCall: (key) => usedKeys.add(key),
  })
  const readCorpus = async (number: number): Promise<Corpus> => {
    const key = keys.corpus(number)
    const archive = signatures.open(key, await runCommand(redis.getBuffer(key)))
    if (!archive)
      throw new UserError(`corpus ${number} of the run is not in Redis, or not signed with the key of the queue`)
    return JSON.parse(gunzipSync(archive).toString()) as Corpus
  }
  const openCorpora = new Map<number, ReturnType<typeof systems.openCorpus>>()
  const perform = async (job: Job, crashes: number): Promise<JobOutput> => {
    const corpus = openCorpora.get(job.corpus) ?? systems.openCorpus(readCorpus(job.corpus))
    // in the order of their latest jobs
    openCorpora.delete(job.corpus)
    openCorpora.set(job.corpus, corpus)
    corpus.jobs.add(job)
    for (const [number, { jobs, close }] of openCorpora) {
      if (openCorpora.size <= maxCorpora || jobs.size > 0) break
      openCorpora.delete(number)
      await close()
    }
    return corpus.perform(job, crashes).finally(() => corpus.jobs.delete(job))
  }
  const resultOf = async (job: Job, crashes: number): Promise<JobResult> => {
    try {
      const output = await perform(job, crashes)
      const calls = [...usedKeys]
      usedKeys.clear()
      return { ...output, job: job.id, calls }
    } catch (error) {
      if (error instanceof UserError) return { error: messageOf(error) }
      return { error: `a worker failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}` }
    }
  }
  const jobsAtOnce = settings.concurrency ?? systems.concurrency
  const limit = pLimit(jobsAtOnce)
  const work = async ({ data, stalledCounter }: QueuedJob<string>): Promise<void> => {
    const payload = signatures.open(keys.queue, Buffer.from(data, 'base64'))
    if (!payload) return
    const result = await limit(() => resultOf(JSON.parse(payload.toString()) as Job, stalledCounter))
    signal.throwIfAborted()
    await runCommand(redis.rpush(keys.results, signatures.sign(keys.results, JSON.stringify(result))))
  }
  const worker = new bullmq.Worker<string>(queueName, work, {
    connection: redis,
    prefix: keys.prefix,
    // a quarter more is fetched ahead, so that no job waits for the queue
    concurrency: Math.ceil(1.25 * jobsAtOnce),
    lockDuration: leaseMs,
    stalledInterval: leaseMs / 10,
    // a job that ended its workers is a failure of its row
    maxStalledCount: Number.MAX_SAFE_INTEGER,
  })
  // BullMQ retries; losing Redis ends this worker
  worker.on('error', () => undefined)
  return {
    name: record.name,
    /** Ends what is under way, which is given up if the run has ended or Redis is lost. */
    async leave(hasEnded: boolean): Promise<void> {
      if (hasEnded) end.abort()
      const closing = worker.close(stop.signal.aborted)
      // without Redis it may never end
      if (!stop.signal.aborted) await closing
      for (const corpus of openCorpora.values()) await corpus.close()
      await systems.close()
    },
  }
}

/** Throws UserError for the first program, plug-in or variable that is not allowed here. */
function checkPermissions({ config, folder }: RunRecord, allow: readonly string[]): void {
  const allowedItems = new Set([...allow, ...allow.map((path) => resolve(path))])
  for (const { kind, name } of asksOf(config)) {
    const [program = ''] = name.split(' ')
    const item = kind === 'plug-in' ? resolve(folder, name) : kind === 'program' ? program : name
    const use = kind === 'variable' ? 'reads' : 'runs'
    const isHarmless = kind === 'server' || (kind === 'variable' && process.env[name] === undefined)
    if (!isHarmless && !allowedItems.has(item))
      throw new UserError(`the run ${use} the ${kind} ${item}, and this worker was not started with --allow ${item}`)
  }
}

/** Opens the methods and models of a run. Throws UserError if they differ from those of the run. */
async function openSystems(
  { code, folder: cwd, selectedMethods, config, name, style, ...record }: RunRecord,
  settings: Omit<Settings, 'results'>,
) {
  if (code !== codeIdentity())
    throw new UserError(`it runs ${code}, and here is ${codeIdentity()}; workers need the same version as the run`)
  const reading = { cwd, environment: process.env, ...(selectedMethods && { methods: selectedMethods }) }
  const plan = await readConfig({ value: config, name }, reading, registries)
  // the run has checked them against its dataset
  const entries = await methodEntriesOf(plan, { name, evidence: true }, { questions: 0, withoutEvidence: 0 })
  const entryById = new Map(entries.map((entry) => [entry.id, entry]))
  const openedModels = await openPlanModels(plan, settings)
  const { models } = openedModels
  if (settingsHash(entries, models) !== record.settings) {
    await openedModels.close()
    throw new UserError(
      'a file of a method or option, or a variable of the environment in its config, is not the same here as in the run',
    )
  }
  let unusable: UserError | undefined
  // no trial call, which every worker would wait for
  models.watch([], (why) => (unusable = why))
  const { budget, seed, limits, chunks, concurrency } = plan
  const context = { models, budget, seed, limits, style, signal: settings.signal }
  return {
    concurrency,
    close: openedModels.close,
    /** A corpus with its indexes. */
    openCorpus: (reading: Promise<Corpus>) => {
      const chunking = reading.then((corpus) => chunkWithModels(corpus, chunks, context))
      const parts = sharedParts()
      const indexes = new Map<string, Promise<BuiltIndex>>()
      const indexOf = async (entry: MethodEntry, at: IndexAt): Promise<BuiltIndex> => {
        const key = `${entry.id} ${at.repeat}`
        const building = indexes.get(key) ?? chunking.then((source) => buildIndex(at, entry, source, context, parts))
        indexes.set(key, building)
        const index = await building
        // a failed index is built again on demand
        if (index.line.failure) indexes.delete(key)
        return index
      }
      return {
        jobs: new Set<Job>(),
        async perform({ system, index: at, trial }: Job, crashes: number): Promise<JobOutput> {
          const entry = valueOf(entryById, system)
          const source = await chunking
          const failure = new Error(`${crashes} workers ended while they worked on it, and it was not begun again`)
          const isGivenUp = crashes >= maxCrashes
          const index = await (isGivenUp
            ? buildIndex(at, entry, { ...source, failure }, context, parts)
            : indexOf(entry, at))
          const { line, usage } = trial ? await runTrial(trial, entry, index, source, context) : index
          if (unusable) throw unusable
          const phases = trial ? (['retrieve', 'answer'] as const) : (['index'] as const)
          return { line, isStochastic: index.isStochastic, usage: phases.map((phase) => [phase, usage.totals(phase)]) }
        },
        /** Closes its indexes. */
        close: async (): Promise<void> => {
          for (const outcome of await Promise.allSettled(indexes.values()))
            if (outcome.status === 'fulfilled') await outcome.value.index?.close?.()
        },
      }
    },
  }
}
