import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildGraph, subgraphs, type SparseGraph } from '../graph.ts'
import { mulberry32 } from '../random.ts'
import { connectedParts } from './leiden.ts'
import { hierarchicalLeiden } from './hierarchical-leiden.ts'

/**
 * Three groups of four cliques of four; within a group nodes of one place are joined, between groups only two nodes.
 */
function groupsOfCliques(): SparseGraph {
  const edges = { from: new Array<number>(), to: new Array<number>(), weight: new Array<number>() }
  const join = (from: number, to: number, weight: number) => {
    edges.from.push(from)
    edges.to.push(to)
    edges.weight.push(weight)
  }
  for (let a = 0; a < 48; a++) {
    for (let b = 0; b < a; b++) {
      if (a >> 4 !== b >> 4) continue
      if (a >> 2 === b >> 2) join(a, b, 3)
      else if (a % 4 === b % 4) join(a, b, 2)
    }
  }
  for (const group of [0, 1, 2]) join(group * 16, ((group + 1) % 3) * 16 + 1, 1)
  return buildGraph(48, edges)
}

test('splits three groups into four cliques each, with continuous numbers, and no clique again', () => {
  for (let seed = 0; seed < 20; seed++) {
    const found = hierarchicalLeiden(groupsOfCliques(), { random: mulberry32(seed), maxSize: 9 })
    expect(found.map(({ number, level, parent, nodes }) => [number, level, parent, nodes[0], nodes.length])).toEqual([
      ...[0, 1, 2].map((group) => [group, 0, -1, group * 16, 16]),
      ...Array.from({ length: 12 }, (_, clique) => [3 + clique, 1, clique >> 2, clique * 4, 4]),
    ])
  }
  const whole = hierarchicalLeiden(groupsOfCliques(), { random: mulberry32(1), maxSize: 16 })
  expect(whole.map(({ level }) => level)).toEqual([0, 0, 0])
})

test('children partition their parent; communities are connected; small ones are not split', () => {
  const pairs = fc.array(fc.tuple(fc.nat(24), fc.nat(24), fc.integer({ min: 1, max: 5 })), { maxLength: 80 })
  fc.assert(
    fc.property(pairs, fc.nat(), fc.integer({ min: 1, max: 12 }), (edges, seed, maxSize) => {
      const graph = buildGraph(25, {
        from: edges.map(([from]) => from),
        to: edges.map(([, to]) => to),
        weight: edges.map(([, , weight]) => weight),
      })
      const found = hierarchicalLeiden(graph, { random: mulberry32(seed), maxSize })
      expect(hierarchicalLeiden(graph, { random: mulberry32(seed), maxSize })).toEqual(found)
      const pieceOf = subgraphs(graph)
      const nodesOf = (parent: number) =>
        found.filter((one) => one.parent === parent).flatMap(({ nodes }) => [...nodes])
      expect(nodesOf(-1).toSorted((a, b) => a - b)).toEqual([...graph.degrees.keys()])
      for (const { number, level, parent, nodes } of found) {
        expect(found[number]?.nodes).toBe(nodes)
        expect(level).toBe(parent < 0 ? 0 : (found[parent]?.level ?? NaN) + 1)
        const piece = { ...pieceOf(nodes), nodes: nodes.length, directed: false }
        expect(new Set(connectedParts(piece, new Uint32Array(piece.nodes))).size).toBeLessThanOrEqual(1)
        const below = nodesOf(number).toSorted((a, b) => a - b)
        if (below.length > 0) expect(below).toEqual([...nodes])
        expect(below.length > 0 && nodes.length <= maxSize).toBe(false)
      }
    }),
  )
})
