import { expect, test } from 'vitest'
import { fileOf } from '../test-support/dataset-copies/write-files.ts'
import { fakeModels } from '../testing/fake-models.ts'
import type { ScorerInput } from '../types.ts'
import { assertions } from './assertions.ts'

const asked = (text: string, id = 'q1'): ScorerInput => ({
  question: { id, text: 'What is told of the  mill?', reference: { kind: 'summary', accepted: [] } },
  context: [],
  answer: { text },
})

/** A judge that finds a statement where the answer has it word for word. */
const models = () =>
  fakeModels({
    replies: {
      'verify-claims': ({ claims, context }: { claims: readonly string[]; context: string }) => ({
        statements: claims.map((statement) => ({ statement, reason: '', verdict: context.includes(statement) })),
      }),
    },
  })
const statements = (...all: readonly string[]) => all.map((statement) => ({ statement, source_count: 3, rank: 1 }))

test('scores the share of valid assertions that the answer meets', async () => {
  const no = { statement: 'It is blue.', validation: { is_valid: false, scores: {} } }
  const yes = { statement: 'It stands.', validation: { is_valid: true } }
  const file = fileOf([{ question_id: 'q1', assertions: [...statements('It burned.', 'It was sold.'), no, yes] }])
  const said = asked('It burned. It stands.')
  expect(await assertions.score(said, models(), { file })).toMatchObject({
    metrics: { assertions: 2 / 3 },
    parts: { met: [true, false, true] },
  })
  expect(await assertions.score(asked(''), models(), { file })).toMatchObject({
    metrics: { assertions: 0 },
  })
})

test('matches questions by id, then by text, and skips those without assertions', async () => {
  const file = fileOf([
    { question_id: 7, question_text: ' What is told of\nthe mill? ', assertions: statements('It burned.') },
    { question_id: 'empty', question: 'Else?', assertions: [] },
  ])
  const one = await assertions.score(asked('It burned.'), models(), { file })
  expect(one).toMatchObject({ metrics: { assertions: 1 } })
  const { question } = asked('')
  const none = { question: { ...question, id: 'empty', text: 'Else?' }, context: [], answer: { text: 'x' } }
  expect(await assertions.score(none, models(), { file })).toEqual({
    skipped: 'the file has no assertions on the question',
  })
})

test('fails if the judge omits an assertion', async () => {
  const file = fileOf([{ question_id: 'q1', assertions: statements('a', 'b') }])
  const one = { statements: [{ statement: 'a', reason: '', verdict: 1 }] }
  const judge = fakeModels({ replies: { 'verify-claims': () => one } })
  await expect(assertions.score(asked('a'), judge, { file })).rejects.toThrow('1 verdicts on 2 assertions')
})

test.each([
  ['no JSON', '{', 'malformed JSON'],
  ['an object', {}, 'lacks "question_id"; expected {question_id'],
  ['an id of 19 digits', [{ question_id: 1234567890123456789, assertions: [] }], 'question_id'],
  ['an assertion without a statement', [{ question_id: 'q', assertions: [{}] }], 'assertion 1 lacks "statement"'],
])('reports %s in one line with its position', async (_what, content, line) => {
  const file = fileOf(content)
  const refused = assertions.score(asked('a'), models(), { file })
  await expect(refused).rejects.toThrow(line)
  await expect(refused).rejects.toThrow(`${file}:1`)
})
