import { expect, test } from 'vitest'
import { asking, documentOf, rankedIds } from '../test-support/ask-method.ts'
import { fakeModels } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import { extractiveReply } from '../test-support/extractive-replies.ts'
import { decompose } from './decompose.ts'

testMethod(await asking(decompose, 'vector'))
testMethod(await asking(decompose, 'hybrid'))

test('interleaves passages of the question and of its parts, without duplicates', async () => {
  const method = await asking(decompose, 'bm25')
  const models = fakeModels({ replies: { 'split-question': () => ['oats', 'rye and oats', 'bread'] } })
  const chunks = documentOf('bread rye', 'bread', 'oats', 'rye rye')
  const index = await method.index(chunks, models, decompose.options.parse({}))
  const found = await index.retrieve({ id: 'q', text: 'bread' }, { passages: 9, tokens: 99 }, models)
  expect(rankedIds(found)).toEqual(['c1', 'c2', 'c0', 'c3'])
  expect(found.map(({ score }) => score)).toEqual([1, 1 / 2, 1 / 3, 1 / 4])
  expect(found[1]?.why).toMatchObject({ 'rank for part 1': 1 })
})

test('splits a question at conjunctions offline', () => {
  const parts = (question: string): unknown => JSON.parse(extractiveReply('split-question', { question, count: 4 }))
  expect(parts('Who built it, and when was it sold?')).toEqual(['Who built it', 'when was it sold?'])
  expect(parts('Who built the mill?')).toEqual(['Who built', 'the mill?'])
})
