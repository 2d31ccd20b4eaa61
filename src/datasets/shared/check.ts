import { z } from 'zod'
import { addFields } from '../../basics/collections.ts'
import { isObject } from '../../basics/plain-data.ts'
import { UserError } from '../../errors.ts'
import { question } from '../../records/question.ts'
import { validationErrors } from '../../text/validation-errors.ts'
import type { Corpus, Dataset, OnBadRecord, Question } from '../../types.ts'

/** Counts of a dataset. `tags`: questions by tag, without tags that only name an origin (`set:…`). */
export interface Counts {
  readonly corpora: number
  readonly documents: number
  readonly questions: number
  readonly tags: Readonly<Record<string, number>>
  /** Counts before anything is left out, where they differ from those above. */
  readonly holds?: Readonly<Record<string, number>>
  /** Counts of what the options leave out; the counts above exclude it. */
  readonly leftOut?: Readonly<Record<string, number>>
  /** Fault and place of the first malformed record that was left out. */
  readonly firstBadRecord?: string
}

/** Reads a dataset and counts. Throws UserError on what is malformed or breaks a promise of `checkedCorpora`. */
export async function checkDataset<O>(
  dataset: Dataset<O>,
  path: string,
  options: O,
  onBadRecord?: OnBadRecord,
): Promise<Counts> {
  let corpora = 0
  let documents = 0
  let questions = 0
  const tags = new Map<string, number>()
  let holds: Readonly<Record<string, number>> = {}
  let leftOut: Readonly<Record<string, number>> = {}
  let firstBadRecord: string | undefined
  for await (const corpus of checkedCorpora(dataset, path, options, onBadRecord)) {
    corpora++
    documents += corpus.documents.length
    questions += corpus.questions.length
    for (const tag of corpus.questions.flatMap((question) => question.tags ?? []))
      if (!tag.includes(':')) tags.set(tag, (tags.get(tag) ?? 0) + 1)
    holds = addFields(holds, corpus.holds ?? {})
    leftOut = addFields(leftOut, corpus.leftOut ?? {})
    firstBadRecord ??= corpus.firstBadRecord
  }
  return {
    corpora,
    documents,
    questions,
    tags: Object.fromEntries([...tags].sort(([a], [b]) => (a < b ? -1 : 1))),
    ...(Object.keys(holds).length > 0 && { holds }),
    ...(Object.keys(leftOut).length > 0 && { leftOut }),
    ...(firstBadRecord !== undefined && { firstBadRecord }),
  }
}

/**
 * The corpora of a dataset, each checked as it passes: shapes, unique ids, no empty documents and questions, answers in
 * references, evidence and steps in documents of the same corpus. Throws UserError.
 */
export async function* checkedCorpora<O>(
  dataset: Dataset<O>,
  path: string,
  options: O,
  onBadRecord?: OnBadRecord,
): AsyncGenerator<Corpus> {
  const faultsOf = corpusFaults(dataset)
  for await (const corpus of dataset.corpora(path, options, onBadRecord)) {
    for (const fault of faultsOf(corpus))
      throw new UserError(`${(await dataset.files(path, options)).join(', ')}: ${fault}`)
    yield corpus
  }
}

/** Gives all that is wrong with each corpus of a dataset, in their order, as `checkedCorpora` refuses it. */
export function corpusFaults(dataset: Promises): (corpus: Corpus) => Iterable<string> {
  const corpora = new Set<string>()
  const questions = new Set<string>()
  return function* (corpus) {
    const misshapen = shapeFaultsOf(corpus)
    if (misshapen.length > 0) return yield* misshapen
    const place = `corpus "${corpus.id}"`
    if (isRepeated(corpora, corpus.id)) yield `${place}: two corpora have this id`
    const documents = new Set<string>()
    if (corpus.documents.length === 0) yield `${place}: has no documents`
    for (const { id, text } of corpus.documents) {
      if (isRepeated(documents, id)) yield `${place}: two documents have the id "${id}"`
      if (text.trim() === '') yield `${place}: document "${id}" is empty`
    }
    for (const question of corpus.questions) {
      if (isRepeated(questions, question.id)) yield `${place}: two questions have the id "${question.id}"`
      for (const fault of faults(question, documents, dataset)) yield `${place}: question "${question.id}" ${fault}`
    }
  }
}

/** What a dataset declares about all its questions. */
type Promises = Pick<Dataset, 'evidence' | 'withoutAnswers'>

function* faults(
  { text, reference, evidence, decomposition }: Question,
  documents: ReadonlySet<string>,
  { evidence: evidencePromise, withoutAnswers }: Promises,
): Generator<string> {
  if (text.trim() === '') yield 'is empty'
  if (evidencePromise === true && !evidence)
    yield 'has no list of evidence, although the dataset declares one for every question'
  for (const { documentId, missing } of evidence ?? [])
    if (!missing && !documents.has(documentId))
      yield `has evidence in "${documentId}", which is not a document of this corpus`
  for (const { documentId } of decomposition ?? [])
    if (documentId !== undefined && !documents.has(documentId))
      yield `has a step in "${documentId}", which is not a document of this corpus`
  if (reference.kind === 'choice') {
    if (reference.options[reference.correct] === undefined) yield `has no option ${reference.correct}`
  } else if (reference.accepted.length === 0 && !withoutAnswers) yield 'has no accepted answer'
}

function isRepeated(ids: Set<string>, id: string) {
  const before = ids.size
  return ids.add(id).size === before
}

function shapeFaultsOf(corpus: unknown) {
  const name = isObject(corpus) && typeof corpus['id'] === 'string' ? `corpus "${corpus['id']}"` : 'a corpus'
  return validationErrors(corpusShape, corpus, advice).map(({ message }) => `${name}: ${message}`)
}

const text = z.string()
const counts = z.record(text, z.int().min(0)).optional()

const corpusShape = z.object({
  id: text,
  documents: z.array(z.object({ id: text, text, title: text.optional() })),
  questions: z.array(
    question.extend({
      notRelevant: z.record(text, z.number().max(0)).optional(),
      notInCorpus: z.record(text, z.number().positive()).optional(),
    }),
  ),
  holds: counts,
  leftOut: counts,
  firstBadRecord: text.optional(),
  answerable: z.literal(true).optional(),
  notes: z.array(text).optional(),
})

const advice = {
  'questions.reference': "give what is right, such as { kind: 'answer', accepted: [{ text: 'Ada' }] }",
  'questions.reference.accepted': 'give a list of { text } for an answer',
  'questions.reference.correct': 'give the index of the right option',
}
