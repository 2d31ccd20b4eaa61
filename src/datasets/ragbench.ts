import { z } from 'zod'
import { defineDataset } from '../define.ts'
import type { Document, Download, Evidence, Question } from '../types.ts'
import { recordsOf, words } from '../formats/records.ts'
import { documentId } from './shared/document-of-record.ts'
import { officialFile, ofFolder, split } from './shared/official-file.ts'
import { countedCorpora } from './shared/reading.ts'

const options = z.strictObject({
  subset: z
    .string()
    .regex(/^[a-z]+$/, 'must be a name such as covidqa')
    .nullable()
    .default(null)
    .describe(
      'Subset to read when the path is a folder of several: covidqa, emanual, techqa, …; null when the path is that of one subset',
    ),
  split: split(['train', 'validation', 'test'], 'train'),
})

type Options = z.output<typeof options>

/** Digests that were seen; the card of the dataset names none. */
const known: Readonly<Record<string, string>> = {
  'emanual-train': '30844fe31992f25f509495d0a203caa51634188f081eb62277e279d674d5f497',
}

/** The subsets of UnWeaver. */
const fetched: readonly string[] = ['covidqa', 'emanual', 'techqa']

/**
 * RAGBench (Friel et al., 2024): one corpus of all documents that the rows kept were given, each distinct text once,
 * blank ones left out. `unsupported` marks questions whose right answer was itself judged not to follow from the
 * documents (adherence_score).
 */
export const ragbench = defineDataset({
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
  files: async (path, chosen) => [await fileOf(path, chosen)],
  unused: ofFolder('subset', 'split'),
  corpora: (path, chosen, onBadRecord) =>
    countedCorpora(path, onBadRecord, async function* ({ bad, leftOut }) {
      const documents = new Map<string, Document>()
      const sharing: Sharing[] = []
      const asked = new Set<string>()
      const idOf = uniqueIds()
      let id = 'ragbench'
      for await (const { value: row } of recordsOf(await fileOf(path, chosen), rowForm, release, bad)) {
        id = row.dataset_name
        // the first row of each question, as in UnWeaver
        if (asked.has(row.question)) {
          leftOut('rows that repeat a question')
          continue
        }
        asked.add(row.question)
        const given = row.documents.filter(isWritten).map((text): Document => ({ id: documentId(text), text }))
        for (const document of given) documents.set(document.id, document)
        const question: Question = {
          id: idOf(row.id),
          text: row.question.trim(),
          reference: { kind: 'answer', accepted: [{ text: row.response.trim() }] },
          evidence: evidenceOf(row),
          tags: row.adherence_score === false ? ['unsupported'] : [],
        }
        sharing.push({ question, documents: given.map(({ id }) => id) })
      }
      yield { id, documents: [...documents.values()], questions: connected(sharing) }
    }),
  download: {
    files: fetched.flatMap(officialFiles),
    note: 'These are the three subsets that UnWeaver uses. The others are at the same address: put the files of a subset into a folder named after it.',
  },
})

/** Of several subsets, each has its own folder (as published) or its name before the file's (`data get`). */
const fileOf = (path: string, { subset, split }: Options): Promise<string> =>
  officialFile(
    path,
    [`${split}-00000-of-00001.parquet`, `${split}.parquet`, `${split}.jsonl`].flatMap((name) =>
      subset === null ? [name] : [`${subset}/${name}`, `${subset}-${name}`],
    ),
    subset === null || fetched.includes(subset) ? 'ragbench' : null,
    subset === null ? 'set the option "subset", or name a file' : 'name a file',
  )

function officialFiles(subset: string): Download['files'] {
  return ['train', 'validation', 'test'].map((split) => {
    const name = `${split}-00000-of-00001.parquet`
    const url = `https://huggingface.co/datasets/rungalileo/ragbench/resolve/main/${subset}/${name}`
    const sha256 = known[`${subset}-${split}`]
    return { url, name: `${subset}-${name}`, ...(sha256 && { sha256 }) }
  })
}

const isWritten = (text: string): boolean => text.trim() !== ''

/** All documents of the row, distractors included, as in the gold context of UnWeaver. */
const evidenceOf = (row: z.output<typeof rowForm>): Evidence[] =>
  [...new Set(row.documents.filter(isWritten).map(documentId))].map((id) => ({ documentId: id }))

/** Rows of one question share their id: the second becomes `…#2`. */
function uniqueIds(): (id: string) => string {
  const uses = new Map<string, number>()
  return (id) => {
    const use = (uses.get(id) ?? 0) + 1
    uses.set(id, use)
    return use === 1 ? id : `${id}#${use}`
  }
}

const release = 'RAGBench (one row per question and response)'

const rowForm = z.object({
  id: words,
  question: words,
  documents: z.array(z.string()),
  response: words,
  dataset_name: words,
  adherence_score: z.boolean().nullish(),
})

/** A question and the documents that make it depend on others. */
interface Sharing {
  readonly question: Question
  readonly documents: readonly string[]
}

/**
 * The questions, in order, each with its cluster: two that share a document are of one, and so are two that a chain of
 * such pairs connects. A cluster is named after the smallest id of its questions (by UTF-16 code unit).
 */
export function connected(asked: readonly Sharing[]): readonly Question[] {
  const leaders = asked.map((_, index) => index)
  const leaderOf = (index: number): number => {
    let at = index
    for (let next = leaders[at] ?? at; next !== at; next = leaders[at] ?? at) {
      leaders[at] = leaders[next] ?? next // halves the way for the next who asks
      at = next
    }
    return at
  }
  const firstOf = new Map<string, number>()
  for (const [index, { documents }] of asked.entries())
    for (const document of documents) {
      const first = firstOf.get(document)
      if (first === undefined) firstOf.set(document, index)
      else leaders[leaderOf(index)] = leaderOf(first)
    }
  const smallest = new Map<number, string>()
  for (const [index, { question }] of asked.entries()) {
    const leader = leaderOf(index)
    const before = smallest.get(leader)
    if (before === undefined || question.id < before) smallest.set(leader, question.id)
  }
  return asked.map(({ question }, index) => ({
    ...question,
    cluster: smallest.get(leaderOf(index)) ?? question.id,
  }))
}
