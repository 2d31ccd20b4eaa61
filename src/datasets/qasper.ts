import { z } from 'zod'
import { isObject } from '../basics/plain-data.ts'
import type { Corpus, Evidence } from '../types.ts'
import { recordsOf } from '../formats/records.ts'
import { joinParts } from './shared/document-of-record.ts'
import { officialFile, split } from './shared/official-file.ts'
import { publishedDataset } from './shared/published-dataset.ts'
import { firstItems } from './shared/selection.ts'

const options = z.strictObject({
  // GEM-RAG does not say which split it uses: train is our reading
  split: split(['train', 'dev', 'test'], 'train'),
  papers: firstItems('papers', 'GEM-RAG uses 100'),
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
    for await (const { value, part } of recordsOf(files, papersForm, bad)) {
      // one paper with its id, or an object of papers by arXiv id
      const contents = 'full_text' in value && typeof value['id'] === 'string' ? { [value['id']]: value } : value
      for (const [id, content] of Object.entries(contents)) {
        const read = part(paper, content, id)
        if (!read) continue
        yield corpusOf(id, read)
        if (++count === papers) return
      }
    }
  },
  download: {
    files: [
      {
        url: 'https://qasper-dataset.s3.us-west-2.amazonaws.com/qasper-train-dev-v0.3.tgz',
        name: 'qasper-train-dev-v0.3.tgz',
        sha256: 'a28fdf966db827bcee3d873107d6b6669864fb7ca8fbf73a192f5e39191bdb5a',
        unpack: { format: 'tgz', members: ['qasper-train-v0.3.json', 'qasper-dev-v0.3.json'] },
      },
      {
        url: 'https://qasper-dataset.s3.us-west-2.amazonaws.com/qasper-test-and-evaluator-v0.3.tgz',
        name: 'qasper-test-and-evaluator-v0.3.tgz',
        sha256: '72a52a41193e2838b8074f80ac074b94f956b84886c36a61c58a7df4171bdd72',
        unpack: { format: 'tgz', members: ['qasper-test-v0.3.json'] },
      },
    ],
  },
})

const papersForm = z.looseObject({}).describe('Qasper v0.3 (an object keyed by arXiv id, or papers in columns)')

/** A list of rows, or the same as one object of columns: `{a: [1, 2], b: [3, 4]}` is `[{a: 1, b: 3}, {a: 2, b: 4}]`. */
const rows = <T>(row: z.ZodType<T>) =>
  z.preprocess((value) => (isObject(value) ? rowsOfColumns(value) : value), z.array(row))

function rowsOfColumns(columns: Readonly<Record<string, unknown>>) {
  const lists = Object.entries(columns).map(([name, column]) => [name, Array.isArray(column) ? column : []] as const)
  const longest = Math.max(0, ...lists.map(([, list]) => list.length))
  return Array.from({ length: longest }, (_, at) =>
    Object.fromEntries(lists.map(([name, list]): [string, unknown] => [name, list[at]])),
  )
}

/** An annotator, read in the order of the official evaluator (get_answers_and_evidence, qasper_evaluator.py). */
const answer = z
  .object({
    unanswerable: z.boolean(),
    extractive_spans: z.array(z.string()),
    free_form_answer: z.string(),
    yes_no: z.boolean().nullable(),
    evidence: z.array(z.string()),
  })
  .transform((read) => {
    const quotes = read.evidence.map(paragraph).filter((text) => text !== '')
    if (read.unanswerable) return { text: 'Unanswerable', type: 'unanswerable', quotes: [] } as const
    if (read.extractive_spans.length > 0)
      return { text: read.extractive_spans.join(', '), type: 'extractive', quotes } as const
    if (read.free_form_answer !== '') return { text: read.free_form_answer, type: 'abstractive', quotes } as const
    const verdict = { true: 'Yes', false: 'No', null: '' }[`${read.yes_no}`]
    return { text: verdict, type: 'boolean', quotes } as const
  })
  .refine(({ text }) => text !== '', 'neither unanswerable nor extractive_spans, free_form_answer or yes_no')

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

/**
 * A paper as a corpus of one document, without figures and tables, as in the official reader. White space around
 * paragraphs goes, also in the evidence, so that marked paragraphs are found (our reading).
 */
function corpusOf(id: string, { title, abstract, full_text: sections, qas }: z.output<typeof paper>): Corpus {
  const body = sections.flatMap(({ section_name, paragraphs }) => [heading(section_name), ...paragraphs])
  const parts = [title, abstract, ...body].map(paragraph).filter((part) => part !== '')
  const { text: wholeText, spans } = joinParts(parts)
  // of equal parts the first is meant (our reading: the dataset does not say)
  const evidenceOf = (text: string): Evidence => {
    const span = spans[parts.indexOf(text)]
    return { documentId: id, text, ...(span && { start: span.start }) }
  }
  return {
    id,
    documents: [{ id, text: wholeText, title: title.trim() }],
    questions: qas.map(({ question_id, question, answers }) => {
      const quotes = new Set(answers.flatMap(({ answer }) => answer.quotes))
      return {
        id: question_id,
        text: question.trim(),
        reference: {
          kind: 'answer',
          accepted: answers.map(({ answer: { quotes, ...rest } }) => ({ ...rest, evidence: quotes.map(evidenceOf) })),
        },
        evidence: Array.from(quotes, evidenceOf),
        cluster: id,
      }
    }),
  }
}

// some names are only the separators of levels: " ::: "
const heading = (name: string | null) => (name !== null && /[\p{L}\p{N}]/u.test(name) ? name : '')

const paragraph = (text: string) => text.trim().replace(/\n\s*\n/g, '\n')
