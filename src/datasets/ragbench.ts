import { z } from 'zod'
import type { Document, Download, Question } from '../types.ts'
import { recordsOf, words } from '../formats/records.ts'
import { documentId } from './shared/document-of-record.ts'
import { officialFile, split } from './shared/official-file.ts'
import { filesBelow, publishedDataset } from './shared/published-dataset.ts'

const options = z.strictObject({
  subset: z
    .string()
    .regex(/^[a-z]+$/, 'must be a name such as covidqa')
    .nullable()
    .default(null)
    .describe('Subset to read of a folder of several: covidqa, emanual, techqa, …; null where the path is that of one'),
  split: split(['train', 'validation', 'test'], 'train'),
})

type Options = z.output<typeof options>

/** The subsets of UnWeaver. */
const downloadableSubsets: readonly string[] = ['covidqa', 'emanual', 'techqa']

/**
 * RAGBench (Friel et al., 2024): one corpus of the distinct documents of all rows. `unsupported`: the right answer was
 * judged not to follow from the documents (adherence_score).
 */
export const ragbench = publishedDataset({
  name: 'ragbench',
  summary:
    'Questions of twelve datasets with retrieved documents; the reference answer is the response of a language model.',
  source: 'https://huggingface.co/datasets/rungalileo/ragbench',
  licence: 'CC BY 4.0 (dataset card)',
  layout:
    '`{train,validation,test}-00000-of-00001.parquet`, else `.parquet` or `.jsonl`, in a folder of the subset or behind its name',
  options,
  evidence: true,
  answers: 'sentence',
  files: async (path, selection) => [await fileOf(path, selection)],
  async *corpora({ files, bad, leftOut }) {
    const documents = new Map<string, Document>()
    const questions = new Map<string, Question>()
    const uses = new Map<string, number>()
    let id = 'ragbench'
    for await (const { value: row } of recordsOf(files, rowForm, bad)) {
      id = row.dataset_name
      // the first row of each question, as in UnWeaver
      if (questions.has(row.question)) {
        leftOut('rows that repeat a question')
        continue
      }
      const texts = row.documents.filter((text) => text.trim() !== '')
      const context = new Map(texts.map((text) => [documentId(text), text]))
      for (const [id, text] of context) documents.set(id, { id, text })
      // rows of one question share their id: the second becomes `…#2`
      const use = (uses.get(row.id) ?? 0) + 1
      uses.set(row.id, use)
      questions.set(row.question, {
        id: use === 1 ? row.id : `${row.id}#${use}`,
        text: row.question.trim(),
        reference: { kind: 'answer', accepted: [{ text: row.response.trim() }] },
        // all documents of the row, distractors included, as in the gold context of UnWeaver
        evidence: Array.from(context.keys(), (documentId) => ({ documentId })),
        tags: row.adherence_score === false ? ['unsupported'] : [],
      })
    }
    yield { id, documents: [...documents.values()], questions: withClusters([...questions.values()]) }
  },
  download: {
    files: downloadableSubsets.flatMap(officialFiles),
    note: 'These are the subsets that UnWeaver uses. Put the files of others, from the same address, into folders named after them.',
  },
})

const fileOf = (path: string, { subset, split }: Options) =>
  officialFile(
    path,
    [`${split}-00000-of-00001.parquet`, `${split}.parquet`, `${split}.jsonl`].flatMap((name) =>
      subset === null ? [name] : [`${subset}/${name}`, `${subset}-${name}`],
    ),
    subset === null || downloadableSubsets.includes(subset) ? 'ragbench' : null,
    subset === null ? 'set the option "subset", or name a file' : 'name a file',
  )

function officialFiles(subset: string): Download['files'] {
  const address = `https://huggingface.co/datasets/rungalileo/ragbench/resolve/main/${subset}`
  const names = ['train', 'validation', 'test'].map((split) => `${split}-00000-of-00001.parquet`)
  // the one digest that we observed: the dataset card has none
  const digest = '30844fe31992f25f509495d0a203caa51634188f081eb62277e279d674d5f497'
  const files = filesBelow(address, names, subset === 'emanual' ? { 'train-00000-of-00001.parquet': digest } : {})
  return files.map((file) => ({ ...file, name: `${subset}-${file.name}` }))
}

const rowForm = z
  .object({
    id: words,
    question: words,
    documents: z.array(z.string()),
    response: words,
    dataset_name: words,
    adherence_score: z.boolean().nullish(),
  })
  .describe('RAGBench (one row per question and response)')

/** The questions with clusters: those connected by shared documents. A cluster is named after its smallest id. */
export function withClusters(questions: readonly Question[]): readonly Question[] {
  const byDocument = new Map<string, Set<Question>>()
  for (const question of questions) {
    const clusters = new Set(documentsOf(question).flatMap((id) => byDocument.get(id) ?? []))
    const [largest = new Set<Question>(), ...rest] = [...clusters].sort((a, b) => b.size - a.size)
    for (const member of [question, ...rest.flatMap((cluster) => [...cluster])]) {
      largest.add(member)
      for (const id of documentsOf(member)) byDocument.set(id, largest)
    }
  }
  const names = new Map<Question, string>()
  for (const cluster of new Set(byDocument.values())) {
    const [smallest = ''] = Array.from(cluster, ({ id }) => id).sort()
    for (const question of cluster) names.set(question, smallest)
  }
  return questions.map((question) => ({ ...question, cluster: names.get(question) ?? question.id }))
}

const documentsOf = ({ evidence = [] }: Question) => evidence.map(({ documentId }) => documentId)
