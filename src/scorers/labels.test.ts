import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inReferenceData } from '../test-support/dataset-copies/reference-data.ts'
import { fileOf } from '../test-support/dataset-copies/write-files.ts'
import { fakeModels } from '../testing/fake-models.ts'
import { labels } from './labels.ts'

const fileWith = (...lines: readonly unknown[]): string =>
  fileOf(lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'))

const scoreOf = (question: string, answer: string, given: object) =>
  labels.score(
    {
      question: { id: 'q', text: question, reference: { kind: 'answer', accepted: [] } },
      context: [],
      answer: { text: answer },
    },
    fakeModels(),
    labels.options.parse(given),
  )

test('reads the labels of the exact answer and skips others', async () => {
  const first = { question: 'Who?', response: 'The  miller.', relevance_score: 0.25, adherence_score: false, other: 1 }
  const unlabelled = { question: 'Who?', response: 'No label.' }
  const file = fileWith(
    first,
    { ...first, response: 'Nobody.', relevance_score: null, adherence_score: true },
    unlabelled,
  )
  expect(await scoreOf('Who?', 'The miller. ', { file })).toEqual({
    metrics: { relevance_score: 0.25, adherence_score: 0 },
  })
  expect(await scoreOf('Who?', 'Nobody.', { file })).toEqual({ metrics: { adherence_score: 1 } })
  expect(await scoreOf('Who?', 'Else.', { file })).toMatchObject({ skipped: expect.stringContaining('no labels') })
  expect(await scoreOf('Who?', 'No label.', { file })).toMatchObject({
    skipped: expect.stringContaining('has none of'),
  })
})

test.each([
  ['no JSON', '{', ':2:2: malformed JSON'],
  ['no answer', { question: 'x' }, ':2: '],
])('reports %s in one line with its position', async (_what, line, expected) => {
  const file = fileWith({ question: 'a', answer: 'b' }, line)
  await expect(scoreOf('a', 'b', { file })).rejects.toThrow(`${file}${expected}`)
})

test('rejects a label that is not a number', async () => {
  const file = fileWith({ question: 'a', answer: 'b', relevance_score: 'much' })
  await expect(scoreOf('a', 'b', { file })).rejects.toThrow('"relevance_score" is "much"')
})

test.each(inReferenceData(['ragbench/covidqa_test_20.jsonl']))(
  '%s has four labels of its first answer',
  async (file) => {
    const question =
      'Which viruses may not cause prolonged inflammation due to strong induction of antiviral clearance?'
    const { response } = JSON.parse(readFileSync(file, 'utf8').split('\n')[0] ?? '') as { response: string }
    expect(await scoreOf(question, response, { file })).toEqual({
      metrics: { relevance_score: 7 / 17, utilization_score: 3 / 17, completeness_score: 3 / 7, adherence_score: 0 },
    })
  },
)
