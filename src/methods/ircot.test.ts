import { expect, test } from 'vitest'
import { ModelError } from '../errors.ts'
import { asking, documentOf, ranked } from '../test-support/ask-method.ts'
import type { ReasonStepInput } from '../tasks/searching.ts'
import { fakeModels, type FakeReply } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import { ircot } from './ircot.ts'

testMethod(await asking(ircot, 'bm25'))
testMethod(await asking(ircot, { use: 'rerank' }), { options: { steps: 2, passages: 1, most: 2 } })

const texts = ['Vale built the mill', 'Vale was born in Lisk', 'Lisk lies on the Orrin', 'the oven']

const found = async (reply: FakeReply, options: object = {}, text = 'mill') => {
  const method = await asking(ircot, 'bm25')
  const models = fakeModels({ replies: { 'reason-step': reply } })
  const index = await method.index(documentOf(...texts), models, ircot.options.parse({ passages: 1, ...options }))
  const passages = await index.retrieve({ id: 'q', text }, { passages: 9, tokens: 999 }, models)
  return { passages, asked: models.calls.map(({ input }) => input as ReasonStepInput) }
}

const says =
  (...replies: readonly string[]): FakeReply =>
  (input) =>
    replies[(input as ReasonStepInput).thoughts.length]

test('each sentence is asked, what it finds comes after and is shown, and the answer ends it', async () => {
  const { passages, asked } = await found(says('It was born. More is not read.', 'Orrin', 'So the answer is: Orrin.'))
  expect(ranked(passages)).toEqual(['c0', 'c1', 'c2'])
  expect(passages.map(({ why }) => why?.['step'])).toEqual([0, 1, 2])
  expect(passages[0]?.why).toMatchObject({ reasoning: ['It was born.', 'Orrin', 'So the answer is: Orrin.'] })
  expect(asked.map((input) => input.passages)).toEqual([texts.slice(0, 1), texts.slice(0, 2), texts.slice(0, 3)])
})

test.each([
  [
    'after so many sentences, of which the last is not asked',
    says('born', 'Orrin', 'oven'),
    { steps: 2 },
    ['c0', 'c1'],
    2,
  ],
  ['where a sentence comes again', says('born', 'born'), {}, ['c0', 'c1'], 2],
  ['no later than it has found so many passages', says('born', 'Orrin', 'answer is'), { most: 2 }, ['c0', 'c1'], 3],
  ['where the answer stands behind the first sentence', says('It is so. The answer is: Lisk'), {}, ['c0'], 1],
])('it ends %s', async (_name, reply, options, places, calls) => {
  const { passages, asked } = await found(reply, options)
  expect(ranked(passages)).toEqual(places)
  expect(asked).toHaveLength(calls)
})

test.each<[string, FakeReply, string]>([
  ['refused', () => { throw new ModelError('refused', 'no') }, 'was refused'], // prettier-ignore
  ['empty', says('born', '  '), 'could not be read'],
])('a sentence that is %s ends it with what was found, counted and told', async (_name, reply, said) => {
  const { passages } = await found(reply)
  expect(passages[0]?.from).toEqual(['c0'])
  expect(passages[0]?.why?.['fallback']).toMatch(said)
})

test('where the question finds nothing, nothing is asked', async () => {
  const { passages, asked } = await found(says('born'), {}, 'zyx')
  expect([passages, asked]).toEqual([[], []])
})
