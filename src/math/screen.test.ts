import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mulberry32 } from './random.ts'
import { screenOf } from './screen.ts'
import { highest } from './highest.ts'
import { products, topK, topKForQueries, type Matrix } from './vectors.ts'

/**
 * The rows from one on that a screen cannot tell to be below a score, which may depend on what the rows are at least.
 */
function likely(
  matrix: Matrix,
  queries: readonly Float32Array[],
  first: number,
  scoreOf: (least: Float64Array) => number,
): number[][] {
  const found: number[][] = []
  screenOf(matrix)!.bounds(queries, first, (_, least, most) => {
    const score = scoreOf(least)
    found.push(Array.from(most.keys()).filter((row) => row >= first && most[row]! >= score))
  })
  return found
}

const best = (k: number) => (least: Float64Array) => highest(least, k).at(-1)!.score

/** Rows of few different numbers, so that scores are often equal, or of many; and queries, one of them 0. */
const searches = fc.record({
  rows: fc.integer({ min: 1, max: 70 }),
  columns: fc.integer({ min: 1, max: 40 }),
  queries: fc.integer({ min: 1, max: 19 }),
  k: fc.integer({ min: 1, max: 12 }),
  values: fc.constantFrom(2, 3, 1000),
  scale: fc.constantFrom(1e-30, 1, 1e15),
  seed: fc.nat(),
})

type Search = Readonly<Record<'rows' | 'columns' | 'queries' | 'values' | 'scale' | 'seed', number>>

/** A matrix and as many queries as a search has. */
function drawn({ rows, columns, queries, values, scale, seed }: Search) {
  const random = mulberry32(seed)
  const numbers = (count: number) =>
    Float32Array.from({ length: count }, () => (Math.floor(values * random()) - values / 2) * scale)
  const matrix = { data: numbers(rows * columns), rows, columns }
  return { matrix, asked: Array.from({ length: queries }, () => numbers(columns)) }
}

test('the candidates include all top rows, for any number of columns, rows and queries', () => {
  fc.assert(
    fc.property(searches, ({ k, ...search }) => {
      const { matrix, asked } = drawn(search)
      const queries = [new Float32Array(matrix.columns), ...asked.slice(1)]
      const found = likely(matrix, queries, 0, best(k))
      expect(Array.from(screenOf(matrix)!.nearest(queries, k), (near) => [...near])).toEqual(found)
      for (const [q, query] of queries.entries())
        for (const { index } of highest(products(query, matrix), k)) expect(found[q]).toContain(index)
    }),
  )
})

test('the candidates include all rows that reach a score, from any first row on', () => {
  fc.assert(
    fc.property(searches, fc.double({ min: -1, max: 1, noNaN: true }), ({ k, ...search }, share) => {
      const { matrix, asked } = drawn(search)
      const score = share * (search.values * search.scale) ** 2 * search.columns
      const from = Math.min(k, search.rows - 1)
      const found = likely(matrix, asked, from, () => score)
      for (const [q, query] of asked.entries())
        for (const [index, product] of products(query, matrix).entries())
          if (index >= from && product >= score) expect(found[q]).toContain(index)
    }),
  )
})

test('falls back to exact products for numbers that are not finite', () => {
  const matrix = (...numbers: number[]) => ({ data: Float32Array.from(numbers), rows: numbers.length, columns: 1 })
  expect(screenOf(matrix(1, Infinity))).toBeUndefined()
  expect(screenOf(matrix(1, NaN))).toBeUndefined()
  expect(likely(matrix(1, 2), [Float32Array.of(NaN), Float32Array.of(1)], 0, best(1))).toEqual([[0, 1], [1]])
})

test('a screened search is bit-identical to an exact one, for one query and for many', () => {
  const random = mulberry32(2)
  const [rows, columns] = [9000, 120]
  const vectors = (count: number) => Float32Array.from({ length: count * columns }, () => random() - 0.4)
  const matrix = { data: vectors(rows), rows, columns }
  // equal rows: the lower index comes first
  matrix.data.copyWithin(columns, 0, columns)
  const queries = Array.from({ length: 21 }, () => vectors(1))
  queries[0] = matrix.data.slice(0, columns)
  const expected = queries.map((query) => highest(products(query, matrix), 7))
  expect(expected[0]![0]!.score).toBe(expected[0]![1]!.score)
  expect(topKForQueries(queries, matrix, 7)).toEqual(expected)
  expect(queries.map((query) => topK(query, matrix, 7))).toEqual(expected)
})
