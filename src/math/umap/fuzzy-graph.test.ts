import { expect, test } from 'vitest'
import { connectedComponents, groupsOf, subgraphs, type SparseRows } from '../graph.ts'
import { rowsToMatrix } from '../vectors.ts'
import { fuzzyGraph, nearestNeighbours } from './neighbours.ts'
const dense = ({ offsets, targets, weights }: SparseRows): number[][] =>
  Array.from({ length: offsets.length - 1 }, (_, row) => {
    const all = Array.from({ length: offsets.length - 1 }, () => 0)
    for (let k = offsets[row]!; k < offsets[row + 1]!; k++) all[targets[k]!] = weights[k]!
    return all
  })

const sparse = (rows: readonly (readonly number[])[]): SparseRows => ({
  offsets: Uint32Array.from([0, ...rows.map((_, i) => rows.slice(0, i + 1).flat().length)]),
  targets: Uint32Array.from(rows.flat()),
  weights: Float64Array.from(rows.flatMap((targets, row) => targets.map((target) => row + target))),
})

test('the weights are those of umap-learn 0.5', () => {
  const places = [0, 0, 1, 0, 0, 2, 3, 3, 10, 10, 11, 10, 10, 12, 0, 0]
  const points = rowsToMatrix(Array.from({ length: 8 }, (_, i) => Float32Array.from(places.slice(2 * i, 2 * i + 2))))
  const expected = [
    [0, 1, 1, 0.349986, 0, 0, 0, 1],
    [1, 0, 0, 0.650016, 0, 0, 0, 1],
    [1, 0, 0, 1, 0, 0, 0, 1],
    [0.349986, 0.650016, 1, 0, 0.176881, 0.191279, 0.065977, 0],
    [0, 0, 0, 0.176881, 0, 1, 1, 0],
    [0, 0, 0, 0.191279, 1, 0, 0.98738, 0],
    [0, 0, 0, 0.065977, 1, 0.98738, 0, 0],
    [1, 1, 1, 0, 0, 0, 0, 0],
  ]
  const found = dense(fuzzyGraph(nearestNeighbours(points, 3, 'euclidean')))
  for (const [i, row] of found.entries()) {
    for (const [j, weight] of row.entries()) expect(weight).toBeCloseTo(expected[i]![j]!, 4)
  }
})

test('gives connected components and their subgraphs', () => {
  const graph = sparse([[2, 4], [3], [0], [1], [0], []])
  expect(groupsOf(connectedComponents(graph)).map((nodes) => [...nodes])).toEqual([[0, 2, 4], [1, 3], [5]])
  const part = subgraphs(graph)(Uint32Array.of(0, 2, 4))
  expect(dense(part)).toEqual([
    [0, 2, 4],
    [2, 0, 0],
    [4, 0, 0],
  ])
})
