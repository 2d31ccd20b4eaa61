import { UserError } from '../../errors.ts'
import type { Settings } from '../settings.ts'
import { type Job, spentOf, type Made } from './worker-performer.ts'
import { type RunRecord, modelsHash, differenceOf, ownCode } from './run-record.ts'
import { gunzipSync } from 'node:zlib'
import { readConfigValue } from '../../config/index.ts'
import type { SharedCalls } from '../../models/index.ts'
import type { Corpus } from '../../types.ts'
import { ask } from '../asking/ask.ts'
import { buildIndex, type BuiltIndex, sharedParts } from '../asking/build-index.ts'
import { cutCorpus } from '../asking/chunk-corpus.ts'
import { type MethodEntry, methodEntriesOf } from '../prepare/method-entries.ts'
import type { Place } from '../asking/executor.ts'
import { menus } from '../plug-ins/menus.ts'
import { openPlanModels } from '../prepare/open-plan-models.ts'

/** Where a worker gets what is not in the record of a run. */
interface Sources {
  readonly shared: SharedCalls
  /** The compressed documents of a corpus. */
  corpus(number: number): Promise<Buffer>
}

/** Corpora, with their indexes, that a worker keeps at the same time. */
const mostPlaces = 8

/** Opens what a run names. Throws UserError where it is not here, or not as it is where `run` was called. */
export async function openWorkerRun(
  record: RunRecord,
  settings: Omit<Settings, 'results'>,
  sources: Sources,
): Promise<{
  readonly concurrency: number
  readonly perform: (job: Job) => Promise<Made>
  readonly close: () => Promise<void>
}> {
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
  const { budget, seed, limits } = plan
  let unusable: UserError | undefined
  models.watch(['complete', 'answer', 'embed'], (why) => (unusable = why))
  const conditions = { models, budget, seed, limits, style: record.style, ended: settings.signal }
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
    const place = { corpus, chunked, parts: sharedParts() }
    return { ...place, indexes: new Map(), jobs: 0, isLeft: false }
  }
  const indexOf = async (
    entry: MethodEntry,
    { id, repeat }: { id: string; repeat: number },
    { indexes, chunked, parts }: PlaceOfIndexes,
  ): Promise<BuiltIndex> => {
    const key = `${entry.id} ${repeat}`
    const building = indexes.get(key) ?? buildIndex({ id, repeat }, entry, chunked, conditions, parts)
    indexes.set(key, building)
    const built = await building
    // one that failed is built again for the next that needs it
    if (built.line.failure) indexes.delete(key)
    return built
  }

  return {
    concurrency: plan.concurrency,
    async perform(job) {
      const entry = byId.get(job.method)
      if (!entry) throw new Error(`no method ${job.method} is in the record of the run`)
      const place = await placeOf(job.corpus)
      place.jobs++
      try {
        const built = await indexOf(entry, { id: job.at.id, repeat: job.repeat }, place)
        const { line, meter } =
          job.kind === 'index' ? built : await ask(job.at, entry, built, place.chunked, conditions)
        if (unusable) throw unusable
        return { line, isStochastic: built.isStochastic, spent: spentOf(meter) }
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
  readonly indexes: Map<string, Promise<BuiltIndex>>
  jobs: number
  isLeft: boolean
}

/** Closes the indexes of a corpus that no more jobs come to, once none is under way. */
async function closeWhenIdle(place: PlaceOfIndexes): Promise<void> {
  place.isLeft = true
  if (place.jobs > 0) return
  for (const built of place.indexes.values()) await (await built).index?.close?.()
}
