import { expect, test } from 'vitest'
import { ModelError } from '../errors.ts'
import { asking, documentOf, rankedIds } from '../test-support/ask-method.ts'
import { fakeModels, type FakeReply } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import { multiQuery } from './multi-query.ts'

testMethod(await asking(multiQuery, 'vector'))
testMethod(await asking(multiQuery, { use: 'rerank' }))

const found = async (reply: FakeReply) => {
  const method = await asking(multiQuery, 'bm25')
  const models = fakeModels({ replies: { 'rephrase-question': reply } })
  const index = await method.index(documentOf('rye bread', 'mill wheel', 'oats'), models, multiQuery.options.parse({}))
  return index.retrieve({ id: 'q', text: 'rye' }, { passages: 9, tokens: 99 }, models)
}

test('adds the reciprocal ranks of all queries and records them with the first passage', async () => {
  const passages = await found(() => ['mill', 'mill wheel'])
  expect(rankedIds(passages)).toEqual(['c1', 'c0'])
  expect(passages[0]).toMatchObject({
    score: 2 / 61,
    why: { asked: ['mill', 'mill wheel'], 'rank in query 1': 1, 'rank in query 2': 1 },
  })
})

test('searches at most four queries', async () => {
  expect(rankedIds(await found(() => ['mill', 'mill', 'mill', 'mill', 'oats']))).toEqual(['c1', 'c0'])
})

test('falls back to the question after a failed reply', async () => {
  const passages = await found(() => {
    throw new ModelError('refused', 'no')
  })
  expect(rankedIds(passages)).toEqual(['c0'])
  expect(passages[0]?.why).toMatchObject({ fallback: 'the question alone: the reply of rephrase-question was refused' })
})
