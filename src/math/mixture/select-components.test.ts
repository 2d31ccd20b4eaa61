import { expect, test } from 'vitest'
import { mulberry32 } from '../random.ts'
import { rowsToMatrix, type Matrix } from '../vectors.ts'
import { chooseMixture, type Choice, type ChoiceOptions } from './soft-clusters.ts'
import { isFit, type Covariance } from './fit.ts'

function blobs(count: number, rows: number, columns: number, seed: number): Matrix {
  const random = mulberry32(seed)
  return rowsToMatrix(
    Array.from({ length: rows }, (_, i) =>
      Float32Array.from({ length: columns }, (_, j) => (i % count === j ? 20 : 0) + random() + random() + random()),
    ),
  )
}

function chosen(points: Matrix, options: ChoiceOptions = {}): Choice {
  const outcome = chooseMixture(points, options)
  if (!isFit(outcome)) throw new Error(outcome.reason)
  return outcome
}

test.each([
  ['diag', 3],
  ['diag', 6],
  ['full', 3],
  ['spherical', 6],
] as [Covariance, number][])('%s: %d blobs give as many components', (covariance, count) => {
  for (const search of ['early', 'exhaustive'] as const) {
    const { mixture } = chosen(blobs(count, 180, 8, 1), { covariance, search })
    expect(mixture.components).toBe(count)
    const label = (row: number) =>
      mixture.posteriors.subarray(row * count, (row + 1) * count).findIndex((posterior) => posterior > 0.99)
    expect(new Set([0, 1, 2].map(label)).size).toBe(3)
    for (let row = 0; row < 180; row++) expect(label(row)).toBe(label(row % count))
  }
})

test('the early search stops after 8 counts without improvement', () => {
  const points = blobs(3, 180, 8, 1)
  const { bics } = chosen(points)
  expect(bics.indexOf(Math.min(...bics))).toBe(2)
  expect(bics.length).toBe(3 + 8)
  expect(chosen(points, { search: 'exhaustive' }).bics.slice(0, bics.length)).toEqual(bics)
})

test.each([
  ['early', 1, 1],
  ['early', 2, 1],
  ['early', 3, 1],
  ['early', 4, 2],
  ['exhaustive', 1, 1],
  ['exhaustive', 3, 2],
  ['exhaustive', 12, 11],
  ['exhaustive', 60, 49],
] as const)('%s: of %d rows, up to %d components are tried', (search, rows, counts) =>
  expect(chosen(blobs(2, rows, 2, 2), { search }).bics.length).toBe(counts),
)
