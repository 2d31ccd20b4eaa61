import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { mulberry32 } from '../../math/random.ts'
import { clusterLayer, emptyLog, type Clusterable } from './clusters.ts'
import { raptorOptions } from './options.ts'

const options = (given: object = {}) => ({ ...raptorOptions.parse({ reducer: 'pca', ...given }), seed: 224 })
const node = (vector: Float32Array, text = ''): Clusterable => ({ vector, text, tokens: 5 })

/** Nodes around as many axes. */
function blobs(count: number, nodes: number): Clusterable[] {
  const random = mulberry32(7)
  return Array.from({ length: nodes }, (_, i) => {
    const vector = new Float32Array(16).map(() => 0.02 * random())
    vector[i % count] = 1
    return node(vector, String(i))
  })
}

test('three blobs are three clusters, with posteriors, by the first of their members', () => {
  const log = emptyLog()
  const clusters = clusterLayer(blobs(3, 60), options({ reductionDimension: 20 }), log)
  expect(clusters.map(({ members }) => [...new Set(members.map((member) => member % 3))])).toEqual([[0], [1], [2]])
  expect(clusters[0]?.members).toEqual(Array.from({ length: 20 }, (_, i) => 3 * i))
  expect(clusters[0]?.posteriors?.every((posterior) => posterior > 0.1)).toBe(true)
  expect(log).toEqual({ fallbacks: [], reclusterings: 0, cut: 0 })
})

test('posteriors follow their members into the order of the layer', () => {
  const nodes = blobs(4, 60)
  const shown = (all: readonly Clusterable[]) =>
    clusterLayer(all, options(), emptyLog()).flatMap(({ members, posteriors }) =>
      members.map((member, i) => `${all[member]?.text} ${posteriors?.[i]}`),
    )
  expect(shown(nodes.toReversed()).sort()).toEqual(shown(nodes).sort())
})

describe('an embedding that is not finite', () => {
  const nodes = blobs(3, 12).map((one, i) => (i === 4 ? node(one.vector.map(() => NaN)) : one))

  test.each(['umap', 'pca'])('%s says so', (reducer) => {
    expect(() => clusterLayer(nodes, options({ reducer }), emptyLog())).toThrow(/row \d+ holds NaN/)
  })

  test('where nothing can be fitted, clusters are runs of the layer, and each fall is told', () => {
    const log = emptyLog()
    const clusters = clusterLayer(nodes, options({ reducer: 'none', maxClusterTokens: 20 }), log)
    expect(clusters).toEqual([{ members: [0, 1, 2, 3] }, { members: [4, 5, 6, 7] }, { members: [8, 9, 10, 11] }])
    expect(log.fallbacks.map(({ at, from, to }) => [at, from, to])).toEqual([
      ['layer.global', 'diag', 'spherical'],
      ['layer.global', 'spherical', 'kmeans'],
      ['layer.global', 'kmeans', 'consecutive'],
    ])
  })
})

test('a cluster that does not come apart is cut in text order, and that is counted', () => {
  const log = emptyLog()
  const alike = Array.from({ length: 6 }, (_, i) => node(Float32Array.of(1, 0), String(9 - i)))
  const clusters = clusterLayer(alike, options({ maxClusterTokens: 12 }), log)
  expect(clusters.map(({ members }) => members)).toEqual([
    [0, 1],
    [2, 3],
    [4, 5],
  ])
  expect(log.cut).toBe(1)
})

test("compat has the reference's regularisation: it finds the small clusters that a floor hides", () => {
  const file = new URL('../../test-support/layouts.json', import.meta.url)
  const { layouts } = JSON.parse(readFileSync(file, 'utf8')) as {
    layouts: { rows: number; columns: number; data: number[]; choices: number[] }[]
  }
  const [{ rows, columns, data, choices } = { rows: 0, columns: 0, data: [], choices: [] }] = layouts
  const nodes = Array.from({ length: rows }, (_, row) => ({
    vector: Float32Array.from(data.slice(row * columns, (row + 1) * columns)),
    text: String(row),
    tokens: 1,
  }))
  // clusters of no more than reductionDimension + 1 nodes are not clustered again
  const found = (given: object) =>
    clusterLayer(nodes, options({ reducer: 'none', reductionDimension: rows, ...given }), emptyLog()).length
  expect(found({ compat: true })).toBeGreaterThanOrEqual(Math.min(...choices) - 1)
})
