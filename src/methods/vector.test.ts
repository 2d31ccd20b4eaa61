import { expect, test } from 'vitest'
import { ask, chunksOf } from '../test-support/ask-method.ts'
import { fakeModels } from '../testing/fake-models.ts'
import { testMethod } from '../testing/index.ts'
import { vector } from './vector.ts'

testMethod(vector)

test('embeds chunks as documents, once, and questions as queries', async () => {
  const models = fakeModels()
  const index = await vector.index(
    chunksOf('a: 0 cats purr', 'a: 10 dogs bark loudly'),
    models,
    vector.options.parse({}),
  )
  const found = await index.retrieve({ id: 'q', text: 'do dogs bark' }, { passages: 1, tokens: 9 }, models)
  expect(found).toMatchObject([{ text: 'dogs bark loudly', from: ['c1'], kind: 'chunk' }])
  expect(found[0]?.why).toEqual({ cosine: found[0]?.score })
  expect(models.embedded).toEqual([
    { texts: ['cats purr', 'dogs bark loudly'], role: 'document' },
    { texts: ['do dogs bark'], role: 'query' },
  ])
})

test('keeps the order of equal chunks', async () => {
  const found = await ask(vector, chunksOf('a: 0 x y', 'b: 0 x', 'c: 0 x'), { text: 'x' })
  expect(found.map(({ from }) => from[0])).toEqual(['c1', 'c2', 'c0'])
})

test('splits documents into pieces of a number of characters, with their spans', async () => {
  const models = fakeModels()
  const own = vector.options.parse({ chunkCharacters: 12, overlap: 5 })
  const index = await vector.index(chunksOf('a: 0 cats purr dogs bark'), models, own)
  const found = await index.retrieve({ id: 'q', text: 'dogs bark' }, { passages: 1, tokens: 9 }, models)
  expect(models.embedded[0]?.texts).toEqual(['cats purr', 'purr dogs', 'dogs bark'])
  expect(found).toMatchObject([{ text: 'dogs bark', from: ['c0'], spans: [{ documentId: 'a', start: 10, end: 19 }] }])
  expect(vector.options.safeParse({ chunkCharacters: 200 }).error?.issues[0]?.message).toBe(
    'overlap must be smaller than chunkCharacters',
  )
})
