import { expect, test } from 'vitest'
import type { questionOfAnswer } from '../tasks/verdicts.ts'
import { fakeModels } from '../testing/fake-models.ts'
import type { ScorerInput } from '../types.ts'
import { answerRelevancy } from './answer-relevancy.ts'

type QuestionOfAnswerInput = Parameters<typeof questionOfAnswer.prompt>[0]

type Guess = readonly [question: string, noncommittal?: unknown]

const judge = (...guesses: readonly Guess[]) =>
  fakeModels({
    replies: {
      'question-of-answer': ({ index }: QuestionOfAnswerInput) => {
        const [question, noncommittal = 0] = guesses[index % guesses.length] ?? ['']
        return { question, noncommittal }
      },
    },
  })

const asked = (text: string): ScorerInput => ({
  question: { id: 'q', text: 'alpha beta', reference: { kind: 'turn', accepted: '' } },
  context: [],
  answer: { text },
})
const score = (models: ReturnType<typeof judge>, text = 'It is.') => answerRelevancy.score(asked(text), models, {})
const value = (expected: number) => ({ metrics: { answerRelevancy: expect.closeTo(expected, 6) as number } })

test('is the mean cosine with the generated questions', async () => {
  // bags of two words that share both, one and none
  expect(await score(judge(['Alpha, beta?'], ['alpha gamma'], ['delta epsilon']))).toMatchObject(value(0.5))
  expect(await score(judge(['beta alpha']))).toMatchObject(value(1))
})

test('is 0 only if all replies call the answer noncommittal', async () => {
  expect(await score(judge(['alpha beta', 1], ['alpha beta', true], ['alpha beta', 0]))).toMatchObject(value(1))
  expect(await score(judge(['alpha beta', 1], ['alpha beta', true], ['alpha beta', '1']))).toMatchObject(value(0))
})

test('generates three questions and embeds them as documents', async () => {
  const models = judge(['alpha'], ['beta'])
  await score(models)
  expect(models.calls).toEqual([
    { task: 'question-of-answer', input: { answer: 'It is.', index: 0 } },
    { task: 'question-of-answer', input: { answer: 'It is.', index: 1 } },
    { task: 'question-of-answer', input: { answer: 'It is.', index: 2 } },
  ])
  expect(models.embedded).toEqual([
    { texts: ['alpha beta'], role: 'query' },
    { texts: ['alpha', 'beta', 'alpha'], role: 'document' },
  ])
})

test('counts an empty question as cosine 0 without embedding it', async () => {
  const models = judge([''], ['Alpha, beta?'], ['beta alpha'])
  expect(await score(models)).toMatchObject(value(2 / 3))
  expect(models.embedded[1]).toEqual({ texts: ['Alpha, beta?', 'beta alpha'], role: 'document' })
})

test('is skipped without an answer or a generated question', async () => {
  const models = judge([''], ['  '])
  expect(await score(models, ' ')).toEqual({ skipped: 'the answer is empty' })
  expect(models.calls).toEqual([])
  expect(await score(models)).toEqual({ skipped: 'the judge generated no question from the answer' })
  expect(models.embedded).toEqual([])
})
