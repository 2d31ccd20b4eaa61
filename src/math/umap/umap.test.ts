import { describe, expect, test } from 'vitest'
import { chooseMixture } from '../mixture/soft-clusters.ts'
import { isFit } from '../mixture/fit.ts'
import { mulberry32 } from '../random.ts'
import { rowsToMatrix, type Matrix } from '../vectors.ts'
import { trustworthiness } from '../../test-support/trustworthiness.ts'
import { umap, type UmapOptions } from './umap.ts'

function blobs(count: number, rows: number, columns: number): Matrix {
  const random = mulberry32(7)
  return rowsToMatrix(
    Array.from({ length: rows }, (_, i) =>
      Float32Array.from({ length: columns }, (_, j) => (j % count === i % count ? 2 : 0) + random() - 0.5),
    ),
  )
}

const isFinite = ({ data }: Matrix) => data.every(Number.isFinite)

const usual: UmapOptions = { dimensions: 2, neighbours: 15, seed: 42 }

describe('blobs', () => {
  const points = blobs(4, 120, 30)
  const options = { dimensions: 5, neighbours: 8, seed: 42 }
  const layout = umap(points, options)

  test('a mixture finds the blobs in the layout', () => {
    const choice = chooseMixture(layout)
    if (!isFit(choice)) throw new Error(choice.reason)
    const { components, posteriors } = choice.mixture
    expect(components).toBeGreaterThanOrEqual(4)
    const label = (row: number) =>
      posteriors
        .subarray(row * components, (row + 1) * components)
        .reduce((best, value, c, all) => (value > all[best]! ? c : best), 0)
    // a component may be half of a blob, and never parts of two
    const blobsOf = Array.from({ length: components }, () => new Set<number>())
    for (let row = 0; row < points.rows; row++) blobsOf[label(row)]!.add(row % 4)
    expect(Math.max(...blobsOf.map(({ size }) => size))).toBe(1)
  })

  test('layout neighbours are data neighbours', () =>
    expect(trustworthiness(points, layout, 8, 'cosine')).toBeGreaterThan(0.85))

  test('is deterministic by seed', () => {
    expect(umap(points, options).data).toEqual(layout.data)
    expect(umap(points, { ...options, seed: 1 }).data).not.toEqual(layout.data)
  })
})

test('a curve is unrolled', () => {
  const points = rowsToMatrix(
    Array.from({ length: 200 }, (_, i) => {
      const angle = 0.4 + i / 80
      const around = 4 * i * (Math.PI / 200)
      return Float32Array.of(Math.sin(angle) * Math.cos(around), Math.sin(angle) * Math.sin(around), Math.cos(angle))
    }),
  )
  const layout = umap(points, { ...usual, neighbours: 6 })
  expect(trustworthiness(points, layout, 5, 'cosine')).toBeGreaterThan(0.97)
})

describe('hard inputs', () => {
  test.each([0, 1, 2, 3, 4, 5, 6, 11, 12, 25])('%d rows', (rows) => {
    const layout = umap(blobs(2, rows, 6), { ...usual, dimensions: 10 })
    expect([layout.rows, layout.columns, layout.data.length]).toEqual([rows, 10, 10 * rows])
    expect(isFinite(layout)).toBe(true)
  })

  const equal = rowsToMatrix(Array.from({ length: 30 }, () => Float32Array.of(1, 2, 3)))
  const zero = rowsToMatrix(Array.from({ length: 30 }, () => Float32Array.of(0, 0, 0)))
  const duplicates = rowsToMatrix(Array.from({ length: 40 }, (_, i) => Float32Array.of(i % 3, 1, (i % 3) ** 2)))
  const islands = blobs(30, 90, 60)
  test.each<[string, Matrix, Partial<UmapOptions>]>([
    ['equal rows', equal, {}],
    ['zero vectors', zero, {}],
    ['duplicates', duplicates, { neighbours: 5 }],
    ['more parts than places on the axes', islands, { neighbours: 3 }],
    ['as many neighbours as rows', equal, { neighbours: 1000 }],
    ['one neighbour', islands, { neighbours: 0 }],
    ['one dimension', islands, { dimensions: 1 }],
    ['huge numbers', rowsToMatrix(Array.from({ length: 20 }, (_, i) => Float32Array.of(1e38 * Math.sin(i), 1e38))), {}],
  ])('%s', (_, points, options) => {
    expect(isFinite(umap(points, { ...usual, ...options }))).toBe(true)
  })

  test.each([NaN, Infinity])('rejects %d and names its row', (value) => {
    const points = rowsToMatrix(Array.from({ length: 20 }, (_, i) => Float32Array.of(i, i === 7 ? value : 1)))
    expect(() => umap(points, usual)).toThrow(`row 7 holds ${value}`)
  })
})
