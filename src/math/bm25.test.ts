import { expect, test } from 'vitest'
import { bm25Index } from './bm25.ts'
import { log } from './portable.ts'
import { mulberry32 } from './random.ts'

test('equals the formula bit by bit, over several blocks and with counts beyond 8 bits', () => {
  const random = mulberry32(7)
  const word = () => `w${Math.floor(2 / (random() + 0.01))}`
  const many = Array.from({ length: 70_000 }, (_, row) =>
    row === 69_000 ? Array.from({ length: 300 }, () => 'w7') : Array.from({ length: Math.floor(4 * random()) }, word),
  )
  const index = bm25Index(many)
  const asked = ['w7', 'w2', 'w150', 'w7', 'none']
  const mean = many.reduce((sum, bag) => sum + bag.length, 0) / many.length
  const idfs = ['w7', 'w2', 'w150'].map((one) => {
    const df = many.filter((bag) => bag.includes(one)).length
    return [one, (one === 'w7' ? 2 : 1) * log(1 + (many.length - df + 0.5) / (df + 0.5))] as const
  })
  const expected = many.map((bag) =>
    idfs.reduce((sum, [one, idf]) => {
      const tf = bag.filter((item) => item === one).length
      return sum + idf * (tf / (tf + 0.9 * (1 - 0.4 + (0.4 * bag.length) / mean)))
    }, 0),
  )
  const found = index.search(asked, many.length)
  expect(found.length).toBe(expected.filter((score) => score > 0).length)
  expect(found.filter(({ index: row, score }) => score !== expected[row])).toEqual([])
  expect(found.slice(1).every(({ score }, at) => score <= found[at]!.score)).toBe(true)
  expect([0, 69_000].map((row) => index.holds(row, 'w7'))).toEqual([many[0]!.includes('w7'), true])
  expect(index.holds(69_000, 'w2')).toBe(false)
})

test.each([
  [{ k1: -1 }, 'k1 is -1'],
  [{ k1: Infinity }, 'k1 is Infinity'],
  [{ b: 1.5 }, 'b is 1.5'],
  [{ b: NaN }, 'b is NaN'],
])('rejects %j', (options, message) => expect(() => bm25Index([['cat']], options)).toThrow(message))
