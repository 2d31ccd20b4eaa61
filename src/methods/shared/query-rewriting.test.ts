import { expect, test } from 'vitest'
import { ask, asking, documentOf, rankedIds } from '../../test-support/ask-method.ts'
import { extractiveReply } from '../../test-support/extractive-replies.ts'
import { testMethod } from '../../testing/index.ts'
import type { Method } from '../../types.ts'
import { decompose } from '../decompose.ts'
import { multiQuery } from '../multi-query.ts'
import { stepBack } from '../step-back.ts'

testMethod(await asking(multiQuery, 'vector'))
testMethod(await asking(multiQuery, { use: 'rerank' }))
testMethod(await asking(decompose, 'vector'))
testMethod(await asking(decompose, 'hybrid'))
testMethod(await asking(stepBack, 'vector'))

const search = async (over: Method, task: string, reply: unknown, texts: readonly string[], text: string) =>
  (await ask(await asking(over, 'bm25'), documentOf(...texts), { text, replies: { [task]: () => reply } })).passages

test('decompose interleaves passages of the question and of its parts, without duplicates', async () => {
  const chunks = ['bread rye', 'bread', 'oats', 'rye rye']
  const passages = await search(decompose, 'split-question', ['oats', 'rye and oats', 'bread'], chunks, 'bread')
  expect(rankedIds(passages)).toEqual(['c1', 'c2', 'c0', 'c3'])
  expect(passages.map(({ score }) => score)).toEqual([1, 1 / 2, 1 / 3, 1 / 4])
  expect(passages[1]?.why).toMatchObject({ 'rank for part 1': 1 })
})

test('step-back interleaves passages of the question and of the general question', async () => {
  const passages = await search(stepBack, 'step-back', 'mills', ['wheel', 'wheel of oak', 'mills'], 'wheel')
  expect(rankedIds(passages)).toEqual(['c0', 'c2', 'c1'])
  expect(passages[0]?.why).toMatchObject({ asked: ['mills'], 'rank for the question': 1 })
})

const texts = ['rye bread', 'mill wheel', 'oats']

test('multi-query adds the reciprocal ranks of at most four queries and records them', async () => {
  const passages = await search(multiQuery, 'rephrase-question', ['mill', 'mill wheel'], texts, 'rye')
  expect(rankedIds(passages)).toEqual(['c1', 'c0'])
  expect(passages[0]).toMatchObject({
    score: 2 / 61,
    why: { asked: ['mill', 'mill wheel'], 'rank in query 1': 1, 'rank in query 2': 1 },
  })
  const many = await search(multiQuery, 'rephrase-question', ['mill', 'mill', 'mill', 'mill', 'oats'], texts, 'rye')
  expect(rankedIds(many)).toEqual(['c1', 'c0'])
})

test('splits a question at conjunctions offline', () => {
  const parts = (question: string): unknown => JSON.parse(extractiveReply('split-question', { question, count: 4 }))
  expect(parts('Who built it, and when was it sold?')).toEqual(['Who built it', 'when was it sold?'])
  expect(parts('Who built the mill?')).toEqual(['Who built', 'the mill?'])
})

test.each([
  ['multi-query', multiQuery, 'rephrase-question', []],
  ['multi-query', multiQuery, 'rephrase-question', ['', ' ']],
  ['decompose', decompose, 'split-question', []],
  ['decompose', decompose, 'split-question', [' ']],
  ['step-back', stepBack, 'step-back', ' '],
])('%s: counts and reports an empty reply, and searches by the question alone (%#)', async (_, over, task, reply) => {
  const passages = await search(over, task, reply, texts, 'rye bread')
  expect(rankedIds(passages)).toEqual(['c0'])
  expect(passages[0]?.why?.['fallback']).toBe(`the question alone: the reply of ${task} could not be read`)
  expect(passages[0]?.why).not.toHaveProperty('asked')
})

test.each([
  ['multi-query', multiQuery, 'rephrase-question'],
  ['decompose', decompose, 'split-question'],
])('%s: does not search for a repetition of the example in the prompt, and reports it', async (_, over, task) => {
  const traceOf = async (...replies: readonly string[]) =>
    (await search(over, task, replies, texts, 'rye bread of Tom Reed'))[0]?.why
  const left = `what ${task} repeated of the example in the prompt is left out`
  const some = await traceOf('bread of Tom Reed', 'Is Arden Mill old?', 'the mill')
  expect(some).toMatchObject({ asked: ['bread of Tom Reed', 'the mill'], fallback: `the others: ${left}` })
  const none = await traceOf('Arden Mill')
  expect(none).toMatchObject({ fallback: `the question alone: ${left}` })
  expect(none).not.toHaveProperty('asked')
  expect(await traceOf('the mill')).not.toHaveProperty('fallback')
})
