import { expect, test } from 'vitest'
import { mulberry32 } from './random.ts'
import { similarityJoin } from './similarity-join.ts'
import type { ScoredIndex } from './highest.ts'
import { dot, normalise, rowsToMatrix } from './vectors.ts'

const random = (rows: number, columns: number, seed: number): Float32Array[] => {
  const draw = mulberry32(seed)
  return Array.from({ length: rows }, () => normalise(Float32Array.from({ length: columns }, () => draw() - 0.5)))
}

/** All pairs, one by one. */
const slowly = (rows: readonly Float32Array[], threshold: number, most: number): ScoredIndex[][] =>
  rows.map((row, i) =>
    rows
      .map((other, index) => ({ index, score: dot(row, other) }))
      .filter(({ index, score }) => index !== i && score >= threshold)
      .sort((a, b) => b.score - a.score || a.index - b.index)
      .slice(0, most),
  )

const all = (...asked: Parameters<typeof similarityJoin>): ScoredIndex[][] => [...similarityJoin(...asked)]

const indices = (hits: readonly (readonly ScoredIndex[])[]) => hits.map((own) => own.map(({ index }) => index))

test('by hand: the threshold counts, the row itself does not', () => {
  const rows = rowsToMatrix([
    Float32Array.of(1, 0),
    Float32Array.of(0.6, 0.8),
    Float32Array.of(0, 1),
    Float32Array.of(1, 0),
  ])
  expect(indices(all(rows, 0.59, 10))).toEqual([[3, 1], [2, 0, 3], [1], [0, 1]])
  expect(indices(all(rows, 0.9, 10))).toEqual([[3], [], [], [0]])
})

test.each([0, 1, 63, 64, 65, 150])('%i rows agree with a comparison of all pairs', (count) => {
  const rows = random(count, 5, count)
  const found = all(rowsToMatrix(rows), 0.5, 4)
  const expected = slowly(rows, 0.5, 4)
  expect(indices(found)).toEqual(indices(expected))
  found.flat().forEach(({ score }, i) => expect(score).toBeCloseTo(expected.flat()[i]?.score ?? NaN, 12))
})

test('gives each of many equal rows the first other ones', () => {
  const rows = rowsToMatrix(Array.from({ length: 500 }, () => Float32Array.of(0.6, 0.8)))
  const found = indices(all(rows, 0.8, 3))
  expect(found[0]).toEqual([1, 2, 3])
  expect(found[1]).toEqual([0, 2, 3])
  for (const own of found.slice(3)) expect(own).toEqual([0, 1, 2])
})
