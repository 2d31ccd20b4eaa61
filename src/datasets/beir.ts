import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import type { Document, Question } from '../types.ts'
import { jsonRecords } from '../formats/json-records.ts'
import { recordsOf, words } from '../formats/records.ts'
import { wholeText } from '../formats/text-file.ts'
import { documentOf } from './shared/document-of-record.ts'
import { officialFile, split } from './shared/official-file.ts'
import { type MalformedRecords, type Counting, publishedDataset } from './shared/published-dataset.ts'

const options = z.strictObject({
  split: split(['test', 'dev', 'train'], 'test'),
})

/**
 * A folder in the layout of BEIR (Thakur et al., 2021). Evidence of a query is every whole document that was judged
 * with more than 0, with its grade. There are no right answers, so that retrieval alone is scored. Every query that is
 * judged is asked, as trec_eval counts it: where nothing is relevant it scores 0, and what is relevant and not in the
 * corpus counts as not retrieved.
 */
export const beir = publishedDataset({
  name: 'beir',
  // 2: judgements of absent documents count, all judged queries are asked, identical ids are excluded, titles are kept
  version: 2,
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
  files: filesOf,
  async *corpora({ files: [corpusFile, queryFile, qrelsFile], bad, leftOut }) {
    const documents = await documentsOf(corpusFile, bad, leftOut)
    const gradesByQuery = await readJudgements(qrelsFile, bad)
    const ids = new Set(documents.map(({ id }) => id))
    const questions: Question[] = []
    for (const [id, text] of await queriesOf(queryFile, bad)) {
      const grades = gradesByQuery.get(id)
      gradesByQuery.delete(id)
      if (!grades) {
        leftOut('queries without a judgement')
        continue
      }
      // for every method and before the budget, as in BEIR: in ArguAna the query is such a document
      const isExcluded = ids.has(id)
      if (isExcluded) leftOut('documents with the id of a query, from the rankings of that query')
      questions.push({
        id,
        text,
        reference: { kind: 'answer', accepted: [] },
        ...judgementsOf(grades, ids),
        ...(isExcluded && { excludedIds: [id] }),
      })
    }
    for (const { size } of gradesByQuery.values()) leftOut('judgements of queries that are not there', size)
    const missing = questions.reduce((sum, { notInCorpus = {} }) => sum + Object.keys(notInCorpus).length, 0)
    if (questions.every(({ evidence = [] }) => evidence.length === 0))
      throw (
        bad.first() ??
        new UserError(
          `${qrelsFile}: no query of ${queryFile} has a relevant document in ${corpusFile}; use files of one collection`,
        )
      )
    const notes = [`relevant documents that the corpus lacks count as not retrieved: ${missing}`]
    yield { id: 'beir', documents, questions, ...(missing > 0 && { notes }) }
  },
})

/** What the grades of a query say of the documents of the corpus, and which relevant ones it lacks. */
function judgementsOf(
  grades: ReadonlyMap<string, number>,
  documentIds: ReadonlySet<string>,
): Pick<Question, 'evidence' | 'notRelevant' | 'notInCorpus'> {
  const isHere = ([documentId]: readonly [string, number]): boolean => documentIds.has(documentId)
  const relevant = [...grades].filter(([, grade]) => grade > 0)
  const notRelevant = [...grades].filter(([, grade]) => grade <= 0)
  const notInCorpus = relevant.filter((judgement) => !isHere(judgement))
  return {
    evidence: relevant.filter(isHere).map(([documentId, grade]) => ({ documentId, ...(grade !== 1 && { grade }) })),
    ...(notRelevant.length > 0 && { notRelevant: Object.fromEntries(notRelevant) }),
    ...(notInCorpus.length > 0 && { notInCorpus: Object.fromEntries(notInCorpus) }),
  }
}

async function filesOf(
  path: string,
  { split }: z.output<typeof options>,
): Promise<readonly [corpus: string, queries: string, qrels: string]> {
  const there = await stat(path).catch(() => undefined)
  if (there && !there.isDirectory())
    throw new UserError(`${path}: must be a folder with corpus.jsonl, queries.jsonl and qrels/${split}.tsv`)
  return [
    await officialFile(path, ['corpus.jsonl'], null, nameFolder),
    await officialFile(path, ['queries.jsonl'], null, nameFolder),
    await officialFile(join(path, 'qrels'), [`${split}.tsv`], null, 'set the option "split"'),
  ]
}

const nameFolder = 'name the folder that holds it'

async function documentsOf(
  file: string,
  bad: MalformedRecords,
  leftOut: Counting['leftOut'],
): Promise<readonly Document[]> {
  const documents = new Map<string, Document>()
  for await (const { line, value } of jsonRecords(file, bad, { numbers: 'text' }))
    bad.attempt(() => {
      // BEIR puts every title before its text
      const document = documentOf(value, '', `${file}:${line}`, () => false)
      if (document.id === '') throw new UserError(`${file}:${line}: lacks "_id"`)
      if (documents.has(document.id)) throw new UserError(`${file}:${line}: the id "${document.id}" is used already`)
      if (document.text.trim() === '') leftOut('empty documents')
      else documents.set(document.id, document)
    })
  return [...documents.values()]
}

const query = z.object({ _id: words, text: words })

/** The texts of the queries by their ids. */
async function queriesOf(file: string, bad: MalformedRecords): Promise<ReadonlyMap<string, string>> {
  const queries = new Map<string, string>()
  const expectation = 'a query of BEIR (_id and text)'
  for await (const { value, where } of recordsOf(file, query, expectation, bad, { numbers: 'text' }))
    bad.attempt(() => {
      if (queries.has(value._id)) throw new UserError(`${where}: the id "${value._id}" is used already`)
      queries.set(value._id, value.text.trim())
    })
  return queries
}

/**
 * The grade of each judged document for each query, by ids: rows of query, document and grade below a row of names,
 * which may be missing, set apart by tabs. Of two rows on one document the later counts. Throws UserError naming file
 * and line of what is malformed.
 */
async function readJudgements(file: string, bad: MalformedRecords): Promise<Map<string, Map<string, number>>> {
  const grades = new Map<string, Map<string, number>>()
  const text = await wholeText(file)
  for (const [index, row] of text.split(/\r?\n/).entries())
    bad.attempt(() => {
      if (row.trim() === '') return
      const cells = row.split('\t').map((cell) => cell.trim())
      const [query = '', document = '', grade = '', ...more] = cells
      const isGrade = /^-?\d+$/.test(grade)
      if (index === 0 && !isGrade && grade !== '' && more.length === 0) return
      if (query === '' || document === '' || !isGrade || more.length > 0)
        throw new UserError(
          `${file}:${index + 1}: expected query-id, corpus-id and a whole number as score, set apart by tabs`,
        )
      grades.set(query, (grades.get(query) ?? new Map<string, number>()).set(document, Number(grade)))
    })
  return grades
}
