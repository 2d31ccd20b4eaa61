import { expect, test } from 'vitest'
import { mulberry32 } from '../random.ts'
import { rowsToMatrix } from '../vectors.ts'
import { nearestNeighbours, type Metric } from './neighbours.ts'

const points = rowsToMatrix([
  Float32Array.of(1, 0),
  Float32Array.of(3, 0),
  Float32Array.of(0, 1),
  Float32Array.of(1, 1),
  Float32Array.of(1, 0),
])

test.each([
  // (1, 1) is 1 from (1, 0), from its copy and from (0, 1)
  ['euclidean', [4, 3, 3, 0, 0, 3], [0, 1, 1, Math.SQRT2, 0, 1]],
  ['cosine', [1, 4, 3, 0, 0, 1], [0, 0, 1 - Math.SQRT1_2, 1, 0, 0]],
] as const)(
  '%s neighbours of the first, third and last row; equal distances by index',
  (metric, indices, distances) => {
    const found = nearestNeighbours(points, 2, metric)
    const shown = (values: ArrayLike<number>) => [0, 2, 4].flatMap((row) => [values[2 * row]!, values[2 * row + 1]!])
    expect(shown(found.indices)).toEqual(indices)
    shown(found.distances).forEach((distance, i) => expect(distance).toBeCloseTo(distances[i]!, 12))
  },
)

test.each<Metric>(['cosine', 'euclidean'])('%s agrees with a full sort, over several blocks', (metric) => {
  const random = mulberry32(1)
  const vectors = Array.from({ length: 150 }, () => Float32Array.from({ length: 5 }, () => random() - 0.5))
  const { indices, distances } = nearestNeighbours(rowsToMatrix(vectors), 7, metric)
  const distance = (a: Float32Array, b: Float32Array) => {
    const scale = (v: Float32Array) => (metric === 'cosine' ? Math.hypot(...v) : 1)
    const square = a.reduce((sum, value, j) => sum + (value / scale(a) - b[j]! / scale(b)) ** 2, 0)
    return metric === 'cosine' ? square / 2 : Math.sqrt(square)
  }
  for (const [row, vector] of vectors.entries()) {
    const sorted = vectors
      .map((other, index) => ({ index, distance: distance(vector, other) }))
      .filter(({ index }) => index !== row)
      .sort((a, b) => a.distance - b.distance)
    for (let place = 0; place < 7; place++) {
      expect(indices[7 * row + place]).toBe(sorted[place]!.index)
      expect(distances[7 * row + place]).toBeCloseTo(sorted[place]!.distance, 7)
    }
  }
})
