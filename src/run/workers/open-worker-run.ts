import pLimit from 'p-limit'
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
import { type MethodEntry, startsProcesses, methodEntriesOf } from '../prepare/method-entries.ts'
import type { Place } from '../asking/performer.ts'
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
