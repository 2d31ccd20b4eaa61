import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { defineDataset } from '../define.ts'
import { UserError } from '../errors.ts'
import type { Document, Question } from '../types.ts'
import { jsonRecords } from './formats/json-records.ts'
import { recordsOf, words } from './formats/records.ts'
import { wholeText } from './formats/text-file.ts'
import { documentOf } from './shared/document-of-record.ts'
import { officialFile } from './shared/official-file.ts'
import { type BadRecords, countedCorpora, type Counting, onBadRecord } from './shared/reading.ts'

const options = z.strictObject({
  split: z
    .enum(['test', 'dev', 'train'])
    .default('test')
    .describe('Which judgements are read: qrels/test.tsv, qrels/dev.tsv or qrels/train.tsv'),
  onBadRecord,
})

/**
 * A folder in the layout of BEIR (Thakur et al., 2021). Evidence of a query is every whole document that was judged
 * with more than 0; grades above that count alike. There are no right answers, so that retrieval alone is scored. Only
 * queries with evidence in the split are asked.
 */
export const beir = defineDataset({
  name: 'beir',
  summary:
    'A retrieval collection in the layout of BEIR: documents, queries and judgements of relevance, without answers.',
  source: 'https://github.com/beir-cellar/beir',
  licence: "each collection's own",
  layout: '`corpus.jsonl`, `queries.jsonl` and `qrels/{test,dev,train}.tsv`',
  options,
  evidence: true,
  withoutAnswers: true,
  answers: 'sentence',
  scorers: [{ use: 'retrieval', options: { unit: 'document', k: [10, 100], show: ['ndcg@10', 'recall@100'] } }],
  files: async (path, { split }) => Object.values(await filesOf(path, split)),
  corpora: (path, { split, onBadRecord }) =>
    countedCorpora(path, onBadRecord, async function* ({ bad, leftOut }) {
      const files = await filesOf(path, split)
      const documents = await documentsOf(files.corpus, bad, leftOut)
      const judged = await readJudgements(files.qrels, bad)
      const known = new Set(documents.map(({ id }) => id))
      const questions: Question[] = []
      for (const { id, text } of await queriesOf(files.queries, bad)) {
        const relevant = judged.get(id) ?? new Set<string>()
        judged.delete(id)
        const evidence = [...relevant]
          .filter((documentId) => known.has(documentId))
          .map((documentId) => ({ documentId }))
        leftOut('judgements of documents that the corpus lacks', relevant.size - evidence.length)
        if (evidence.length === 0) leftOut('queries without a relevant document')
        else questions.push({ id, text, reference: { kind: 'answer', accepted: [] }, evidence })
      }
      for (const { size } of judged.values()) leftOut('judgements of queries that are not there', size)
      if (questions.length === 0)
        throw (
          bad.first() ??
          new UserError(
            `${files.qrels}: judges no query of ${files.queries} to have a relevant document of ${files.corpus}`,
          )
        )
      yield { id: 'beir', documents, questions }
    }),
})

async function filesOf(path: string, split: string): Promise<Readonly<Record<'corpus' | 'queries' | 'qrels', string>>> {
  const there = await stat(path).catch(() => undefined)
  if (there && !there.isDirectory())
    throw new UserError(`${path}: must be a folder with corpus.jsonl, queries.jsonl and qrels/${split}.tsv`)
  return {
    corpus: await officialFile(path, ['corpus.jsonl'], null, nameFolder),
    queries: await officialFile(path, ['queries.jsonl'], null, nameFolder),
    qrels: await officialFile(join(path, 'qrels'), [`${split}.tsv`], null, 'set the option "split"'),
  }
}

const nameFolder = 'name the folder that holds it'

async function documentsOf(file: string, bad: BadRecords, leftOut: Counting['leftOut']): Promise<readonly Document[]> {
  const documents = new Map<string, Document>()
  for await (const { line, value } of jsonRecords(file, bad))
    bad.attempt(() => {
      const document = documentOf(value, '', `${file}:${line}`)
      if (document.id === '') throw new UserError(`${file}:${line}: lacks "_id"`)
      if (documents.has(document.id)) throw new UserError(`${file}:${line}: the id "${document.id}" is used already`)
      if (document.text.trim() === '') leftOut('empty documents')
      else documents.set(document.id, document)
    })
  return [...documents.values()]
}

const query = z.object({ _id: z.union([words, z.int()]).transform(String), text: words })

async function queriesOf(
  file: string,
  bad: BadRecords,
): Promise<readonly { readonly id: string; readonly text: string }[]> {
  const queries = new Map<string, string>()
  for await (const { value, where } of recordsOf(file, query, 'a query of BEIR (_id and text)', bad))
    bad.attempt(() => {
      if (queries.has(value._id)) throw new UserError(`${where}: the id "${value._id}" is used already`)
      queries.set(value._id, value.text.trim())
    })
  return Array.from(queries, ([id, text]) => ({ id, text }))
}

/**
 * The documents that are relevant for each query, by ids: rows of query, document and grade, set apart by tabs, below a
 * row of names, which may be missing. A grade of 0 or less says that a document is not relevant. Throws UserError
 * naming file and line of what is malformed.
 */
async function readJudgements(file: string, bad: BadRecords): Promise<Map<string, Set<string>>> {
  const judged = new Map<string, Set<string>>()
  const text = await wholeText(file)
  for (const [index, row] of text.split(/\r?\n/).entries())
    bad.attempt(() => {
      if (row.trim() === '') return
      const [query = '', document = '', grade = '', ...more] = row.split('\t').map((cell) => cell.trim())
      const isGrade = /^-?\d+$/.test(grade)
      if (index === 0 && !isGrade && grade !== '' && more.length === 0) return
      if (query === '' || document === '' || !isGrade || more.length > 0)
        throw new UserError(
          `${file}:${index + 1}: expected query-id, corpus-id and a whole number as score, set apart by tabs`,
        )
      if (Number(grade) <= 0) return
      const relevant = judged.get(query) ?? new Set()
      judged.set(query, relevant.add(document))
    })
  return judged
}
