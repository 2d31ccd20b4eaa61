import { expect, test } from 'vitest'
import { measureGraph } from './health.ts'

const nodesOf = (...ids: readonly string[]) => ids.map((id) => ({ id, kind: 'entity', text: id }))
const edge = (from: number, to: number, weight = 1) => ({ from, to, weight })

test('counts of a graph by hand: both directions are one pair, a loop is none', () => {
  const edges = [edge(0, 1), edge(1, 0, -2), edge(1, 2), edge(3, 3)]
  expect(measureGraph({ nodes: nodesOf('a', 'b', 'c', 'd', 'e'), edges })).toEqual({
    nodes: 5,
    edges: 2,
    components: 3,
    largest: 3,
  })
  expect(measureGraph({ nodes: [], edges: [] })).toEqual({ nodes: 0, edges: 0, components: 0, largest: 0 })
})

test('edges that are not drawn are counted, and leave the components unknown', () => {
  expect(measureGraph({ nodes: nodesOf('a', 'b'), edges: [edge(0, 1)], leftOut: 7 })).toEqual({
    nodes: 2,
    edges: 8,
    components: null,
    largest: null,
  })
})
