import { expect, test } from 'vitest'
import { fitCurve } from './umap.ts'

test.each([
  [0.1, 1, 1.5769435, 0.8950609],
  [0.5, 1, 0.58303, 1.334167],
  [0, 1, 1.9328084, 0.790495],
  [0.25, 2, 0.4162735, 0.9218551],
])('a distance of at least %d and a spread of %d: the a and b of umap-learn', (minDistance, spread, a, b) => {
  const curve = fitCurve(minDistance, spread)
  expect(curve.a).toBeCloseTo(a, 5)
  expect(curve.b).toBeCloseTo(b, 5)
})
