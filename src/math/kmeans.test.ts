import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { kmeans } from './kmeans.ts'
import { partitioner } from './mixture/partitions.ts'
import { centreRows } from './pca.ts'
import { mulberry32 } from './random.ts'
import { rowsToMatrix, type Matrix } from './vectors.ts'

type Kmeans = (points: Matrix, clusters: number, seed: number) => { clusters: number; labels: Uint32Array }

const ofMixtures: Kmeans = (points, clusters, seed) => partitioner(centreRows(points), seed)(clusters)
const both: [string, Kmeans][] = [
  ['kmeans', (points, clusters, seed) => kmeans(points, clusters, { seed })],
  ['partitions that mixtures start from', ofMixtures],
]

const rows = (...values: (number | readonly number[])[]): Matrix =>
  rowsToMatrix(values.map((value) => Float32Array.from(Array.isArray(value) ? value : [value as number])))

const someRows = fc
  .array(fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 2, maxLength: 2 }), { minLength: 1, maxLength: 40 })
  .map((values) => rows(...values))

describe.each(both)('%s', (_, partition) => {
  test.each([1, 2, 3, 4, 5])('seed %d finds five blobs', (seed) => {
    const random = mulberry32(seed)
    const points = rowsToMatrix(
      Array.from({ length: 100 }, (_row, i) =>
        Float32Array.from({ length: 8 }, (_column, j) => (i % 5 === j ? 9 : 0) + random()),
      ),
    )
    const { labels } = partition(points, 5, seed)
    expect(new Set(labels.slice(0, 5)).size).toBe(5)
    labels.forEach((label, row) => expect(label).toBe(labels[row % 5]))
  })

  test.each<[string, Matrix, number, number]>([
    ['one row', rows(3), 1, 1],
    ['more clusters than rows', rows(1, 2), 5, 2],
    ['equal rows', rows(7, 7, 7, 7), 3, 1],
    ['fewer distinct rows than clusters', rows([1, 1], [2, 2], [1, 1], [2, 2]), 3, 2],
    ['rows far from the origin', rows(1e7, 1e7 + 1, 1e7 + 100, 1e7 + 101), 2, 2],
    ['huge numbers', rows(-3e38, 3e38, 3e38), 2, 2],
  ])('%s', (_case, points, count, clusters) => {
    const partitioned = partition(points, count, 0)
    expect(partitioned.clusters).toBe(clusters)
    expect(new Set(partitioned.labels).size).toBe(clusters)
    const texts = Array.from(partitioned.labels, (_label, row) =>
      points.data.slice(row * points.columns, (row + 1) * points.columns).join(),
    )
    texts.forEach((text, row) => expect(partitioned.labels[row]).toBe(partitioned.labels[texts.indexOf(text)]))
  })

  test('rows belong to their nearest centre, no cluster is empty, results are deterministic by seed', () => {
    fc.assert(
      fc.property(someRows, fc.integer({ min: 1, max: 8 }), fc.nat(), (points, count, seed) => {
        const { clusters, labels } = partition(points, count, seed)
        expect(new Set(labels).size).toBe(clusters)
        const centres = Array.from({ length: clusters }, (_centre, c) => {
          const members = Array.from(labels.keys()).filter((row) => labels[row] === c)
          return [0, 1].map((j) => members.reduce((sum, row) => sum + points.data[2 * row + j]!, 0) / members.length)
        })
        const squareTo = (row: number, c: number) =>
          [0, 1].reduce((sum, j) => sum + (points.data[2 * row + j]! - centres[c]![j]!) ** 2, 0)
        labels.forEach((label, row) => {
          for (let c = 0; c < clusters; c++) expect(squareTo(row, label)).toBeLessThanOrEqual(squareTo(row, c) + 1e-9)
        })
        expect(partition(points, count, seed)).toEqual(partition(points, count, seed))
      }),
    )
  })
})

test('a shared partitioner agrees with separate ones', () => {
  fc.assert(
    fc.property(
      someRows,
      fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 6 }),
      fc.nat(),
      (points, counts, seed) => {
        const partition = partitioner(centreRows(points), seed)
        for (const clusters of counts) expect(partition(clusters)).toEqual(ofMixtures(points, clusters, seed))
      },
    ),
  )
})
