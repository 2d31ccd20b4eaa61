import { EVD, Matrix as Dense } from 'ml-matrix'
import { describe, expect, test } from 'vitest'
import { pca } from './pca.ts'
import { mulberry32 } from './random.ts'
import { rowsToMatrix, type Matrix } from './vectors.ts'

function randomRows(rows: number, columns: number, seed = 1): Matrix {
  const random = mulberry32(seed)
  return rowsToMatrix(
    Array.from({ length: rows }, () => Float32Array.from({ length: columns }, (_, j) => (random() - 0.5) * (j + 1))),
  )
}

test('points on a line keep their distances', () => {
  const { data, columns } = pca(rowsToMatrix([0, 1, 3].map((t) => Float32Array.of(3 * t, 4 * t))), 1)
  expect(columns).toBe(1)
  expect([Math.abs(data[1]! - data[0]!), Math.abs(data[2]! - data[0]!)].map((gap) => gap.toFixed(4))).toEqual([
    '5.0000',
    '15.0000',
  ])
})

describe.each([
  ['tall', 60, 12],
  ['wide', 12, 40],
  ['tall, beyond what is solved densely', 400, 320],
])('%s', (_, rows, columns) => {
  const points = randomRows(rows, columns)
  const { data } = pca(points, 3)
  const sumOf = (a: number, b: number) =>
    Array.from({ length: rows }, (_, row) => data[3 * row + a]! * data[3 * row + b]!).reduce((x, y) => x + y, 0)

  test('axes are uncorrelated, and carry the largest eigenvalues of the scatter', () => {
    const dense = Dense.zeros(rows, columns)
    for (let row = 0; row < rows; row++) {
      for (let j = 0; j < columns; j++) dense.set(row, j, points.data[row * columns + j]!)
    }
    const centred = dense.subRowVector(dense.mean('column'))
    const side = columns < rows ? centred.transpose().mmul(centred) : centred.mmul(centred.transpose())
    const expected = new EVD(side, { assumeSymmetric: true }).realEigenvalues.sort((a, b) => b - a)
    for (let axis = 0; axis < 3; axis++) {
      expect(sumOf(axis, axis) / expected[axis]!).toBeCloseTo(1, 4)
      for (let other = 0; other < axis; other++) expect(Math.abs(sumOf(axis, other))).toBeLessThan(1e-3 * expected[0]!)
    }
  })

  test('is deterministic', () => expect(pca(points, 3).data).toEqual(data))
})

test.each([
  ['no rows', 0, 3],
  ['one row', 1, 5],
  ['two rows', 2, 5],
])('%s: pads missing axes with 0', (_, rows, columns) => {
  const { data, ...shape } = pca(randomRows(rows, columns), 4)
  expect(shape.columns).toBe(4)
  expect(data.length).toBe(4 * rows)
  data.forEach((value, i) => (i % 4 >= Math.max(1, rows - 1) ? expect(Math.abs(value)).toBeLessThan(1e-6) : undefined))
})

test.each([NaN, Infinity])('rejects %d and names its row', (value) => {
  const points = rowsToMatrix(Array.from({ length: 20 }, (_, i) => Float32Array.of(i, i === 7 ? value : 1)))
  expect(() => pca(points, 2)).toThrow(new RangeError(`row 7 holds ${value}: rows must be of finite numbers`))
})
