import { rowName } from '../../text/names.ts'
import { readFile } from 'node:fs/promises'
import { messageOf, UserError } from '../../errors.ts'
import { methods, methods as builtIn } from '../../methods/index.ts'
import { describe, shapeFaults } from '../../text/shape-faults.ts'
import type { Chunk } from '../../types.ts'
import { locator } from '../asking/evidence.ts'
import type { Searchable } from '../asking/retrieve.ts'
import { savedFormat, savedIndexForm, savedVersion, type SavedIndex, embedderOf } from './form.ts'
import type { Plan, ReadSettings } from '../../config/index.ts'
import { createMeter } from '../../models/index.ts'
import { indexOf } from '../asking/build-index.ts'
import { cutCorpus } from '../asking/chunk-corpus.ts'
import {
  withPlanCorpus,
  withTextCorpus,
  type CorpusRequest,
  type IndexedMethod,
  type OpenedCorpus,
} from '../graph/with-corpus.ts'
import { version } from '../results/environment.ts'
import type { Settings } from '../settings.ts'

/** An index from a file, ready for questions, and what the file says of it. */
interface LoadedIndex extends Searchable, Pick<SavedIndex, 'answers' | 'chunking' | 'embedder'> {}

/**
 * Reads an index that `saveIndex` wrote. The file is not trusted: nothing in it is run, opened or fetched, and it takes
 * no more memory than a few times its own size. Throws UserError with one line that says where in it what is wrong.
 */
export async function loadIndex(file: string): Promise<LoadedIndex> {
  const value = await readJson(file)
  try {
    return await loadedIndex(value)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    throw new UserError(`${file}: ${messageOf(error).replace(/[\p{Cc}\p{Cf}]+/gu, ' ')}`, { cause: error })
  }
}

async function loadedIndex(value: unknown): Promise<LoadedIndex> {
  refuseOthers(value)
  const read = savedIndexForm.safeParse(value)
  if (!read.success) throw new UserError(shapeFaults(savedIndexForm, value, {})[0]?.message ?? 'is not readable')
  const { method: name, corpus: id, chunks, answers, chunking, embedder, index } = read.data
  const corpus = { id, documents: [], questions: [] }
  return {
    ...{ answers, chunking, embedder },
    ...(await loadedBy(name, index, chunks)),
    chunked: { corpus, chunks, locate: locator(corpus, chunks) },
  }
}

/** A file finds its method by name among the built-in ones. */
async function loadedBy(
  name: string,
  saved: unknown,
  chunks: readonly Chunk[],
): Promise<Pick<Searchable, 'method' | 'index'>> {
  const method = await methods.load(name)
  if (!method?.load) throw new UserError(`"method" is ${describe(name)}, which is no method whose index can be loaded`)
  try {
    return { method, index: method.load(saved, chunks) }
  } catch (error) {
    throw error instanceof UserError ? new UserError(`index: ${error.message}`, { cause: error }) : error
  }
}

/** What is said of a file that is something else, or of another version. */
function refuseOthers(value: unknown): void {
  const { format, version }: { format?: unknown; version?: unknown } =
    typeof value === 'object' && value !== null ? value : {}
  if (format !== savedFormat)
    throw new UserError(
      `is not an exported index: ${format === undefined ? 'it has no "format"' : `"format" is ${describe(format)}, not "${savedFormat}"`}; write one with gembench graph --format gem`,
    )
  if (version !== savedVersion)
    throw new UserError(
      `is an exported index of version ${describe(version)}, and this gembench reads version ${savedVersion}; export it again`,
    )
}

async function readJson(file: string): Promise<unknown> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UserError(`${file}: cannot be read (${messageOf(error)})`, { cause: error })
  })
  try {
    return JSON.parse(text)
  } catch (error) {
    // the parser's own message quotes the file
    const [, place] = /at position (\d+)/.exec(messageOf(error)) ?? []
    const at = place === undefined ? '' : ` (character ${Number(place) + 1} of ${text.length})`
    throw new UserError(`${file}: is not JSON, or was cut off${at}`, { cause: error })
  }
}

/** Builds the index of one corpus as data for a file. Throws UserError where the method cannot, and ModelError. */
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
  const chunked = await cutCorpus({ ...corpus, questions: [] }, opened.chunks, opened)
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
  const names = methods.map((entry) => `"${rowName(entry.row)}"`).join(', ')
  throw new UserError(
    methods.length === 1
      ? `the index of the method ${names} cannot be exported; the methods whose index can be: ${able}`
      : `none of these methods has an index that can be exported: ${names}; add one that has: ${able}`,
  )
}
