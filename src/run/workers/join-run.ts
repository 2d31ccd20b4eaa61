import { resolve } from 'node:path'
import pLimit from 'p-limit'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import type { Job as QueuedJob } from 'bullmq'
import { asksOf, readConfig } from '../../config/index.ts'
import { messageOf, UserError } from '../../errors.ts'
import type { Corpus, Phase, Question } from '../../types.ts'
import { runTrial } from '../execute/run-trial.ts'
import { buildIndex, sharedParts, type BuiltIndex, type IndexAt } from '../execute/build-index.ts'
import { chunkWithModels } from '../execute/chunk-corpus.ts'
import { registries } from '../plug-ins/registries.ts'
import { methodEntriesOf, type MethodEntry } from '../prepare/method-entries.ts'
import { openPlanModels } from '../prepare/open-plan-models.ts'
import type { Settings } from '../prepare/settings.ts'
import { leaseMs, type Connection } from './connect-redis.ts'
import { jobName, keysOf, loadBullmq, queueName, type JobOutput, type Job, type Outcome } from './messages.ts'
import { redisCalls, type RedisCalls } from './redis-calls.ts'
import { modelsHash, codeIdentity, type RunRecord } from './run-record.ts'

/** Settings of a worker. */
export interface WorkerSettings extends Pick<Settings, 'cacheFolder' | 'cache' | 'signal'> {
  /** Concurrent jobs of a run (default: the concurrency of its config). */
  readonly concurrency?: number
  /** Programs, plug-in files and environment variables that runs may use. */
  readonly allow: readonly string[]
  readonly say: (line: string) => void
}

/** The participation of a worker in one run. */
export type Participation = Awaited<ReturnType<typeof joinRun>>

/** Workers that may end during a job before it fails. */
const maxCrashes = 3

/** Milliseconds between two checks for jobs whose worker has ended. */
const stalledMs = 3000

/** Joins a run. Throws UserError if a file, variable or version of the run is missing or different here. */
export async function joinRun(record: RunRecord, connection: Connection, settings: WorkerSettings) {
  const { redis, runCommand, signatures, disconnectSignal } = connection
  const { say, concurrency } = settings
  const { Worker, WaitingError } = await loadBullmq()
  const keys = keysOf(record.id)
  const end = new AbortController()
  const signal = AbortSignal.any([end.signal, settings.signal, disconnectSignal])
  const sharedCalls = await redisCalls(connection, { run: record.id, isCached: record.cache, signal })
  checkPermissions(record, settings.allow)
  const runContext = await openRun(record, connection, sharedCalls, { ...settings, signal })
  const jobsAtOnce = concurrency ?? runContext.concurrency
  const limit = pLimit(jobsAtOnce)
  let jobCount = 0

  const resultOf = async (job: Job, crashes: number): Promise<Outcome> => {
    if (crashes >= maxCrashes) return { endedWorkers: crashes }
    try {
      return await runContext.perform(job)
    } catch (error) {
      if (error instanceof UserError) return { userError: messageOf(error) }
      return { internalError: error instanceof Error ? (error.stack ?? error.message) : String(error) }
    }
  }
  const work = async (queuedJob: QueuedJob<string>, token?: string): Promise<void> => {
    const payload = signatures.open(keys.job, Buffer.from(queuedJob.data, 'base64'))
    if (!payload) return
    const job = JSON.parse(payload.toString()) as Job
    const lock = keys.lock(jobName(job))
    connection.renew(lock)
    try {
      const outcome = await limit(() => resultOf(job, queuedJob.stalledCounter))
      signal.throwIfAborted()
      const result = JSON.stringify({ ...outcome, job: jobName(job), calls: sharedCalls.takeKeys() })
      const sending = runCommand(redis.rpush(keys.results, signatures.sign(keys.results, result)))
      await Promise.all([sending, sharedCalls.finishWrites()])
      jobCount++
    } catch (error) {
      if (!signal.aborted) say(messageOf(error))
      // gives the job to another worker; fails if the run has ended
      await queuedJob.moveToWait(token).catch(() => undefined)
      throw new WaitingError()
    } finally {
      connection.release(lock)
    }
  }
  const worker = new Worker<string>(queueName, work, {
    connection: redis,
    prefix: keys.prefix,
    // a quarter more is fetched ahead, so that no job waits for the queue
    concurrency: Math.ceil(1.25 * jobsAtOnce),
    // a thread renews the locks, also while the main thread computes
    lockDuration: leaseMs,
    skipLockRenewal: true,
    stalledInterval: stalledMs,
    maxStalledCount: Number.MAX_SAFE_INTEGER,
    removeOnComplete: { count: 0 },
    removeOnFail: { count: 0 },
  })
  // BullMQ retries; losing Redis ends this worker
  worker.on('error', () => undefined)
  return {
    name: record.name,
    done: () => jobCount,
    /** Cancels calls and returns jobs to the queue. */
    async close(): Promise<void> {
      end.abort()
      // without Redis no job can be returned
      if (disconnectSignal.aborted) await Promise.race([worker.close(true).catch(() => undefined), sleep(1000)])
      else await worker.close()
      sharedCalls.close()
      await runContext.close()
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

/**
 * Answers a question with rule-based models, so that modules, tokenizer and prompts are loaded before the first run:
 * otherwise its first jobs take a second.
 */
export async function warmUp(signal: AbortSignal): Promise<void> {
  const config = { name: 'warm-up', dataset: 'sample', methods: ['bm25'], models: { embed: 'fake' } }
  const plan = await readConfig({ value: config, name: 'warm-up' }, { cwd: process.cwd(), environment: {} }, registries)
  const { models, close } = await openPlanModels(plan, { cacheFolder: '', cache: false, signal })
  const { budget, seed, limits, chunks } = plan
  const context = { models, budget, seed, limits, style: 'by-reference' as const, signal }
  // a number with a unit and a date load the tables by which references are read
  const reference = { kind: 'answer' as const, accepted: [{ text: '5 grams on 3 May' }] }
  const question: Question = { id: 'question', text: 'Who purrs?', reference }
  const corpus = { id: 'corpus', documents: [{ id: 'cats', text: 'Cats purr.' }], questions: [] }
  const chunkedCorpus = await chunkWithModels(corpus, chunks, context)
  for (const entry of await methodEntriesOf(plan, ...uncheckedDataset)) {
    const index = await buildIndex({ id: 'index', repeat: 0 }, entry, chunkedCorpus, context, sharedParts())
    await runTrial({ id: 'trial', question, repeat: 0 }, entry, index, chunkedCorpus, context)
  }
  await close()
  await registries.models.load('openai')
}

/** A dataset that methods are not checked against: the run has done that. */
const uncheckedDataset = [
  { name: '', evidence: true },
  { questions: 0, withoutEvidence: 0 },
] as const

/** Corpora that a worker keeps open with their indexes. */
const maxCorpora = 8

/** Opens the methods and models of a run. Throws UserError if they differ from those of the run. */
async function openRun(
  { code, folder: cwd, selectedMethods: methods, config, name, ...record }: RunRecord,
  { redis, runCommand, signatures }: Connection,
  sharedCalls: RedisCalls,
  { cacheFolder, cache, signal, say: warn }: WorkerSettings,
) {
  if (code !== codeIdentity())
    throw new UserError(`it runs ${code}, and here is ${codeIdentity()}; workers need the same version as the run`)
  const settings = { cwd, environment: process.env, ...(methods && { methods }) }
  const plan = await readConfig({ value: config, name }, settings, registries)
  const entries = await methodEntriesOf(plan, ...uncheckedDataset)
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  if (record.methods.some((id) => !byId.has(id)))
    throw new UserError('the file of a method, or of an option, is not the same here as in the run')
  const openedModels = await openPlanModels(plan, {
    cacheFolder,
    cache: cache && record.cache,
    signal,
    warn,
    sharedCalls,
  })
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
  const context = { models, budget, seed, limits, style: record.style, signal }

  const openCorpus = async (number: number) => {
    const key = keysOf(record.id).corpus(number)
    const bytes = await runCommand(redis.getBuffer(key))
    const archive = bytes && signatures.open(key, bytes)
    if (!archive)
      throw new UserError(`corpus ${number} of the run is not in Redis, or not signed with the key of the queue`)
    const corpus = JSON.parse(gunzipSync(archive).toString()) as Corpus
    return { chunked: await chunkWithModels(corpus, chunks, context), parts: sharedParts() }
  }
  /** A corpus with its indexes and the number of its active jobs. */
  const openCorpusState = (number: number) => {
    const corpus = openCorpus(number)
    const indexes = new Map<string, Promise<BuiltIndex>>()
    const indexOf = async (entry: MethodEntry, at: IndexAt): Promise<BuiltIndex> => {
      const key = `${entry.id} ${at.repeat}`
      const { chunked, parts } = await corpus
      const building = indexes.get(key) ?? buildIndex(at, entry, chunked, context, parts)
      indexes.set(key, building)
      const index = await building
      // a failed index is built again on demand
      if (index.line.failure) indexes.delete(key)
      return index
    }
    const close = async (): Promise<void> => {
      for (const index of indexes.values()) await (await index).index?.close?.()
    }
    return { corpus, indexOf, close, jobs: 0 }
  }
  const openCorpora = new Map<number, ReturnType<typeof openCorpusState>>()
  /** The state of a corpus; closes the least recently used corpora without jobs. */
  const corpusStateOf = (number: number) => {
    const corpusState = openCorpora.get(number) ?? openCorpusState(number)
    openCorpora.delete(number)
    openCorpora.set(number, corpusState)
    for (const [otherNumber, { jobs, close }] of openCorpora) {
      if (openCorpora.size <= maxCorpora) break
      if (jobs === 0 && otherNumber !== number) {
        openCorpora.delete(otherNumber)
        void close()
      }
    }
    return corpusState
  }
  return {
    concurrency,
    async perform({ corpus, system, index, trial }: Job): Promise<JobOutput> {
      const entry = byId.get(system)
      if (!entry) throw new Error(`no system ${system} is in the record of the run`)
      const place = corpusStateOf(corpus)
      place.jobs++
      try {
        const builtIndex = await place.indexOf(entry, index)
        const { chunked } = await place.corpus
        const { line, usage } = trial ? await runTrial(trial, entry, builtIndex, chunked, context) : builtIndex
        if (unusable) throw unusable
        const phases: readonly Phase[] = trial ? ['retrieve', 'answer'] : ['index']
        const phaseUsage = Object.fromEntries(phases.map((phase) => [phase, usage.totals(phase)]))
        return { line, isStochastic: builtIndex.isStochastic, usage: phaseUsage }
      } finally {
        place.jobs--
      }
    },
    async close(): Promise<void> {
      for (const { close } of openCorpora.values()) await close()
      await openedModels.close()
    },
  }
}
