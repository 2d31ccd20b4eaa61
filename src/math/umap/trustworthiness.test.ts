import { expect, test } from 'vitest'
import { rowsToMatrix } from '../vectors.ts'
import { trustworthiness } from '../../test-support/trustworthiness.ts'

const places = [0, 0, 1, 0, 0, 2, 3, 3, 10, 10, 11, 10, 10, 12, 0, 0]
const points = rowsToMatrix(Array.from({ length: 8 }, (_, i) => Float32Array.from(places.slice(2 * i, 2 * i + 2))))

test('is 1 for the data itself', () => expect(trustworthiness(points, points, 2, 'euclidean')).toBe(1))

test('a neighbour of rank r > k costs r - k', () => {
  const line = rowsToMatrix([0, 1, 3, 7, 15].map((x) => Float32Array.of(x)))
  const layout = rowsToMatrix([0, 1, 3, 7, 0.1].map((x) => Float32Array.of(x)))
  // of 0 and of 1 the nearest is the last row, of rank 4; of the last row it is 0, of rank 4
  expect(trustworthiness(line, layout, 1, 'euclidean')).toBeCloseTo(1 - (2 * (3 + 3 + 3)) / (5 * 1 * (10 - 3 - 1)), 12)
})
