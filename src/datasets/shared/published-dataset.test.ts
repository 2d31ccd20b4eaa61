import { expect, test } from 'vitest'
import { fileOf } from '../../test-support/dataset-copies/write-files.ts'
import { gather } from '../../testing/dataset.ts'
import { findDataset } from '../index.ts'

const read = async (name: string, path: string, onBadRecord?: 'skip', overrides: object = {}) => {
  const dataset = await findDataset(name)
  return gather(dataset.corpora(path, dataset.options.parse(overrides), onBadRecord))
}

const quality = (id: string, more: object = {}) => ({
  article_id: id,
  set_unique_id: `${id}_A`,
  title: 'T',
  article: `Article ${id}.`,
  questions: [
    { question: 'Q?', question_unique_id: `${id}_A_1`, options: ['a', 'b', 'c', 'd'], gold_label: 1, difficult: 0 },
  ],
  ...more,
})
const row = (id: string, more: object = {}) => ({
  id,
  question: `Question ${id}?`,
  documents: [`Document ${id}.`],
  response: 'So.',
  dataset_name: 'toy',
  ...more,
})
const article = (id: string, qas: readonly unknown[]) => ({ document_id: id, context: `Article ${id}.`, qas })
const request = (id: string) => ({ id, question: 'Q?', answers: [{ text: 'Article', answer_start: 0 }] })
const lines = (...values: readonly (object | string)[]): string =>
  values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join('\n')

test.each<[string, string, string, string[], number, RegExp]>([
  [
    'a line cut inside a string',
    'quality',
    lines(quality('1'), JSON.stringify(quality('2')).slice(0, 60), quality('3'), '', quality('4', { title: 5 })),
    ['1_A_1', '3_A_1'],
    2,
    /:2:\d+: malformed JSON/,
  ],
  ['the first line', 'quality', lines('{"a": "', quality('3')), ['3_A_1'], 1, /:1:7: malformed JSON/],
  ['a line that is no object', 'ragbench', lines(row('1'), '7', row('2')), ['1', '2'], 1, /:2: .*expected RAGBench/],
  ['a field of the wrong kind', 'ragbench', lines(row('1', { response: '' }), row('2')), ['2'], 1, /:1: response/],
  [
    'an object of an array',
    'ragbench',
    `[\n${JSON.stringify(row('1'))},\n{"id": NaN},\n${JSON.stringify(row('2'))}]`,
    ['1', '2'],
    1,
    /:3:8: malformed JSON at "NaN/,
  ],
  [
    'an article and a question within the one object of a file',
    'covid-qa',
    JSON.stringify({ data: [{ paragraphs: [article('1', [request('q1'), { id: 'q2' }]), { qas: [] }] }] }),
    ['q1'],
    2,
    /:1: data 1, paragraph 1, qas 2 lacks "question"/,
  ],
])('skips and counts malformed records and reports the first: %s', async (_, name, content, ids, count, first) => {
  const path = fileOf(content, 'file.jsonl')
  await expect(read(name, path)).rejects.toThrow(/file\.jsonl:/)
  const corpora = await read(name, path, 'skip')
  expect(corpora.flatMap(({ questions }) => questions.map(({ id }) => id))).toEqual(ids)
  const counts = corpora.flatMap(({ leftOut = {} }) => leftOut['records that could not be read'] ?? [])
  expect(counts.reduce((sum, item) => sum + item, 0)).toBe(count)
  expect(corpora.at(-1)?.firstBadRecord).toMatch(first)
})

test('malformed lines of QuALITY count as lines', async () => {
  const path = fileOf(lines(quality('0'), '{"broken', quality('2', { title: 5 }), quality('3')), 'file.jsonl')
  const selection = await read('quality', path, 'skip', { lines: '3..3' })
  expect(selection.map(({ id }) => id)).toEqual(['3'])
})

test('throws the first error if all records are malformed', async () => {
  const path = fileOf(lines('{"a"', '{"b"'), 'file.jsonl')
  await expect(read('ragbench', path, 'skip')).rejects.toThrow(/malformed JSON/)
})
