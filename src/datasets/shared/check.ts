import { UserError } from '../../errors.ts'
import type { Corpus, Dataset, Question } from '../../types.ts'
import { corpusFault } from './corpus-shape.ts'

/** What a dataset holds. `tags` maps a tag to its number of questions; tags that only name an origin (`set:…`) are left out. */
export interface Counts {
  readonly corpora: number
  readonly documents: number
  readonly questions: number
  readonly tags: Readonly<Record<string, number>>
  /** What the files hold before anything is left out, where the counts above do not tell it. */
  readonly holds?: Readonly<Record<string, number>>
  /** What the files hold and the options leave out; before it was left out, the counts were larger by as much. */
  readonly leftOut?: Readonly<Record<string, number>>
  /** What is wrong with the first record that was left out because it could not be read, and where it stands. */
  readonly firstBadRecord?: string
}

/** Reads a dataset to its end and counts. Throws UserError on what is malformed or breaks the promises of `checkedCorpora`. */
export async function checkDataset<O>(dataset: Dataset<O>, path: string, options: O): Promise<Counts> {
  let corpora = 0
  let documents = 0
  let questions = 0
  const tags = new Map<string, number>()
  const holds: Record<string, number> = {}
  const leftOut: Record<string, number> = {}
  let firstBadRecord: string | undefined
  for await (const corpus of checkedCorpora(dataset, path, options)) {
    corpora++
    documents += corpus.documents.length
    questions += corpus.questions.length
    for (const tag of corpus.questions.flatMap((question) => question.tags ?? []))
      if (!tag.includes(':')) tags.set(tag, (tags.get(tag) ?? 0) + 1)
    for (const [what, count] of Object.entries(corpus.holds ?? {})) holds[what] = (holds[what] ?? 0) + count
    for (const [what, count] of Object.entries(corpus.leftOut ?? {}))
      if (count > 0) leftOut[what] = (leftOut[what] ?? 0) + count
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
 * The corpora of a dataset, each checked as it passes: everything has the shape of its type, ids are unique (of corpora and questions in the dataset, of documents in their
 * corpus), no document or question is empty, every reference holds an answer, evidence and decomposition lie in documents of the same corpus.
 */
export async function* checkedCorpora<O>(dataset: Dataset<O>, path: string, options: O): AsyncGenerator<Corpus> {
  const corpora = new Set<string>()
  const questions = new Set<string>()
  let files: readonly string[] | undefined
  for await (const corpus of dataset.corpora(path, options)) {
    files ??= await dataset.files(path, options)
    const read = files.join(', ')
    const misshapen = corpusFault(corpus)
    if (misshapen !== undefined) throw new UserError(`${read}: ${misshapen}`)
    const [problem] = problems(corpus, corpora, questions, dataset)
    if (problem !== undefined) throw new UserError(`${read}: corpus "${corpus.id}": ${problem}`)
    yield corpus
  }
}

function* problems(corpus: Corpus, corpora: Set<string>, questions: Set<string>, dataset: Promises): Generator<string> {
  if (isKnown(corpora, corpus.id)) yield 'two corpora have this id'
  const documents = new Set<string>()
  if (corpus.documents.length === 0) yield 'has no documents'
  for (const { id, text } of corpus.documents) {
    if (isKnown(documents, id)) yield `two documents have the id "${id}"`
    if (text.trim() === '') yield `document "${id}" is empty`
  }
  for (const question of corpus.questions) {
    if (isKnown(questions, question.id)) yield `two questions have the id "${question.id}"`
    for (const fault of faults(question, documents, dataset)) yield `question "${question.id}" ${fault}`
  }
}

/** What a dataset says of all its questions. */
type Promises = Pick<Dataset, 'evidence' | 'withoutAnswers'>

function* faults(
  { text, reference, evidence, decomposition }: Question,
  documents: ReadonlySet<string>,
  { evidence: promised, withoutAnswers }: Promises,
): Generator<string> {
  if (text.trim() === '') yield 'is empty'
  if (promised === true && !evidence)
    yield 'has no list of evidence, although the dataset declares one for every question'
  for (const { documentId } of evidence ?? [])
    if (!documents.has(documentId)) yield `has evidence in "${documentId}", which is not a document of this corpus`
  for (const { documentId } of decomposition ?? [])
    if (documentId !== undefined && !documents.has(documentId))
      yield `has a step in "${documentId}", which is not a document of this corpus`
  if (reference.kind === 'choice') {
    if (reference.options[reference.correct] === undefined) yield `has no option ${reference.correct}`
  } else if (reference.accepted.length === 0 && !withoutAnswers) yield 'has no accepted answer'
}

function isKnown(known: Set<string>, id: string): boolean {
  const before = known.size
  return known.add(id).size === before
}
