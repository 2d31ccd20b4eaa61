import { expect, test } from 'vitest'
import { pool } from './load.ts'

const tokens = [
  [3, 4],
  [0, 2],
  [-6, 2],
].map((vector) => Float32Array.from(vector))

test.each([
  // the sum is (-3, 8), of length √73
  ['mean', [-3 / Math.sqrt(73), 8 / Math.sqrt(73)]],
  ['cls', [0.6, 0.8]],
  ['last', [-3 / Math.sqrt(10), 1 / Math.sqrt(10)]],
] as const)('%s', (pooling, expected) => {
  expect(pool(tokens, pooling)).toEqual(Float32Array.from(expected))
})

test('zero stays zero', () => {
  expect(pool([new Float32Array(2)], 'mean')).toEqual(new Float32Array(2))
})
