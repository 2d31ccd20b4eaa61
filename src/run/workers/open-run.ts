import { gunzipSync } from 'node:zlib'
import { once } from '../../basics/memoise.ts'
import { readConfigValue } from '../../config/index.ts'
import { UserError } from '../../errors.ts'
import type { SharedCalls } from '../../models/index.ts'
import type { Corpus } from '../../types.ts'
import { ask } from '../asking/ask.ts'
import { buildIndex, type BuiltIndex } from '../asking/build-index.ts'
import { chunkCorpus } from '../asking/chunk-corpus.ts'
import type { MethodEntry } from '../asking/method-entry.ts'
import type { Place } from '../asking/performer.ts'
import { sharedParts } from '../asking/shared-parts.ts'
import { menus } from '../plug-ins/menus.ts'
import { methodEntriesOf } from '../prepare/method-entries.ts'
import { openPlanModels } from '../prepare/open-plan-models.ts'
import type { Settings } from '../settings.ts'
import { spentOf, type Job, type Made } from './jobs.ts'
import { modelsHash, type RunRecord } from './run-record.ts'
import { differenceOf, ownCode } from './same-code.ts'

/** A run as a worker takes part in it. */
export interface OpenedRun {
  /** Jobs at the same time, where nothing else is asked for. */
  readonly concurrency: number
  /** Does a job. Throws what would end the run. */
  perform(job: Job): Promise<Made>
  close(): Promise<void>
}

/** Where a worker gets what is not in the record of a run. */
export interface Sources {
  readonly shared: SharedCalls
  /** The compressed documents of a corpus. */
  corpus(number: number): Promise<Buffer>
}

/** Corpora, with their indexes, that a worker keeps at the same time. */
const mostPlaces = 8

/** Opens what a run names. Throws UserError where it is not here, or not as it is where `run` was called. */
export async function openRun(
  record: RunRecord,
  settings: Omit<Settings, 'results'>,
  sources: Sources,
): Promise<OpenedRun> {
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
        void left.then(letGo)
      }
    return place
  }
  const bring = async (number: number): Promise<PlaceOfIndexes> => {
    const corpus = JSON.parse(gunzipSync(await sources.corpus(number)).toString()) as Corpus
    const chunked = once(() => chunkCorpus(corpus, plan.chunks))
    const place = { corpus, chunked, parts: sharedParts(entries) }
    return { ...place, indexes: new Map(), jobs: 0, isLeft: false }
  }
  const indexOf = async (
    entry: MethodEntry,
    { id, repeat }: { id: string; repeat: number },
    place: PlaceOfIndexes,
  ): Promise<BuiltIndex> => {
    const key = `${entry.id} ${repeat}`
    const built = place.indexes.get(key) ?? buildIndex({ id, repeat }, entry, place.chunked(), conditions, place.parts)
    place.indexes.set(key, built)
    // one that failed is built again for the next that needs it
    if ((await built).line.failure) place.indexes.delete(key)
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
          job.kind === 'index' ? built : await ask(job.at, entry, built, place.chunked(), conditions)
        if (unusable) throw unusable
        return { line, drew: built.drew, spent: spentOf(meter) }
      } finally {
        place.jobs--
        if (place.isLeft) await letGo(place)
      }
    },
    async close() {
      for (const place of places.values()) await letGo(await place)
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
async function letGo(place: PlaceOfIndexes): Promise<void> {
  place.isLeft = true
  if (place.jobs > 0) return
  for (const built of place.indexes.values()) await (await built).index?.close?.()
}
