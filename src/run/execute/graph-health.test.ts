import { expect, test } from 'vitest'
import { measureGraph } from './check-index.ts'

const nodesOf = (...ids: readonly string[]) => ids.map((id) => ({ id, kind: 'entity', text: id }))
const edge = (from: number, to: number, weight = 1) => ({ from, to, weight })

test('edges in both directions count as one pair, and a loop does not count', () => {
  const edges = [edge(0, 1), edge(1, 0, -2), edge(1, 2), edge(3, 3)]
  expect(measureGraph({ nodes: nodesOf('a', 'b', 'c', 'd', 'e'), edges })).toEqual({
    nodes: 5,
    edges: 2,
    components: 3,
    largest: 3,
  })
  expect(measureGraph({ nodes: [], edges: [] })).toEqual({ nodes: 0, edges: 0, components: 0, largest: 0 })
})

test('edges left out of the drawing count, and the components are then unknown', () => {
  expect(measureGraph({ nodes: nodesOf('a', 'b'), edges: [edge(0, 1)], leftOut: 7 })).toEqual({
    nodes: 2,
    edges: 8,
    components: null,
    largest: null,
  })
})
