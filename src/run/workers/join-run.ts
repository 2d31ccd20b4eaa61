import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Job as QueuedJob } from 'bullmq'
import pLimit from 'p-limit'
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
import { keysOf, queueName, type Job, type JobOutput, type Outcome } from './messages.ts'
import { redisCalls } from './redis-calls.ts'
import { codeIdentity, modelsHash, type RunRecord } from './run-record.ts'

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

/** Milliseconds between two checks for jobs whose worker has ended. */
const stalledMs = 3000

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
    const bytes = await runCommand(redis.getBuffer(key))
    const archive = bytes && signatures.open(key, bytes)
    if (!archive)
      throw new UserError(`corpus ${number} of the run is not in Redis, or not signed with the key of the queue`)
    return JSON.parse(gunzipSync(archive).toString()) as Corpus
  }
  const resultOf = async (job: Job, crashes: number): Promise<Outcome> => {
    const message = `${crashes} workers ended while they worked on it, and it was not begun again`
    if (crashes >= maxCrashes) return { failure: { phase: job.trial ? 'retrieve' : 'index', kind: 'method', message } }
    try {
      return await systems.perform(job, readCorpus)
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
    const job = JSON.parse(payload.toString()) as Job
    const lock = `${keys.queue}:${job.id}:lock`
    connection.renew(lock)
    try {
      const outcome = await limit(() => resultOf(job, stalledCounter))
      signal.throwIfAborted()
      const result = JSON.stringify({ ...outcome, job: job.id, calls: [...usedKeys] })
      usedKeys.clear()
      await runCommand(redis.rpush(keys.results, signatures.sign(keys.results, result)))
    } finally {
      connection.release(lock)
    }
  }
  const worker = new bullmq.Worker<string>(queueName, work, {
    connection: redis,
    prefix: keys.prefix,
    // a quarter more is fetched ahead, so that no job waits for the queue
    concurrency: Math.ceil(1.25 * jobsAtOnce),
    // a thread renews the locks, also while the main thread computes
    lockDuration: leaseMs,
    skipLockRenewal: true,
    stalledInterval: stalledMs,
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
      await systems.close()
    },
  }
}

/** Throws UserError for the first program, plug-in or variable that is not allowed here. */
function checkPermissions({ config, folder }: RunRecord, allow: readonly string[]): void {
  const allowedItems = new Set([...allow, ...allow.map((path) => resolve(path))])
  for (const { kind, name } of asksOf(config)) {
    const [program = ''] = name.split(' ')
    const [item, use] =
      kind === 'plug-in'
        ? [resolve(folder, name), `runs the plug-in ${resolve(folder, name)}`]
        : kind === 'program'
          ? [program, `runs the program ${program}`]
          : [name, `reads the variable ${name}`]
    const isHarmless = kind === 'server' || (kind === 'variable' && process.env[name] === undefined)
    if (!isHarmless && !allowedItems.has(item))
      throw new UserError(`the run ${use}, and this worker was not started with --allow ${item}`)
  }
}

/** Corpora that a worker keeps open with their indexes. */
const maxCorpora = 8

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
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  if (record.methods.some((id) => !byId.has(id)))
    throw new UserError('the file of a method, or of an option, is not the same here as in the run')
  const openedModels = await openPlanModels(plan, settings)
  const { models } = openedModels
  if (modelsHash(models) !== record.models) {
    await openedModels.close()
    throw new UserError(
      'its models are not those of the run: a variable of the environment in its config has another value here',
    )
  }
  let unusable: UserError | undefined
  // no trial call: each of many workers would wait for one before its first job
  models.watch([], (why) => (unusable = why))
  const { budget, seed, limits, chunks, concurrency } = plan
  const context = { models, budget, seed, limits, style, signal: settings.signal }

  /** A corpus with its indexes. */
  const openCorpus = (reading: Promise<Corpus>) => {
    const chunking = reading.then((corpus) => chunkWithModels(corpus, chunks, context))
    const parts = sharedParts()
    const indexes = new Map<string, Promise<BuiltIndex>>()
    const jobs = new Set<Promise<unknown>>()
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
      async perform(entry: MethodEntry, { index: at, trial }: Job): Promise<JobOutput> {
        const index = await indexOf(entry, at)
        const { line, usage } = trial ? await runTrial(trial, entry, index, await chunking, context) : index
        if (unusable) throw unusable
        const phases = trial ? (['retrieve', 'answer'] as const) : (['index'] as const)
        return { line, isStochastic: index.isStochastic, usage: phases.map((phase) => [phase, usage.totals(phase)]) }
      },
      jobs,
      /** Closes its indexes after its last job. */
      async close(): Promise<void> {
        await Promise.allSettled(jobs)
        for (const outcome of await Promise.allSettled(indexes.values()))
          if (outcome.status === 'fulfilled') await outcome.value.index?.close?.()
      },
    }
  }
  const openCorpora = new Map<number, ReturnType<typeof openCorpus>>()
  return {
    concurrency,
    async perform(job: Job, readCorpus: (number: number) => Promise<Corpus>): Promise<JobOutput> {
      const entry = byId.get(job.system)
      if (!entry) throw new Error(`no system ${job.system} is in the record of the run`)
      const corpus = openCorpora.get(job.corpus) ?? openCorpus(readCorpus(job.corpus))
      // the last one is that of the latest job
      openCorpora.delete(job.corpus)
      openCorpora.set(job.corpus, corpus)
      const [oldest] = openCorpora
      if (oldest && openCorpora.size > maxCorpora) {
        openCorpora.delete(oldest[0])
        void oldest[1].close()
      }
      const output = corpus.perform(entry, job)
      corpus.jobs.add(output)
      return output.finally(() => corpus.jobs.delete(output))
    },
    async close(): Promise<void> {
      for (const corpus of openCorpora.values()) await corpus.close()
      await openedModels.close()
    },
  }
}
