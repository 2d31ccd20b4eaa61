import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { copyOf } from '../test-support/dataset-copies/dataset-copies.ts'
import { folderOf } from '../test-support/dataset-copies/write-files.ts'
import { gather } from '../testing/dataset.ts'
import { beir } from './beir.ts'

const copy = copyOf('beir')

const read = async (path: string, options: object = {}) =>
  (await gather(beir.corpora(path, beir.options.parse(options))))[0]!

const sound = {
  'corpus.jsonl': '{"_id": "d1", "text": "A."}\n',
  'queries.jsonl': '{"_id": 1, "text": "What?"}\n',
  'qrels/test.tsv': '1\td1\t1\n',
}

const copyWith = (change: Readonly<Record<string, string | null>>): string => {
  const files = Object.entries<string | null>({ ...sound, ...change })
  const path = folderOf(Object.fromEntries(files.flatMap(([name, text]) => (text === null ? [] : [[name, text]]))))
  mkdirSync(join(path, 'qrels'), { recursive: true })
  return path
}

test('documents start with their title; evidence is every document judged above 0', async () => {
  expect(await read(copy)).toMatchObject({
    documents: [
      { id: 'd1', title: 'Oslo', text: 'Oslo\n\nA city.' },
      { id: 'd2', text: 'Moss is a town.' },
    ],
    questions: [
      { id: 'q1', text: 'Which city?', evidence: [{ documentId: 'd1' }], reference: { accepted: [] } },
      { id: 'q2', evidence: [{ documentId: 'd2' }] },
    ],
  })
  expect((await read(copy, { split: 'dev' })).questions.map(({ id }) => id)).toEqual(['q3'])
})

test('reads graded judgments; grades of 0 or less are stored next to the evidence', async () => {
  const corpus = '{"_id": "d1", "text": "A."}\n{"_id": "d2", "text": "B."}\n{"_id": "d3", "text": "C."}\n'
  const path = copyWith({
    'corpus.jsonl': corpus,
    'qrels/test.tsv': '1\td1\t2\n1\td2\t1\n1\td3\t0\n1\tgone\t2\n',
  })
  const { questions, notes } = await read(path)
  expect(questions[0]).toMatchObject({
    evidence: [{ documentId: 'd1', grade: 2 }, { documentId: 'd2' }],
    notRelevant: { d3: 0 },
    notInCorpus: { gone: 2 },
  })
  expect(notes).toEqual(['relevant documents that the corpus lacks count as not retrieved: 1'])
})

test('keeps a query without relevant documents and skips one without judgments', async () => {
  const path = copyWith({
    'queries.jsonl': ['1', '2', '3'].map((_id) => `${JSON.stringify({ _id, text: 'What?' })}\n`).join(''),
    'qrels/test.tsv': '1\td1\t1\n2\td1\t0\n',
  })
  const { questions, leftOut } = await read(path)
  expect(questions).toMatchObject([{ id: '1' }, { id: '2', evidence: [], notRelevant: { d1: 0 } }])
  expect(leftOut).toEqual({ 'queries without a judgement': 1 })
})

test('excludes the document whose id is that of the query', async () => {
  const path = copyWith({
    'queries.jsonl': '{"_id": "d1", "text": "A."}\n{"_id": 2, "text": "A."}\n',
    'qrels/test.tsv': 'd1\td1\t1\n2\td1\t1\n',
  })
  const { questions, leftOut } = await read(path)
  expect(questions.map(({ id, excludedIds }) => [id, excludedIds])).toEqual([
    ['d1', ['d1']],
    ['2', undefined],
  ])
  expect(leftOut).toEqual({ 'documents with the id of a query, from the rankings of that query': 1 })
})

test('puts the title before the text even if the text starts with it', async () => {
  const withTitle = { Art: 'Arterial roads.', Oslo: 'Oslo is a city.', Moss: '' }
  const lines = Object.entries(withTitle).map(([title, text]) => `${JSON.stringify({ _id: title, title, text })}\n`)
  const { documents } = await read(copyWith({ 'corpus.jsonl': lines.join(''), 'qrels/test.tsv': '1\tArt\t1\n' }))
  expect(documents.map(({ text }) => text)).toEqual(['Art\n\nArterial roads.', 'Oslo\n\nOslo is a city.', 'Moss'])
})

test('numeric ids keep every digit', async () => {
  const [first, second] = ['9007199254740993001', '9007199254740993002']
  const { documents, questions } = await read(
    copyWith({
      'corpus.jsonl': `{"_id": ${first}, "text": "A."}\n{"_id": ${second}, "text": "B."}\n{"_id": 1.10, "text": "C."}\n`,
      'queries.jsonl': `{"_id": ${second}, "text": "Which?"}\n{"_id": ${first}, "text": "What?"}\n`,
      'qrels/test.tsv': `query-id\tcorpus-id\tscore\n${first}\t${second}\t1\n${second}\t${first}\t1\n`,
    }),
  )
  expect(documents.map(({ id }) => id)).toEqual([first, second, '1.10'])
  expect(questions).toMatchObject([
    { id: second, evidence: [{ documentId: first }] },
    { id: first, evidence: [{ documentId: second }] },
  ])
})

test.each<[Readonly<Record<string, string | null>>, string]>([
  [{ 'qrels/test.tsv': null }, 'no test.tsv in this folder (it is empty); put it into this folder, or set the option'],
  [{ 'corpus.jsonl': null }, 'put it into this folder, or name the folder that holds it'],
  [{ 'qrels/test.tsv': '1\td1\t1\n1\td1\n' }, 'test.tsv:2: expected query-id, corpus-id and a whole number'],
  [{ 'corpus.jsonl': sound['corpus.jsonl'].repeat(2) }, 'corpus.jsonl:2: the id "d1" is used by'],
  [{ 'corpus.jsonl': '{"text": "A."}' }, 'corpus.jsonl:1: lacks "_id"'],
  [{ 'qrels/test.tsv': '2\td1\t1\n' }, 'has a relevant document in'],
])('a collection with %j is refused in one line: %s', async (change, message) => {
  const error: unknown = await read(copyWith(change)).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ name: 'UserError', message: expect.stringContaining(message) })
  expect(String(error)).not.toContain('\n')
})
