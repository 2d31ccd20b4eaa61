import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildGraph, type SparseGraph } from '../graph.ts'
import { modularity, connectedParts, leiden } from './leiden.ts'
import { mulberry32 } from '../random.ts'
const graphOf = (nodes: number, pairs: readonly (readonly number[])[], weight = pairs.map(() => 1)) =>
  buildGraph(nodes, { from: pairs.map(([from]) => from!), to: pairs.map(([, to]) => to!), weight })

/** Cliques of `size`, each joined to the next by one edge; the last to the first when there are more than two. */
function cliques(count: number, size: number): SparseGraph {
  const pairs = Array.from({ length: count }, (_, clique) => {
    const first = clique * size
    const inside = Array.from({ length: size }, (_, i) => Array.from({ length: i }, (_, j) => [first + i, first + j]))
    return [...inside.flat(), [first, ((clique + 1) % count) * size]]
  }).flat()
  return graphOf(count * size, count === 2 ? pairs.slice(0, -1) : pairs)
}

const seeds = Array.from({ length: 20 }, (_, seed) => seed)

describe('by hand', () => {
  test('two cliques of five, joined by one edge', () => {
    for (const seed of seeds) {
      expect([...leiden(cliques(2, 5), { random: mulberry32(seed) })]).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    }
  })

  test('the weights decide: a square with two heavy sides', () => {
    const square = graphOf(
      4,
      [
        [0, 1],
        [1, 2],
        [2, 3],
        [3, 0],
      ],
      [1, 9, 1, 9],
    )
    expect([...leiden(square, { random: mulberry32(1) })]).toEqual([0, 1, 1, 0])
  })

  test('isolated nodes stay alone; an empty graph has no communities', () => {
    expect([...leiden(graphOf(4, [[1, 3]]), { random: mulberry32(1) })]).toEqual([0, 1, 2, 1])
    expect([...leiden(graphOf(3, []), { random: mulberry32(1) })]).toEqual([0, 1, 2])
    expect([...leiden(graphOf(0, []), { random: mulberry32(1) })]).toEqual([])
  })
})

test('communities are connected, numbered by first occurrence, deterministic, and locally optimal', () => {
  const edges = fc.array(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 30 })
  fc.assert(
    fc.property(edges, fc.nat(), (pairs, seed) => {
      const graph = graphOf(10, pairs)
      const found = leiden(graph, { random: mulberry32(seed) })
      expect(leiden(graph, { random: mulberry32(seed) })).toEqual(found)
      expect(connectedParts(graph, found)).toEqual(found)
      if (pairs.length === 0) return
      const reached = modularity(graph, found) + 1e-9
      const others = [...found.keys()].flatMap((node) =>
        [...new Set(found), 10].map((community) => found.with(node, community)),
      )
      for (const other of [found.map((_, node) => node), found.map(() => 0), ...others]) {
        expect(modularity(graph, other)).toBeLessThanOrEqual(reached)
      }
    }),
  )
})
