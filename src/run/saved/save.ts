import type { Plan, ReadSettings } from '../../config/index.ts'
import { UserError } from '../../errors.ts'
import { methods as builtIn } from '../../methods/index.ts'
import { createMeter } from '../../models/index.ts'
import { indexOf } from '../asking/build-index.ts'
import { chunkCorpus } from '../asking/chunk-corpus.ts'
import { labelOf } from '../find-by-name.ts'
import {
  withPlanCorpus,
  withTextCorpus,
  type CorpusRequest,
  type IndexedMethod,
  type OpenedCorpus,
} from '../graph/with-corpus.ts'
import { version } from '../results/environment.ts'
import type { Settings } from '../settings.ts'
import { embedderOf } from './embedder.ts'
import { savedFormat, savedVersion, type SavedIndex } from './form.ts'

/** Builds the index of one corpus of a plan, as data for a file. Throws UserError where the method has no such form, and ModelError when the index cannot be built. */
export const saveIndex = (plan: Plan, request: CorpusRequest, settings: Settings): Promise<SavedIndex> =>
  withPlanCorpus(plan, request, settings, savedIndexOf)

/** The same of a text file, without a config. */
export const saveTextIndex = (
  file: string,
  request: Pick<CorpusRequest, 'method'>,
  settings: Settings & ReadSettings,
): Promise<SavedIndex> => withTextCorpus(file, request, settings, savedIndexOf)

async function savedIndexOf(opened: OpenedCorpus): Promise<SavedIndex> {
  const { corpus, models, style } = opened
  const entry = await firstSavable(opened.methods)
  const chunked = chunkCorpus({ ...corpus, questions: [] }, opened.chunks)
  const index = await indexOf(entry, chunked, opened, createMeter())
  return {
    ...{ format: savedFormat, version: savedVersion, gembench: version() },
    ...{ method: entry.method.name, corpus: corpus.id, answers: style, embedder: embedderOf(models) },
    ...{ chunking: opened.chunks, chunks: chunked.chunks, index: index.save?.() },
  }
}

/** Known before anything is asked. Only a built-in method can be found again by the name that a file holds. */
async function firstSavable(methods: readonly IndexedMethod[]): Promise<IndexedMethod> {
  for (const entry of methods)
    if (entry.method.load && (await builtIn.load(entry.method.name)) === entry.method) return entry
  const able = (await builtIn.all()).flatMap((method) => (method.load ? [method.name] : [])).join(', ')
  const names = methods.map((entry) => `"${labelOf(entry)}"`).join(', ')
  throw new UserError(
    methods.length === 1
      ? `the index of the method ${names} cannot be exported; the methods whose index can be: ${able}`
      : `none of these methods has an index that can be exported: ${names}; add one that has: ${able}`,
  )
}
