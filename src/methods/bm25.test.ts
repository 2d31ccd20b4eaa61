import { expect, test } from 'vitest'
import { ask, chunksOf } from '../test-support/ask-method.ts'
import { testMethod } from '../testing/index.ts'
import { bm25 } from './bm25.ts'

testMethod(bm25)
testMethod(bm25, { options: { analyser: 'plain' } })
testMethod(bm25, { options: { k1: 0, b: 1 } })

const plain = { options: { analyser: 'plain' } }

const chunks = chunksOf('d: 0 the cat sat', 'd: 12 the dog sat on the cat', 'd: 35 birds', 'd: 41 the cat sat')
// n = 4, mean length = 13/4; df of cat = 3, of dog = 1
const idf = (df: number) => Math.log(1 + (4 - df + 0.5) / (df + 0.5))
const weight = (tf: number, length: number) => tf / (tf + 0.9 * (1 - 0.4 + (0.4 * length) / 3.25))

test('scores by hand, ties in order, chunks that share no word left out', async () => {
  const { passages: found } = await ask(bm25, chunks, { text: 'Dog, cat?', ...plain })
  expect(found.map(({ from }) => from)).toEqual([['c1'], ['c0'], ['c3']])
  expect(found[0]?.score).toBeCloseTo(idf(1) * weight(1, 6) + idf(3) * weight(1, 6), 12)
  expect(found[1]?.score).toBeCloseTo(idf(3) * weight(1, 3), 12)
  expect(found[2]?.score).toBe(found[1]?.score)
  expect(found[0]?.why).toEqual({ matched: ['dog', 'cat'] })
})

test('english finds other forms of a word, and no stop words', async () => {
  const { passages } = await ask(bm25, chunks, { text: 'The dogs' })
  expect(passages).toMatchObject([{ from: ['c1'], why: { matched: ['dog'] } }])
  expect((await ask(bm25, chunks, { text: 'The dogs', ...plain })).passages).not.toEqual(passages)
})

test('returns nothing for a question without shared words', async () =>
  expect((await ask(bm25, chunks, { text: 'fish' })).passages).toEqual([]))

test('searches scripts without spaces character by character', async () => {
  const { passages } = await ask(bm25, chunksOf('a: 0 猫在睡觉', 'b: 0 灯塔在海边'), { text: '灯塔在哪里？' })
  expect(passages[0]).toMatchObject({ from: ['c1'], why: { matched: ['灯', '塔', '在'] } })
})
