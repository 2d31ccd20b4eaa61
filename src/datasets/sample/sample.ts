import { basename, join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../../errors.ts'
import { recordsOf, words } from '../../formats/records.ts'
import { wholeText } from '../../formats/text-file.ts'
import { oneLine } from '../../text/characters.ts'
import { paragraphs } from '../../text/sentences.ts'
import type { Document, Evidence, Question } from '../../types.ts'
import { filesIn, officialFile } from '../shared/official-file.ts'
import { publishedDataset } from '../shared/published-dataset.ts'

const options = z.strictObject({
  kinds: z
    .enum(['all', 'choice', 'answer', 'summary'])
    .default('all')
    .describe(
      'Questions to ask: all that are about all documents, those of one kind, or summary: one request a document, each a corpus',
    ),
})

/** The dataset of this project: one corpus. */
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
    for await (const { value, where } of recordsOf(questionFile, record, bad)) {
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

async function filesOf(path: string, { kinds }: z.output<typeof options>) {
  const name = kinds === 'summary' ? 'summaries.jsonl' : 'questions.jsonl'
  const form = `the dataset must be a folder with documents/*.md and ${name}`
  const documents = await filesIn(join(path, 'documents'), '.md', form)
  return [...documents, await officialFile(path, [name], null)]
}

async function readDocument(file: string) {
  const text = (await wholeText(file)).replaceAll('\r\n', '\n')
  const [, title = ''] = /^# +(.*)/.exec(text) ?? []
  return { id: basename(file, '.md'), text, title: title.trim() }
}

/** The paragraph of a document that begins with these words, or the whole document. */
const place = z.object({ document: words, paragraph: words.optional() })
const places = z.array(place)
const common = { id: words, question: words }
const details = { ...common, evidence: places, tags: z.array(words).default([]) }

const choice = z.object({ ...details, kind: z.literal('choice'), options: z.array(words), correct: z.int() })
const acceptedAnswer = z.object({
  type: z.enum(['extractive', 'abstractive', 'boolean', 'unanswerable']),
  text: words,
  evidence: places.optional(),
})
const answer = z.object({ ...details, kind: z.literal('answer'), accepted: z.array(acceptedAnswer) })
const request = z
  .object({ ...common, document: words, summaries: z.array(words) })
  .transform((fields) => ({ ...fields, kind: 'summary' as const }))

/** A record of questions.jsonl, or of summaries.jsonl, which has no `kind`. */
const record = z
  .union([z.discriminatedUnion('kind', [choice, answer]), request])
  .describe('a question or a request of the sample')

function toQuestion(read: z.output<typeof record>, find: (place: Place) => Evidence): Question {
  const { id, question: text } = read
  if (read.kind === 'summary') {
    const evidence = [find({ document: read.document })]
    return { id, text, reference: { kind: 'summary', accepted: read.summaries }, evidence }
  }
  const { tags } = read
  const evidence = read.evidence.map(find)
  if (read.kind === 'choice') {
    const reference = { kind: 'choice', options: read.options, correct: read.correct - 1 } as const
    return { id, text, tags, reference, evidence }
  }
  const answers = read.accepted.map((item) => ({ ...item, evidence: item.evidence?.map(find) ?? evidence }))
  const all = [...evidence, ...answers.flatMap((item) => item.evidence)]
  const distinct = new Map(all.map((piece) => [`${piece.documentId} ${piece.start}`, piece]))
  return { id, text, tags, reference: { kind: 'answer', accepted: answers }, evidence: [...distinct.values()] }
}

type Place = z.output<typeof place>

function paragraphFinder(documents: readonly Document[]): (place: Place, where: string) => Evidence {
  const byId = new Map(documents.map(({ id, text }) => [id, paragraphs(text)]))
  return ({ document, paragraph }, where) => {
    if (paragraph === undefined) return { documentId: document }
    const match = byId.get(document)?.find(({ text }) => oneLine(text).startsWith(oneLine(paragraph)))
    if (!match) throw new UserError(`${where}: no paragraph of "${document}" begins ${JSON.stringify(paragraph)}`)
    return { documentId: document, text: match.text, start: match.start }
  }
}
