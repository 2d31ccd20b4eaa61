import { expect, test } from 'vitest'
import { mulberry32 } from '../../math/random.ts'
import { clusterLayer, type Clusterable, type ClusterLog } from './clusters.ts'

const emptyLog = (): ClusterLog => ({ fallbacks: [], cut: 0 })
const options = { compat: false, seed: 224 }
const node = (vector: Float32Array, text = '', tokens = 5): Clusterable => ({ vector, text, tokens })

/** Nodes around as many axes. */
function blobs(count: number, nodes: number, tokens = 5): Clusterable[] {
  const random = mulberry32(7)
  return Array.from({ length: nodes }, (_, i) => {
    const vector = new Float32Array(16).map(() => 0.02 * random())
    vector[i % count] = 1
    return node(vector, String(i), tokens)
  })
}

test('clusters three blobs with posteriors, ordered by first member', () => {
  const log = emptyLog()
  const clusters = clusterLayer(blobs(3, 33), options, log)
  expect(clusters.map(({ members }) => [...new Set(members.map((member) => member % 3))])).toEqual([[0], [1], [2]])
  expect(clusters[0]?.members).toEqual(Array.from({ length: 11 }, (_, i) => 3 * i))
  expect(clusters[0]?.posteriors?.every((posterior) => posterior > 0.1)).toBe(true)
  expect(log).toEqual({ fallbacks: [], cut: 0 })
})

test('falls back to consecutive groups if nothing can be fitted, and logs each fallback', () => {
  const log = emptyLog()
  const spoilt = blobs(3, 11, 875).map((one, i) => (i === 4 ? { ...one, vector: one.vector.map(() => NaN) } : one))
  const clusters = clusterLayer(spoilt, options, log)
  expect(clusters).toEqual([{ members: [0, 1, 2, 3] }, { members: [4, 5, 6, 7] }, { members: [8, 9, 10] }])
  expect(log.fallbacks.map(({ from, to }) => [from, to])).toEqual([
    ['diag', 'spherical'],
    ['spherical', 'kmeans'],
    ['kmeans', 'consecutive'],
  ])
})

test('cuts a cluster that cannot be split in text order, and counts it', () => {
  const log = emptyLog()
  const alike = Array.from({ length: 6 }, (_, i) => node(Float32Array.of(1, 0), String(9 - i), 1500))
  const clusters = clusterLayer(alike, options, log)
  expect(clusters.map(({ members }) => members.join())).toEqual(['0,1', '2,3', '4,5'])
  expect(log.cut).toBe(1)
})
