import { expect, test } from 'vitest'
import { maxSim, unitRows } from '../math/max-sim.ts'
import { ask, documentOf, rankedIds } from '../test-support/ask-method.ts'
import { testMethod } from '../testing/index.ts'
import { lateInteraction } from './late-interaction.ts'

testMethod(lateInteraction)
testMethod(lateInteraction, { options: { queryPrefix: '[Q] ', documentPrefix: '[D] ' } })

const chunks = documentOf('mill oats', 'mill', '…', 'mill rye oats')

test('sums the nearest chunk token of each question token, regardless of other tokens', async () => {
  const { passages, warnings } = await ask(lateInteraction, chunks, { text: 'oats mill' })
  expect(rankedIds(passages)).toEqual(['c0', 'c3', 'c1', 'c2'])
  expect(passages.map(({ score }) => score)).toEqual([2, 2, 1, 0].map((score) => expect.closeTo(score, 6) as number))
  expect(passages[0]?.why).toMatchObject({ 'per token of the question': expect.closeTo(1, 6) as number })
  expect(warnings).toEqual({ 'chunks without a token': 1 })
})

test('ranks all chunks equally for a question without a token', async () => {
  expect((await ask(lateInteraction, chunks)).passages.map(({ score }) => score)).toEqual([0, 0, 0, 0])
})

test('rejects vectors of unequal lengths', () => {
  const rows = (...vector: number[]) => unitRows([vector], new Float32Array(vector.length))
  expect(() => maxSim(rows(1, 0), rows(1))).toThrow('token vectors of 2 and 1 numbers')
})
