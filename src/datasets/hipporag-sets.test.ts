import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { multihopCopy } from '../test-support/dataset-copies/multihop-copies.ts'
import { writeFiles } from '../test-support/dataset-copies/write-files.ts'
import { gather } from '../testing/dataset.ts'
import type { Corpus } from '../types.ts'
import { hotpotQa, nq, popQa, twoWiki } from './hipporag-sets.ts'
import { checkDataset } from './shared/check.ts'

const file = (name: string, value: string | object): string => writeFiles('hipporag-sets', { [name]: value })
const readCopy = (name: string) => JSON.parse(readFileSync(join(multihopCopy, name), 'utf8')) as object[]

const read = async (set: typeof nq, path: string, overrides: object = {}): Promise<Corpus> => {
  const [corpus] = await gather(set.corpora(path, set.options.parse(overrides)))
  if (!corpus) throw new Error('no corpus')
  return corpus
}
/** The titles and texts of the evidence of each question. */
const evidenceIn = ({ documents, questions }: Corpus) =>
  questions.map(({ evidence }) =>
    evidence?.map(({ documentId }) => documents.find(({ id }) => id === documentId)?.text),
  )

test('2Wiki joins sentences by a space; evidence is every paragraph with a supporting title', async () => {
  const corpus = await read(twoWiki, multihopCopy)
  expect(evidenceIn(corpus)).toEqual([
    ['Gret\nGret hangs in Vell. It was cast in 1403.', 'Holm\nHolm was cast in 1511.'],
    ['Gret\nGret hangs in Vell. It was cast in 1403.', 'Vell\nVell is a town.', 'Vell\nVell lies in Norrland.'],
  ])
  expect(corpus.questions[0]).toMatchObject({
    id: 'w1',
    text: 'Which bell is older, Gret or Holm?',
    tags: ['comparison'],
    reference: { kind: 'answer', accepted: [{ text: 'Gret' }] },
  })
})

test('HotpotQA joins sentences without a space, from questions and from an object of titles', async () => {
  const corpus = await read(hotpotQa, multihopCopy)
  expect(evidenceIn(corpus)).toEqual([['Gret\nGret is the bell of Vell. Oda Lind cast it.']])
  expect(corpus.documents.map(({ title }) => title)).toEqual(['Gret', 'Vell', 'Holm'])
})

test('PopQA accepts every possible answer once', async () => {
  const corpus = await read(popQa, multihopCopy)
  expect(corpus.questions.map(({ reference }) => reference)).toEqual([
    { kind: 'answer', accepted: [{ text: 'bell founder' }, { text: 'caster' }] },
    { kind: 'answer', accepted: [{ text: 'bell founder' }] },
  ])
  expect(evidenceIn(corpus).map((item) => item?.length)).toEqual([2, 2])
})

test('NQ has evidence if its passages are marked; the FlashRAG form has none and needs a passage file', async () => {
  expect(evidenceIn(await read(nq, multihopCopy))).toEqual([['Bell founder\nA bell founder casts bells.']])
  const flash = file('nq.jsonl', '{"id":"test_0","question":"who casts bells","golden_answers":["a founder"]}')
  await expect(read(nq, flash)).rejects.toThrow('has no passages to search; name a file of them with "corpusFile"')
  const overrides = { corpusFile: join(multihopCopy, 'nq_rear_corpus.json') }
  const corpus = await read(nq, flash, overrides)
  expect(corpus.questions).toEqual([
    { id: 'test_0', text: 'who casts bells', reference: { kind: 'answer', accepted: [{ text: 'a founder' }] } },
  ])
  expect(corpus.documents).toHaveLength(3)
})

test('reads the supporting titles of fast-graphrag results', async () => {
  const result = { question: 'Which bell is older?', answer: '', evidence: ['Vell'], ground_truth: ['Vell', 'Holm'] }
  const overrides = { corpusFile: 'titles.json' }
  file(
    'titles.json',
    ['Holm', 'Vell', 'Vell'].map((title, at) => ({ title, text: `Text ${at}.` })),
  )
  const { questions, documents } = await read(twoWiki, file('results.json', [result]), overrides)
  expect(questions[0]?.reference).toEqual({ kind: 'answer', accepted: [] })
  const evidence = questions[0]?.evidence?.map(({ documentId }) => documents.find(({ id }) => id === documentId)?.text)
  expect(evidence).toEqual(['Vell\nText 1.', 'Vell\nText 2.', 'Holm\nText 0.'])
  const missingFile = file('lost.json', [{ ...result, ground_truth: ['Rome'] }])
  await expect(checkDataset(twoWiki, missingFile, { corpusFile: 'titles.json' })).rejects.toThrow(
    /titles\.json: .* "Which bell is older\?" has evidence in "Rome", which is not a document/,
  )
})

const [wiki = {}] = readCopy('2wikimultihopqa.json')
const [job = {}] = readCopy('popqa.json')
test.each<[object, object, RegExp, typeof nq]>([
  [{ ...wiki, supporting_facts: [['Rome', 0]] }, {}, /:1: supporting_facts: "Rome" is not a paragraph of its/, twoWiki],
  [{ ...job, possible_answers: "['a']" }, {}, /possible_answers: is not a JSON list/, popQa],
  [wiki, { corpusFile: 'nq.json' }, /nq\.json: .* question "w1" has evidence in/, twoWiki],
])('%j with %j is refused with its place: %s', async (question, overrides, message, set) => {
  file('nq.json', readCopy('nq_rear_corpus.json'))
  const options = set.options.parse(overrides)
  await expect(checkDataset(set, file('refused.json', [question]), options)).rejects.toThrow(message)
})
