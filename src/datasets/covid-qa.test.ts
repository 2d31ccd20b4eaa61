import { expect, test } from 'vitest'
import { fileOf } from '../test-support/dataset-copies/write-files.ts'
import { gather } from '../testing/dataset.ts'
import { covidQa } from './covid-qa.ts'

const context = 'A title\n\nThe virus was found in 2019.\nIt spread.\n\nIt has a  crown.'
const request = (id: number | string, text: string, answer_start: number, more: object = {}) => ({
  id,
  question: ` What of ${id}?`,
  answers: [{ text, answer_start }],
  is_impossible: false,
  ...more,
})
const article = (document_id: number | string, text: string, qas: readonly object[]) => ({
  paragraphs: [{ context: text, document_id, qas }],
})
const articles = [
  article(7, context, [
    request(1, '2019', 32),
    request(2, 'virus ', 14),
    request(3, 'a crown.', 50),
    request(4, 'sold it', 3),
    request(5, '', 0, { answers: [], is_impossible: true }),
  ]),
  article('8', 'Another.', [request('6', 'Another', 0)]),
]

const read = (data: readonly object[]) => gather(covidQa.corpora(fileOf({ data }), covidQa.options.parse({})))

test('evidence is the paragraph of the answer; tags say whether its offset was corrected', async () => {
  const [corpus] = await read(articles)
  expect(corpus?.id).toBe('covid-qa')
  expect(corpus?.documents).toEqual([
    { id: '7', text: context },
    { id: '8', text: 'Another.' },
  ])
  const result = 'The virus was found in 2019.\nIt spread.'
  expect(corpus?.questions.map(({ id, evidence, tags }) => [id, evidence, tags])).toEqual([
    ['1', [{ documentId: '7', text: result, start: context.indexOf(result) }], []],
    ['2', [{ documentId: '7', text: result, start: context.indexOf(result) }], ['repaired-offset']],
    ['3', [{ documentId: '7', text: 'It has a  crown.', start: context.indexOf('It has') }], ['repaired-offset']],
    ['4', undefined, ['lost-answer']],
    ['5', [], ['unanswerable']],
    ['6', [{ documentId: '8', text: 'Another.', start: 0 }], []],
  ])
  expect(corpus?.questions.map(({ cluster }) => cluster)).toEqual(['7', '7', '7', '7', '7', '8'])
  expect(corpus?.questions[1]).toMatchObject({
    text: 'What of 2?',
    reference: { kind: 'answer', accepted: [{ text: 'virus', type: 'extractive' }] },
  })
})

test('accepts all answers and lists each of their paragraphs once', async () => {
  const answers = [
    { text: '2019', answer_start: 32 },
    { text: 'It spread', answer_start: 38 },
    { text: 'A title', answer_start: 0 },
  ]
  const [corpus] = await read([article(7, context, [request(1, '', 0, { answers })])])
  expect(corpus?.questions[0]?.reference).toMatchObject({ accepted: answers.map(({ text }) => ({ text })) })
  expect(corpus?.questions[0]?.evidence?.map(({ text }) => text)).toEqual([
    'The virus was found in 2019.\nIt spread.',
    'A title',
  ])
})
