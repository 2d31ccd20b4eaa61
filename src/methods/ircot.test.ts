import { expect, test } from 'vitest'
import { ask, asking, documentOf, failing, rankedIds } from '../test-support/ask-method.ts'
import type { reasonStep } from '../tasks/searching.ts'
import type { FakeReply } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import { ircot } from './ircot.ts'

type ReasonStepInput = Parameters<typeof reasonStep.prompt>[0]

testMethod(await asking(ircot, 'bm25'))
testMethod(await asking(ircot, { use: 'rerank' }))

const texts = ['Vale built the mill', 'Vale was born in Lisk', 'Lisk lies on the Orrin', 'the oven']

const search = async (reply: FakeReply, text = 'mill', of: readonly string[] = texts) => {
  const replies = { 'reason-step': reply }
  const { passages, calls } = await ask(await asking(ircot, 'bm25'), documentOf(...of), { text, replies })
  return { passages, asked: calls.map(({ input }) => input as ReasonStepInput) }
}

const says =
  (...replies: readonly string[]): FakeReply =>
  (input) =>
    replies[(input as ReasonStepInput).thoughts.length]

test('searches each sentence, shows its passages in the next step, and ends with the answer', async () => {
  const { passages, asked } = await search(says('It was born. More is not read.', 'Orrin', 'So the answer is: Orrin.'))
  expect(rankedIds(passages)).toEqual(['c0', 'c1', 'c2'])
  expect(passages.map(({ why }) => why?.['step'])).toEqual([0, 1, 2])
  expect(passages[0]?.why).toMatchObject({ reasoning: ['It was born.', 'Orrin', 'So the answer is: Orrin.'] })
  expect(asked.map((input) => input.passages)).toEqual([texts.slice(0, 1), texts.slice(0, 2), texts.slice(0, 3)])
})

test.each([
  ['after eight sentences, of which the last is not asked', says('1', '2', '3', '4', '5', '6', 'born', 'Orrin'), ['c0', 'c1'], 8], // prettier-ignore
  ['where a sentence comes again', says('born', 'born'), ['c0', 'c1'], 2],
  ['where the answer stands behind the first sentence', says('It is so. The answer is: Lisk'), ['c0'], 1],
])('it ends %s', async (_name, reply, places, calls) => {
  const { passages, asked } = await search(reply)
  expect(rankedIds(passages)).toEqual(places)
  expect(asked).toHaveLength(calls)
})

test('takes four passages per step and 15 in total', async () => {
  const words = ['mill', 'weir', 'oven', 'bell']
  const many = words.flatMap((word) => Array.from({ length: 5 }, (_, at) => `${word} ${at}`))
  const { passages, asked } = await search(says('weir', 'oven', 'bell', 'answer is'), 'mill', many)
  expect(asked.map((input) => input.passages.length)).toEqual([4, 8, 12, 15])
  expect(passages).toHaveLength(15)
})

test.each<[string, FakeReply, string]>([
  ['refused', failing('refused'), 'was refused'],
  ['empty', says('born', '  '), 'could not be read'],
])('a sentence that is %s ends it with what was found, counted and told', async (_name, reply, said) => {
  const { passages } = await search(reply)
  expect(passages[0]?.from).toEqual(['c0'])
  expect(passages[0]?.why?.['fallback']).toMatch(said)
})

test('makes no call if the question finds nothing', async () => {
  const { passages, asked } = await search(says('born'), 'zyx')
  expect([passages, asked]).toEqual([[], []])
})
