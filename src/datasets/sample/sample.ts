import { basename, join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { unknownName } from '../../text/names.ts'
import { paragraphs, type SentenceSpan } from '../../text/sentences.ts'
import type { Document, AcceptedAnswer, Evidence, Question, Corpus } from '../../types.ts'
import { recordsOf, words } from '../../formats/records.ts'
import { wholeText } from '../../formats/text-file.ts'
import { exists, filesIn } from '../shared/official-file.ts'
import { type MalformedRecords, publishedDataset } from '../shared/reading.ts'

const options = z.strictObject({
  kinds: z
    .enum(['all', 'choice', 'answer', 'summary'])
    .default('all')
    .describe(
      'Which questions to ask: all that are asked of all documents, or those of one kind; summary: one request a document, in a corpus of its own',
    ),
})

/** The dataset of this project, or a folder of the same form (datasets/sample/README.md): one corpus. */
export const sample = publishedDataset({
  name: 'sample',
  summary:
    'Eight invented texts that refer to one another, with questions of every kind; for trying gembench out, not a published benchmark.',
  source: 'datasets/sample/README.md',
  licence: 'MIT',
  layout: 'a folder with `documents/*.md` and `questions.jsonl`; `summaries.jsonl` with `kinds: summary`',
  options,
  evidence: true,
  answers: 'short',
  files: filesOf,
  async *corpora({ files, options: { kinds }, bad }) {
    const [documentFiles, [questionFile = '']] = [files.slice(0, -1), files.slice(-1)]
    const documents = await Promise.all(documentFiles.map(readDocument))
    if (kinds === 'summary') {
      yield* summaryCorpora(questionFile, documents, bad)
      return
    }
    const all = await readQuestions(questionFile, documents, bad)
    const questions = all.filter(({ reference }) => kinds === 'all' || reference.kind === kinds)
    if (questions.length === 0) throw new UserError(`${questionFile}: contains no question of kind "${kinds}"`)
    yield { id: 'sample', documents, questions }
  },
})

/** The documents in byte order, and the file of questions. Throws UserError naming what is not there. */
async function filesOf(path: string, { kinds }: z.output<typeof options>): Promise<readonly [string, ...string[]]> {
  const name = kinds === 'summary' ? 'summaries.jsonl' : 'questions.jsonl'
  const form = `the dataset must be a folder with documents/*.md and ${name}`
  const documents = await filesIn(join(path, 'documents'), '.md', form)
  const questions = join(path, name)
  if (!(await exists(questions))) throw new UserError(`${questions}: no such file; ${form}`)
  return [...documents, questions]
}

/** A file as a document: its name without `.md` is the id, its first line the title. CRLF becomes LF. */
async function readDocument(file: string): Promise<Document> {
  const text = (await wholeText(file)).replaceAll('\r\n', '\n')
  const title = /^# +(\S.*)/.exec(text)?.[1]?.trim()
  if (title === undefined) throw new UserError(`${file}:1: the first line is not a title; write "# Title"`)
  return { id: basename(file, '.md'), text, title }
}

const places = z.array(z.strictObject({ document: words, paragraph: words }))
const common = { id: words, question: words, evidence: places, tags: z.array(words).default([]) }
const questionSchema = z.discriminatedUnion('kind', [
  z.strictObject({ ...common, kind: z.literal('choice'), options: z.array(words).min(2), correct: z.int().positive() }),
  z.strictObject({
    ...common,
    kind: z.literal('answer'),
    accepted: z
      .array(
        z.discriminatedUnion('type', [
          z.strictObject({ type: z.enum(['extractive', 'abstractive']), text: words, evidence: places.optional() }),
          z.strictObject({ type: z.literal('boolean'), text: z.enum(['Yes', 'No']), evidence: places.optional() }),
          z.strictObject({ type: z.literal('unanswerable'), text: z.literal('Unanswerable') }),
        ]),
      )
      .min(1),
  }),
])
type Written = z.infer<typeof questionSchema>
type Place = z.infer<typeof places>[number]
type Find = (place: Place) => Evidence

/**
 * The questions of a file of JSON objects, their evidence found in the documents. An annotator without evidence of its
 * own stands on the question's; the question's is the union of all. Throws UserError naming file and line of what is
 * malformed or cannot be found.
 */
async function readQuestions(
  file: string,
  documents: readonly Document[],
  bad: MalformedRecords,
): Promise<readonly Question[]> {
  const lookup = new Map(documents.map(({ id, text }) => [id, paragraphs(text).map(flatten)]))
  const lines = new Map<string, string>()
  const questions: Question[] = []
  const form = 'a question as datasets/sample/README.md describes it'
  for await (const { value, where } of recordsOf(file, questionSchema, form, bad))
    bad.attempt(() => {
      const before = lines.get(value.id)
      if (before !== undefined) throw new UserError(`${where}: the id "${value.id}" is used by line ${before} already`)
      questions.push(toQuestion(value, where, (place) => find(place, lookup, where)))
      lines.set(value.id, where.slice(file.length + 1))
    })
  // no clusters: a chain of shared documents connects nearly all questions, and one cluster has no error (our reading)
  return questions
}

function toQuestion(entry: Written, where: string, find: Find): Question {
  const common = { id: entry.id, text: entry.question, tags: entry.tags }
  const questionEvidence = entry.evidence.map(find)
  if (entry.kind === 'choice') {
    const { options, correct } = entry
    if (correct > options.length)
      throw new UserError(`${where}: "correct" is ${correct}, but the number of options is ${options.length}`)
    if (questionEvidence.length === 0) throw new UserError(`${where}: a question of kind choice needs evidence`)
    return { ...common, reference: { kind: 'choice', options, correct: correct - 1 }, evidence: questionEvidence }
  }
  const answers = entry.accepted.map((answer): AcceptedAnswer => {
    if (answer.type === 'unanswerable') return { ...answer, evidence: [] }
    const evidence = answer.evidence?.map(find) ?? questionEvidence
    if (evidence.length === 0) throw new UserError(`${where}: the answer "${answer.text}" needs evidence`)
    return { ...answer, evidence }
  })
  const evidence = distinct([...questionEvidence, ...answers.flatMap((answer) => answer.evidence ?? [])])
  if (evidence.length > 0 && answers.every(({ type }) => type === 'unanswerable'))
    throw new UserError(`${where}: an unanswerable question cannot have evidence; write "evidence": []`)
  return { ...common, reference: { kind: 'answer', accepted: answers }, evidence }
}

interface Flattened extends SentenceSpan {
  readonly line: string
}

const flatten = (paragraph: SentenceSpan): Flattened => ({ ...paragraph, line: oneLine(paragraph.text) })

/** The paragraph that begins with these words; line breaks count as spaces. */
function find(
  { document, paragraph }: Place,
  lookup: ReadonlyMap<string, readonly Flattened[]>,
  where: string,
): Evidence {
  const candidates = lookup.get(document)
  if (!candidates) throw new UserError(`${where}: ${unknownName('document', document, [...lookup.keys()])}`)
  const beginning = oneLine(paragraph)
  const [match, second] = candidates.filter(({ line }) => line.startsWith(beginning))
  const begins = `begins ${JSON.stringify(paragraph)}`
  if (match === undefined)
    throw new UserError(`${where}: no paragraph of "${document}" ${begins}; copy its first words exactly`)
  if (second !== undefined)
    throw new UserError(`${where}: more than one paragraph of "${document}" ${begins}; copy more of its words`)
  return { documentId: document, text: match.text, start: match.start }
}

const oneLine = (text: string): string => text.trim().replace(/\s+/g, ' ')

const distinct = (evidence: readonly Evidence[]): Evidence[] => [
  ...new Map(evidence.map((piece) => [JSON.stringify([piece.documentId, piece.start]), piece])).values(),
]

const writtenSummary = z.strictObject({ id: words, document: words, question: words, summaries: z.array(words).min(1) })

/** The requests for a summary in a file of JSON objects, a corpus each. Throws UserError naming file and line. */
async function* summaryCorpora(
  file: string,
  documents: readonly Document[],
  bad: MalformedRecords,
): AsyncGenerator<Corpus> {
  const byId = new Map(documents.map((document) => [document.id, document]))
  for await (const { value, where } of recordsOf(file, writtenSummary, 'a request for a summary', bad)) {
    const { id, document, question, summaries } = value
    const corpus = bad.attempt((): Corpus => {
      const about = byId.get(document)
      if (!about) throw new UserError(`${where}: ${unknownName('document', document, [...byId.keys()])}`)
      const reference = { kind: 'summary', accepted: summaries } as const
      const request = { id, text: question, reference, evidence: [{ documentId: document }] }
      return { id: document, documents: [about], questions: [request] }
    })
    if (corpus) yield corpus
  }
}
