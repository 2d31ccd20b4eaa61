import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rowsToMatrix } from '../vectors.ts'
import { memberships, type Clusters, softClusters } from './soft-clusters.ts'
const rowsOf = (clusters: Clusters) => clusters.map(({ rows }) => rows)

describe('memberships', () => {
  test.each<[string, number[], number, number[][]]>([
    ['above the threshold, never at it', [0.9, 0.1, 0.5, 0.5], 0.1, [[0, 1], [1]]],
    ['the likeliest where none is above', [0.3, 0.4, 0.3, 0.34, 0.33, 0.33], 0.5, [[0], [1]]],
    ['the first of equal ones', [0.5, 0.5], 0.6, [[0]]],
    ['by the first row', [0, 1, 1, 0], 0.1, [[0], [1]]],
  ])('%s', (_, posteriors, threshold, expected) => {
    const rows = posteriors.length === 2 ? 1 : 2
    expect(rowsOf(memberships(Float64Array.from(posteriors), rows, threshold))).toEqual(expected)
  })

  test("a cluster has the posteriors of its own component, even if another's are larger", () => {
    // row 0 is in both; the second component is nobody's first choice
    const found = memberships(Float64Array.of(0.6, 0.4, 0.95, 0.05), 2, 0.1)
    expect(found).toEqual([
      { rows: [0, 1], posteriors: [0.6, 0.95] },
      { rows: [0], posteriors: [0.4] },
    ])
  })
})

const pairs = rowsToMatrix([0, 0.1, 0.2, 0.3, 9, 9.1, 9.2, 9.3].map((value) => Float32Array.of(value, -value)))

describe('the chain of fallbacks', () => {
  test('has no fallback when the mixture can be fitted', () => {
    const { clusters, by, fallbacks } = softClusters(pairs, { covariance: 'full' })
    expect({ clusters: rowsOf(clusters), by, fallbacks }).toEqual({
      clusters: [
        [0, 1, 2, 3],
        [4, 5, 6, 7],
      ],
      by: 'full',
      fallbacks: [],
    })
  })

  test('falls back to consecutive groups for numbers that are not finite', () => {
    const { by, fallbacks, clusters } = softClusters(rowsToMatrix([Float32Array.of(NaN), Float32Array.of(1)]))
    expect([by, clusters]).toEqual(['consecutive', []])
    expect(fallbacks.map(({ from, to }) => `${from} ${to}`)).toEqual([
      'diag spherical',
      'spherical kmeans',
      'kmeans consecutive',
    ])
  })
})

test('every row is in a cluster, clusters are sorted by first row, and nothing throws', () => {
  const rows = fc.array(fc.float32Array({ minLength: 3, maxLength: 3, noNaN: true, noDefaultInfinity: true }), {
    minLength: 1,
    maxLength: 20,
  })
  fc.assert(
    fc.property(rows, fc.constantFrom('full', 'diag', 'spherical'), (vectors, covariance) => {
      const { clusters, fallbacks } = softClusters(rowsToMatrix(vectors), { covariance })
      expect(fallbacks).toEqual([])
      expect([...new Set(rowsOf(clusters).flat())].sort((a, b) => a - b)).toEqual(vectors.map((_, row) => row))
      clusters.reduce((before, after) => {
        expect(before.rows[0]!).toBeLessThanOrEqual(after.rows[0]!)
        return after
      })
    }),
  )
})
