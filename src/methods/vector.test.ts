import { expect, test } from 'vitest'
import { ask, chunksOf, rankedIds } from '../test-support/ask-method.ts'
import { testMethod } from '../testing/index.ts'
import { vector } from './vector.ts'

testMethod(vector)

test('embeds chunks as documents, once, and questions as queries', async () => {
  const chunks = chunksOf('a: 0 cats purr', 'a: 10 dogs bark loudly')
  const { passages, embedded } = await ask(vector, chunks, { text: 'do dogs bark', budget: { passages: 1 } })
  expect(passages).toMatchObject([{ text: 'dogs bark loudly', from: ['c1'], kind: 'chunk' }])
  expect(passages[0]?.why).toEqual({ cosine: passages[0]?.score })
  expect(embedded).toEqual([
    { texts: ['cats purr', 'dogs bark loudly'], role: 'document' },
    { texts: ['do dogs bark'], role: 'query' },
  ])
})

test('keeps the order of equal chunks', async () => {
  const { passages } = await ask(vector, chunksOf('a: 0 x y', 'b: 0 x', 'c: 0 x'), { text: 'x' })
  expect(rankedIds(passages)).toEqual(['c1', 'c2', 'c0'])
})

test('splits documents into pieces of a number of characters, with their spans', async () => {
  const asked = { text: 'dogs bark', options: { chunkCharacters: 12, overlap: 5 }, budget: { passages: 1 } }
  const { passages, embedded } = await ask(vector, chunksOf('a: 0 cats purr dogs bark'), asked)
  expect(embedded[0]?.texts).toEqual(['cats purr', 'purr dogs', 'dogs bark'])
  expect(passages).toMatchObject([
    { text: 'dogs bark', from: ['c0'], spans: [{ documentId: 'a', start: 10, end: 19 }] },
  ])
  expect(vector.options.safeParse({ chunkCharacters: 200 }).error?.issues[0]?.message).toBe(
    'overlap must be smaller than chunkCharacters',
  )
})
