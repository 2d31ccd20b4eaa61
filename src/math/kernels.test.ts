import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addTimes,
  byteProducts,
  emptyPanel,
  product,
  productWithTranspose,
  transposedProduct,
  transposeTimes,
} from './kernels.ts'
import { mulberry32 } from './random.ts'
import { gram } from './spectrum/graph-operator.ts'

const shapes = fc.record({
  rows: fc.integer({ min: 1, max: 40 }),
  columns: fc.integer({ min: 1, max: 40 }),
  panels: fc.integer({ min: 1, max: 3 }),
  bits: fc.constantFrom(32, 64),
  seed: fc.nat(1000),
})

function sample({ rows, columns, bits, seed }: { rows: number; columns: number; bits: number; seed: number }) {
  const random = mulberry32(seed)
  const data = new (bits === 32 ? Float32Array : Float64Array)(rows * columns).map(() => random() - 0.5)
  return { matrix: { data, rows, columns }, panel: (n: number) => emptyPanel(n).map(() => random() - 0.5) }
}

/** Largest difference from a sum over the middle index. */
const differs = (got: Float64Array, rows: number, sum: (row: number, v: number) => number): number =>
  Math.max(...Array.from({ length: rows * 4 }, (_, at) => Math.abs(got[at]! - sum(Math.floor(at / 4), at % 4))))

describe('the two products', () => {
  test('Mᵀ X is the sum over rows', () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const { matrix, panel } = sample(shape)
        const { data, rows, columns } = matrix
        const panels = Array.from({ length: shape.panels }, () => panel(rows))
        transposeTimes(matrix, panels).forEach((got, index) => {
          const sum = (column: number, v: number) => {
            let total = 0
            for (let i = 0; i < rows; i++) total += data[i * columns + column]! * panels[index]![i * 4 + v]!
            return total
          }
          expect(differs(got, columns, sum)).toBeLessThan(1e-14)
        })
      }),
    )
  })

  test('addTimes adds M U to the existing panels', () => {
    fc.assert(
      fc.property(shapes, (shape) => {
        const { matrix, panel } = sample(shape)
        const { data, rows, columns } = matrix
        const panels = Array.from({ length: shape.panels }, () => panel(columns))
        const into = panels.map(() => panel(rows))
        const before = into.map((one) => one.slice())
        addTimes(matrix, panels, into)
        into.forEach((got, index) => {
          const sum = (row: number, v: number) => {
            let total = before[index]![row * 4 + v]!
            for (let c = 0; c < columns; c++) total += data[row * columns + c]! * panels[index]![c * 4 + v]!
            return total
          }
          expect(differs(got, rows, sum)).toBeLessThan(1e-14)
        })
      }),
    )
  })

  test('a matrix of many parts with a partial last block is unaffected by earlier products', () => {
    const ones = (rows: number, columns: number) => ({ data: new Float32Array(rows * columns).fill(1), rows, columns })
    transposeTimes({ data: new Float64Array(8000).fill(NaN), rows: 80, columns: 100 }, [emptyPanel(80).fill(NaN)])
    const [sums] = transposeTimes(ones(5003, 300), [emptyPanel(5003).fill(1)])
    expect(new Set(sums)).toEqual(new Set([5003]))
    const into = [emptyPanel(5003)]
    addTimes(ones(5003, 300), [emptyPanel(300).fill(2)], into)
    expect(new Set(into[0])).toEqual(new Set([600]))
  })
})

test('gram multiplies the columns of more rows than one slice', () => {
  const [n, columns] = [700, 5]
  const f = (i: number, c: number) => Math.sin(i + 2 * c)
  const got = gram(n, columns, (i, row) => row.forEach((_, c) => (row[c] = f(i, c))))
  for (let r = 0; r < columns; r++) {
    for (let c = 0; c < columns; c++) {
      let sum = 0
      for (let i = 0; i < n; i++) sum += f(i, r) * f(i, c)
      expect(got[r * columns + c]).toBeCloseTo(sum, 10)
    }
  }
})

const random = mulberry32(3)
const numbers = (length: number) => Float64Array.from({ length }, () => random() - 0.5)

const transposeOf = (matrix: Float64Array, height: number, width: number) =>
  matrix.map((_, at) => matrix[(at % height) * width + Math.floor(at / height)]!)

test.each([
  [1, 1, 1],
  [4, 3, 8],
  [7, 5, 6],
  [5, 1, 9],
  [130, 384, 30],
  [3, 2000, 2],
  [0, 3, 2],
  [2, 0, 3],
  [2, 3, 0],
])('products of %d x %d matrices with %d columns', (rows, inner, columns) => {
  const [a, b] = [numbers(rows * inner), numbers(inner * columns)]
  const expected = Float64Array.from({ length: rows * columns }, (_, at) => {
    const [row, column] = [Math.floor(at / columns), at % columns]
    let sum = 0
    for (let k = 0; k < inner; k++) sum += a[row * inner + k]! * b[k * columns + column]!
    return sum
  })
  // sums are taken in the same order
  expect(product(a, b, rows, inner, columns)).toEqual(expected)
  expect(productWithTranspose(a, transposeOf(b, inner, columns), rows, inner, columns)).toEqual(expected)
  expect(transposedProduct(transposeOf(a, rows, inner), b, rows, inner, columns)).toEqual(expected)
})

test('products of whole numbers are exact, from any row on', () => {
  const [rows, stride] = [11, 24]
  const room = byteProducts(rows, stride, 3)
  const random = mulberry32(4)
  const numbers = (most: number) => Array.from({ length: stride }, () => Math.floor(random() * (2 * most + 1)) - most)
  const matrix = Array.from({ length: rows }, () => numbers(127))
  const queries = Array.from({ length: 3 }, () => numbers(30_000))
  for (const [row, one] of matrix.entries()) room.setRow(row, one)
  for (const [query, one] of queries.entries()) room.setQuery(query, one)
  for (const [query, from, to] of [
    [0, 0, rows],
    [1, 5, 9],
    [2, 10, rows],
  ] as const) {
    room.multiply(query, from, to)
    for (let row = from; row < to; row++) {
      let sum = 0
      for (let c = 0; c < stride; c++) sum += matrix[row]![c]! * queries[query]![c]!
      expect(room.products(query)[row]).toBe(sum)
    }
  }
})
