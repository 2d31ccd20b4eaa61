import { z } from 'zod'
import { isObject } from '../basics/plain-data.ts'
import { UserError } from '../errors.ts'
import type { AcceptedAnswer, Corpus, Evidence, Question } from '../types.ts'
import { recordsOf, shape } from '../formats/records.ts'
import { officialFile, split } from './shared/official-file.ts'
import { publishedDataset } from './shared/reading.ts'

const options = z.strictObject({
  // GEM-RAG does not say which split it uses: train is our reading
  split: split(['train', 'dev', 'test'], 'train'),
  papers: z
    .int()
    .positive()
    .nullable()
    .default(null)
    .describe('Number of papers to use, the first of the file; GEM-RAG uses 100, null uses all'),
})

/** Qasper (Dasigi et al., 2021): one corpus per paper, blank lines between its title, abstract and paragraphs. */
export const qasper = publishedDataset({
  name: 'qasper',
  summary: 'Questions by readers of NLP papers, with answers and evidence by one or more annotators.',
  source: 'https://allenai.org/data/qasper',
  licence: 'CC BY 4.0',
  layout: '`qasper-{train,dev,test}-v0.3.json`',
  options,
  evidence: true,
  answers: 'short',
  files: async (path, { split }) => [await officialFile(path, [`qasper-${split}-v0.3.json`], 'qasper')],
  async *corpora({ files, options: { papers }, bad }) {
    let count = 0
    for await (const { value, where } of recordsOf(files, z.unknown(), release, bad))
      for (const [id, content] of bad.attempt(() => papersById(value, where)) ?? []) {
        const place = `${where}: paper ${id}`
        const corpus = bad.attempt(() => corpusOf({ ...shape(paper, content, place, release), id, where: place }))
        if (!corpus) continue
        yield corpus
        if (++count === papers) return
      }
  },
  download: {
    files: [
      {
        url: 'https://qasper-dataset.s3.us-west-2.amazonaws.com/qasper-train-dev-v0.3.tgz',
        name: 'qasper-train-dev-v0.3.tgz',
        sha256: 'a28fdf966db827bcee3d873107d6b6669864fb7ca8fbf73a192f5e39191bdb5a',
        bytes: 10_835_856,
        unpack: { format: 'tgz', members: ['qasper-train-v0.3.json', 'qasper-dev-v0.3.json'] },
      },
      {
        url: 'https://qasper-dataset.s3.us-west-2.amazonaws.com/qasper-test-and-evaluator-v0.3.tgz',
        name: 'qasper-test-and-evaluator-v0.3.tgz',
        sha256: '72a52a41193e2838b8074f80ac074b94f956b84886c36a61c58a7df4171bdd72',
        bytes: 3_865_061,
        unpack: { format: 'tgz', members: ['qasper-test-v0.3.json'] },
      },
    ],
  },
})

const release = 'Qasper v0.3 (an object keyed by arXiv id, or papers in columns)'

/** A list of rows, or the same as one object of columns: `{a: [1, 2], b: [3, 4]}` is `[{a: 1, b: 3}, {a: 2, b: 4}]`. */
const rows = <T>(row: z.ZodType<T>) =>
  z.preprocess((value, context) => {
    if (!isObject(value)) return value
    const columns = Object.entries(value)
    const lengths = new Set(columns.map(([, column]) => (Array.isArray(column) ? column.length : -1)))
    const [length = 0, ...more] = lengths
    if (more.length === 0 && length >= 0)
      return Array.from({ length }, (_, index) =>
        Object.fromEntries(columns.map(([name, column]) => [name, (column as unknown[])[index]])),
      )
    context.addIssue({
      code: 'custom',
      message: `the columns have different lengths (${columns.map(([name]) => name).join(', ')})`,
    })
    return z.NEVER
  }, z.array(row))

const answer = z.object({
  unanswerable: z.boolean(),
  extractive_spans: z.array(z.string()),
  free_form_answer: z.string(),
  yes_no: z.boolean().nullable(),
  evidence: z.array(z.string()),
})

const paper = z.object({
  title: z.string(),
  abstract: z.string(),
  full_text: rows(z.object({ section_name: z.string().nullable(), paragraphs: z.array(z.string()) })),
  qas: rows(
    z.object({
      question: z.string(),
      question_id: z.string(),
      answers: rows(z.object({ answer })).refine((list) => list.length > 0, 'has no answers'),
    }),
  ),
})

/** The answer of one annotator. */
type QasperAnswer = z.output<typeof answer>

/** A paper of Qasper; `where` names its place in the file. */
interface Paper extends z.output<typeof paper> {
  readonly id: string
  readonly where: string
}

/**
 * The papers of a record in any published form: the official object keyed by arXiv id, or one paper with an `id`, in
 * rows or columns.
 */
function papersById(value: unknown, where: string): readonly (readonly [string, unknown])[] {
  if (isObject(value) && 'full_text' in value) {
    if (typeof value.id === 'string') return [[value.id, value]]
    throw new UserError(`${where}: the paper has no "id"; expected ${release}`)
  }
  const entries = isObject(value) ? Object.entries(value) : []
  if (entries.length > 0 && entries.every(([, content]) => isObject(content))) return entries
  throw new UserError(`${where}: is not a Qasper paper; expected ${release}`)
}

/**
 * A paper as a corpus of one document: title, abstract, section names and paragraphs between blank lines; evidence
 * from figures and tables is not in it, as in the official reader (our reading). White space around a paragraph goes,
 * and a blank line within one becomes a line break, in the
 * text and in the evidence alike, so that every paragraph that an annotator marked is found whole (our reading).
 */
function corpusOf(paper: Paper): Corpus {
  const sections = paper.full_text.flatMap(({ section_name, paragraphs }) => [heading(section_name), ...paragraphs])
  const parts = [paper.title, paper.abstract, ...sections].map(paragraph).filter((part) => part !== '')
  const starts = startsOf(parts)
  return {
    id: paper.id,
    documents: [{ id: paper.id, text: parts.join(gap), title: paper.title.trim() }],
    questions: paper.qas.map((question, index) => {
      const where = `${paper.where}, question ${index + 1}`
      return toQuestion(
        question,
        question.answers.map(({ answer }, annotator) =>
          acceptedAnswer(answer, `${where}, answer ${annotator + 1}`, (quote) => {
            const start = starts.get(quote)
            return { documentId: paper.id, text: quote, ...(start !== undefined && { start }) }
          }),
        ),
        paper.id,
      )
    }),
  }
}

const gap = '\n\n'

/** Where each part of a document begins; of equal parts the first is meant (our reading: the dataset does not say). */
function startsOf(parts: readonly string[]): ReadonlyMap<string, number> {
  const starts = new Map<string, number>()
  let at = 0
  for (const part of parts) {
    if (!starts.has(part)) starts.set(part, at)
    at += part.length + gap.length
  }
  return starts
}

// some names are only the separators of levels: " ::: "
const heading = (name: string | null): string => (name !== null && /[\p{L}\p{N}]/u.test(name) ? name : '')

const paragraph = (text: string): string => text.trim().replace(/\n\s*\n/g, '\n')

function toQuestion(question: Paper['qas'][number], answers: readonly AcceptedAnswer[], cluster: string): Question {
  const evidence = new Map(answers.flatMap((piece) => piece.evidence ?? []).map((piece) => [piece.text, piece]))
  return {
    id: question.question_id,
    text: question.question.trim(),
    reference: { kind: 'answer', accepted: answers },
    evidence: [...evidence.values()],
    cluster,
  }
}

/** Reads an annotator in the order of the official evaluator (get_answers_and_evidence, qasper_evaluator.py). */
function acceptedAnswer(answer: QasperAnswer, where: string, place: (quote: string) => Evidence): AcceptedAnswer {
  if (answer.unanswerable) return { text: 'Unanswerable', type: 'unanswerable', evidence: [] }
  const evidence: Evidence[] = answer.evidence
    .map(paragraph)
    .filter((text) => text !== '')
    .map(place)
  if (answer.extractive_spans.length > 0)
    return { text: answer.extractive_spans.join(', '), type: 'extractive', evidence }
  if (answer.free_form_answer !== '') return { text: answer.free_form_answer, type: 'abstractive', evidence }
  if (answer.yes_no !== null) return { text: answer.yes_no ? 'Yes' : 'No', type: 'boolean', evidence }
  throw new UserError(
    `${where}: neither unanswerable nor extractive_spans, free_form_answer or yes_no; the official evaluator rejects it too`,
  )
}
