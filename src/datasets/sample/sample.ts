import { basename, join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { oneLine } from '../../text/characters.ts'
import { unknownName } from '../../text/names.ts'
import { paragraphs } from '../../text/sentences.ts'
import type { Document, AcceptedAnswer, Evidence, Question } from '../../types.ts'
import { recordsOf, words } from '../../formats/records.ts'
import { wholeText } from '../../formats/text-file.ts'
import { exists, type Files, filesIn } from '../shared/official-file.ts'
import { publishedDataset } from '../shared/published-dataset.ts'

const options = z.strictObject({
  kinds: z
    .enum(['all', 'choice', 'answer', 'summary'])
    .default('all')
    .describe(
      'Questions to ask: all that are about all documents, those of one kind, or summary: one request a document, each a corpus',
    ),
})

/** The dataset of this project, or a folder of the same form (datasets/sample/README.md): one corpus. */
export const sample = publishedDataset({
  name: 'sample',
  summary: 'Eight invented texts that refer to one another, with questions of every kind, for trying gembench out.',
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
    const find = paragraphFinder(documents)
    const questions: Question[] = []
    for await (const { value, where } of recordsOf(questionFile, record, form, bad)) {
      const question = bad.attempt(() => toQuestion(value, (place) => find(place, where)))
      if (!question) continue
      if (value.kind === 'summary')
        yield {
          id: value.document,
          documents: documents.filter(({ id }) => id === value.document),
          questions: [question],
        }
      else if (kinds === 'all' || value.kind === kinds) questions.push(question)
    }
    // no clusters: a chain of shared documents connects nearly all questions, and one cluster has no error (our
    // reading)
    if (kinds !== 'summary') yield { id: 'sample', documents, questions }
  },
})

async function filesOf(path: string, { kinds }: z.output<typeof options>): Promise<Files> {
  const name = kinds === 'summary' ? 'summaries.jsonl' : 'questions.jsonl'
  const form = `the dataset must be a folder with documents/*.md and ${name}`
  const documents = await filesIn(join(path, 'documents'), '.md', form)
  const questions = join(path, name)
  if (!(await exists(questions))) throw new UserError(`${questions}: no such file; ${form}`)
  return [...documents, questions]
}

async function readDocument(file: string): Promise<Document> {
  const text = (await wholeText(file)).replaceAll('\r\n', '\n')
  const title = /^# +(\S.*)/.exec(text)?.[1]?.trim()
  if (title === undefined) throw new UserError(`${file}:1: the first line is not a title; write "# Title"`)
  return { id: basename(file, '.md'), text, title }
}

const form = 'a question as datasets/sample/README.md describes it'
const place = z.strictObject({ document: words, paragraph: words })
const places = z.array(place)
const common = { id: words, question: words, evidence: places, tags: z.array(words).default([]) }

const acceptedAnswer = z.discriminatedUnion('type', [
  z.strictObject({ type: z.enum(['extractive', 'abstractive']), text: words, evidence: places.optional() }),
  z.strictObject({ type: z.literal('boolean'), text: z.enum(['Yes', 'No']), evidence: places.optional() }),
  z.strictObject({ type: z.literal('unanswerable'), text: z.literal('Unanswerable') }),
])

/** A record of questions.jsonl, or of summaries.jsonl, which has no `kind`. */
const record = z.union([
  z.discriminatedUnion('kind', [
    z.strictObject({
      ...common,
      kind: z.literal('choice'),
      options: z.array(words).min(2),
      correct: z.int().positive(),
    }),
    z.strictObject({ ...common, kind: z.literal('answer'), accepted: z.array(acceptedAnswer).min(1) }),
  ]),
  z
    .strictObject({ id: words, document: words, question: words, summaries: z.array(words).min(1) })
    .transform((request) => ({ ...request, kind: 'summary' as const })),
])

function toQuestion(read: z.output<typeof record>, find: (place: Place) => Evidence): Question {
  const { id, question: text } = read
  if (read.kind === 'summary') {
    const evidence = [find({ document: read.document })]
    return { id, text, reference: { kind: 'summary', accepted: read.summaries }, evidence }
  }
  const evidence = read.evidence.map(find)
  if (read.kind === 'choice') {
    const reference = { kind: 'choice', options: read.options, correct: read.correct - 1 } as const
    return { id, text, tags: read.tags, reference, evidence }
  }
  const answers = read.accepted.map((answer): AcceptedAnswer => {
    if (answer.type === 'unanswerable') return { ...answer, evidence: [] }
    return { ...answer, evidence: answer.evidence?.map(find) ?? evidence }
  })
  const all = [...evidence, ...answers.flatMap((answer) => answer.evidence ?? [])]
  const distinct = new Map(all.map((piece) => [`${piece.documentId} ${piece.start}`, piece]))
  return {
    id,
    text,
    tags: read.tags,
    reference: { kind: 'answer', accepted: answers },
    evidence: [...distinct.values()],
  }
}

/** A paragraph, or a whole document. */
type Place = Partial<z.output<typeof place>> & { readonly document: string }

function paragraphFinder(documents: readonly Document[]): (place: Place, where: string) => Evidence {
  const linesOf = (text: string) => paragraphs(text).map((piece) => ({ ...piece, line: oneLine(piece.text) }))
  const byId = new Map(documents.map(({ id, text }) => [id, linesOf(text)]))
  return ({ document, paragraph }, where) => {
    const candidates = byId.get(document)
    if (!candidates) throw new UserError(`${where}: ${unknownName('document', document, [...byId.keys()])}`)
    if (paragraph === undefined) return { documentId: document }
    const [match, second] = candidates.filter(({ line }) => line.startsWith(oneLine(paragraph)))
    if (match && !second) return { documentId: document, text: match.text, start: match.start }
    const [count, advice] = match ? ['more than one', 'more of its words'] : ['no', 'its first words exactly']
    const begins = `paragraph of "${document}" begins ${JSON.stringify(paragraph)}`
    throw new UserError(`${where}: ${count} ${begins}; copy ${advice}`)
  }
}
