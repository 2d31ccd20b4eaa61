import { dirname, isAbsolute, relative, resolve } from 'node:path'
import { makeFolder } from '../../basics/files.ts'
import type { Plan } from '../../config/index.ts'
import {
  hasRecords,
  ownOptions,
  questionsPlace,
  questionsWriter,
  readOwnDocuments,
  syntheticTag,
  type WrittenQuestion,
} from '../../datasets/index.ts'
import { messageOf, UserError } from '../../errors.ts'
import { createUsageCounter } from '../../models/index.ts'
import { draftQuestion } from '../../tasks/pieces.ts'
import { hashOf } from '../../text/hash.ts'
import { openPlanModels } from '../prepare/open-plan-models.ts'
import { requirePrices } from '../prepare/check-models.ts'
import { replaceFile } from '../results/journal.ts'
import { stopOf, type Settings } from '../prepare/settings.ts'
import { attemptsEach, callsPerDraft, draftQuestions, type LocatedDraft } from './draft-questions.ts'
import { chunk } from '../../chunking/index.ts'
import { mulberry32, seedFrom, shuffle } from '../../math/random.ts'
import { tokenizer } from '../../text/tokens.ts'
import { words } from '../../text/words.ts'
import type { Document } from '../../types.ts'

/** The request; `output` defaults to the file that the config reads its questions from. */
interface DraftRequest {
  readonly count: number
  readonly output?: string
}

/** What is known before the first call. */
export interface DraftPlan {
  readonly model: string
  readonly documents: number
  readonly chunks: number
  /** What is not read or too short, counted. */
  readonly leftOut: Readonly<Record<string, number>>
  /** Upper limit of calls, without repairs of replies. */
  readonly mostCalls: number
}

/** The drafts and their file; no file is written where no draft passed. */
export type DraftOutcome = Awaited<ReturnType<typeof writeDrafts>>

/**
 * Drafts questions from the documents of a plan's own data and writes those that pass. `tell` gets what is known
 * before the first call. Throws UserError for another dataset and for a file that holds questions already.
 */
export async function writeDrafts(
  plan: Plan,
  request: DraftRequest,
  settings: Settings,
  tell: (draftPlan: DraftPlan) => void,
) {
  const { use, path } = plan.dataset
  if (use !== 'files' || path === undefined)
    throw new UserError(`questions are drafted for documents of your own: the dataset of the config is "${use}"`)
  const options = ownOptions(plan.dataset.options)
  const read = await questionsPlace(path, options)
  const file = request.output === undefined ? read : resolve(request.output)
  const writer = questionsWriter(file, options)
  if (await hasRecords(file, options))
    throw new UserError(`${file}: holds questions or other records and is not overwritten; name another file with -o`)
  const inside = relative(path, file)
  // the next run would read it as a document
  if (file !== read && !inside.startsWith('..') && !isAbsolute(inside))
    throw new UserError(`${file}: lies among the documents and would be read as one; name a file elsewhere`)
  const { documents, leftOut } = await readOwnDocuments(path, options, plan.dataset.onBadRecord)
  const { chunks, tooShort } = sourceChunks(documents, plan.chunks, plan.seed)
  const { models, close } = await openPlanModels(plan, settings)
  try {
    requirePrices(['complete'], models, settings)
    const refusal = models.refusal('index', draftQuestion)
    if (refusal !== undefined) throw new UserError(refusal)
    const stop = stopOf(settings, models, ['complete'])
    const { complete } = models.describe()
    const model = [...new Set([complete.provider, complete.model])].join(' ')
    const mostCalls = chunks.length === 0 ? 0 : callsPerDraft * attemptsEach * request.count
    const short = tooShort > 0 ? { [`chunks of fewer than ${fewestWords} words`]: tooShort } : {}
    const unread = { ...leftOut, ...short }
    tell({ model, documents: documents.length, chunks: chunks.length, leftOut: unread, mostCalls })
    const usage = createUsageCounter()
    const seed = [plan.seed, 'questions']
    const scopedModels = models.scope({ phase: 'index', sample: 0, seed, counter: usage })
    const toRow = (draft: LocatedDraft): WrittenQuestion => writtenOf(draft, model)
    const isWritable = (draft: LocatedDraft): boolean => writer.isWritable(toRow(draft))
    const outcome = await draftQuestions({ ...request, documents, chunks, isWritable, stop }, scopedModels)
    if (outcome.questions.length > 0) await write(file, writer.text(outcome.questions.map(toRow)))
    return {
      ...outcome,
      file,
      isRead: file === read,
      model,
      usage: usage.totals('index'),
      ...(complete.price && { price: complete.price }),
    }
  } finally {
    await close()
  }
}

/** A drafted question as a row of the file; the id follows from its words. */
const writtenOf = ({ question, answer, evidence, documentId }: LocatedDraft, model: string): WrittenQuestion => ({
  id: `synthetic-${hashOf([question, documentId]).slice(0, 8)}`,
  question,
  answer,
  evidence,
  document: documentId,
  cluster: documentId,
  tags: syntheticTag,
  synthetic: model,
})

async function write(file: string, text: string): Promise<void> {
  try {
    makeFolder(dirname(file))
    await replaceFile(file, text)
  } catch (error) {
    throw new UserError(`${file}: cannot be written (${messageOf(error)})`, { cause: error })
  }
}

const fewestWords = 5

/** The chunks of documents in a random order: one of each document before a second of any. */
export function sourceChunks(documents: readonly Document[], settings: Plan['chunks'], seed: number) {
  const random = mulberry32(seedFrom(seed, 'questions'))
  const counter = tokenizer(settings.tokenizer)
  const cut = documents.map((document, index) => chunk(document, index, settings, counter))
  const long = cut.map((chunks) => chunks.filter(({ text }) => words(text).length >= fewestWords))
  const tooShort = cut.flat().length - long.flat().length
  const groups = shuffle(
    long.map((chunks) => shuffle(chunks, random)),
    random,
  )
  const turns = Math.max(0, ...groups.map(({ length }) => length))
  const chunks = Array.from({ length: turns }, (_, turn) =>
    groups.flatMap((group) => group.slice(turn, turn + 1)),
  ).flat()
  return { chunks, tooShort }
}
