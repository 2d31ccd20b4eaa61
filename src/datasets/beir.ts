import { join } from 'node:path'
import { z } from 'zod'
import { UserError } from '../errors.ts'
import type { Document, Evidence, Question } from '../types.ts'
import { recordsOf, words } from '../formats/records.ts'
import { wholeText } from '../formats/text-file.ts'
import { checkId } from '../text/check-id.ts'
import { uniqueIds } from './shared/document-of-record.ts'
import { isFolder, officialFile, split } from './shared/official-file.ts'
import { type MalformedRecords, publishedDataset } from './shared/published-dataset.ts'

const options = z.strictObject({
  split: split(['test', 'dev', 'train'], 'test'),
})

/**
 * A folder in the layout of BEIR (Thakur et al., 2021), without answers: retrieval alone is scored. Every judged query
 * is asked, as trec_eval counts it; evidence is what was judged above 0, with its grade.
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
    const documents = new Map<string, Document>()
    const useDocumentId = uniqueIds()
    for await (const { value, where } of recordsOf(corpusFile, document, bad, 'text'))
      if (value.text.trim() === '') leftOut('empty documents')
      else bad.attempt(() => documents.set(useDocumentId(checkId(value.id, '_id', where), where), value))
    const gradesByQuery = await readJudgements(qrelsFile, bad)
    const questions: Question[] = []
    const useQueryId = uniqueIds()
    for await (const { value, where } of recordsOf(queryFile, query, bad, 'text')) {
      const id = bad.attempt(() => useQueryId(checkId(value._id, '_id', where), where))
      const grades = gradesByQuery.get(value._id)
      if (!grades) leftOut('queries without a judgement')
      if (id === undefined || !grades) continue
      gradesByQuery.delete(id)
      // for every method and before the budget, as in BEIR: in ArguAna the query is such a document
      const isExcluded = documents.has(id)
      if (isExcluded) leftOut('documents with the id of a query, from the rankings of that query')
      questions.push({
        id,
        text: value.text.trim(),
        reference: { kind: 'answer', accepted: [] },
        ...judgementsOf(grades, documents),
        ...(isExcluded && { excludedIds: [id] }),
      })
    }
    for (const { size } of gradesByQuery.values()) leftOut('judgements of queries that are not there', size)
    if (questions.every(({ evidence = [] }) => evidence.length === 0))
      throw (
        bad.first() ??
        new UserError(
          `${qrelsFile}: no query of ${queryFile} has a relevant document in ${corpusFile}; use files of one collection`,
        )
      )
    const missing = questions.reduce((sum, { notInCorpus = {} }) => sum + Object.keys(notInCorpus).length, 0)
    const notes = [`relevant documents that the corpus lacks count as not retrieved: ${missing}`]
    yield { id: 'beir', documents: [...documents.values()], questions, ...(missing > 0 && { notes }) }
  },
})

async function filesOf(path: string, { split }: z.output<typeof options>) {
  if ((await isFolder(path)) === false)
    throw new UserError(`${path}: must be a folder with corpus.jsonl, queries.jsonl and qrels/${split}.tsv`)
  const corpus = await officialFile(path, ['corpus.jsonl'], null, nameFolder)
  const queries = await officialFile(path, ['queries.jsonl'], null, nameFolder)
  return [
    corpus,
    queries,
    await officialFile(join(path, 'qrels'), [`${split}.tsv`], null, 'set the option "split"'),
  ] as const
}

const nameFolder = 'name the folder that holds it'

const document = z
  .object({ _id: words, title: z.string().nullish(), text: z.string() })
  .transform(({ _id: id, title, text }): Document => {
    const heading = title?.trim()
    return heading ? { id, title: heading, text: `${heading}\n\n${text}`.trimEnd() } : { id, text }
  })
  .describe('a document of BEIR (_id and text)')

const query = z.object({ _id: words, text: words }).describe('a query of BEIR (_id and text)')

async function readJudgements(file: string, bad: MalformedRecords) {
  const grades = new Map<string, Map<string, number>>()
  const text = await wholeText(file)
  for (const [index, row] of text.split(/\r?\n/).entries()) {
    const [, query = '', document = '', grade] = /^\s*([^\t]+?)\s*\t\s*([^\t]+?)\s*\t\s*(-?\d+)\s*$/.exec(row) ?? []
    if (grade !== undefined)
      grades.set(query, (grades.get(query) ?? new Map<string, number>()).set(document, Number(grade)))
    else if (index > 0 && row.trim() !== '')
      bad.attempt(() => {
        const expectation = 'expected query-id, corpus-id and a whole number as score, set apart by tabs'
        throw new UserError(`${file}:${index + 1}: ${expectation}`)
      })
  }
  return grades
}

function judgementsOf(grades: ReadonlyMap<string, number>, documents: ReadonlyMap<string, Document>) {
  const all = [...grades]
  const notRelevant = all.filter(([, grade]) => grade <= 0)
  const relevant = all.filter(([, grade]) => grade > 0)
  const notInCorpus = relevant.filter(([documentId]) => !documents.has(documentId))
  return {
    evidence: relevant.flatMap(([documentId, grade]): Evidence[] =>
      documents.has(documentId) ? [{ documentId, ...(grade !== 1 && { grade }) }] : [],
    ),
    ...(notRelevant.length > 0 && { notRelevant: Object.fromEntries(notRelevant) }),
    ...(notInCorpus.length > 0 && { notInCorpus: Object.fromEntries(notInCorpus) }),
  }
}
