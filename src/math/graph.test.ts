import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildGraph, type SparseGraph } from './graph.ts'

const edges = (...list: readonly (readonly [number, number, number])[]) => ({
  from: list.map(([from]) => from),
  to: list.map(([, to]) => to),
  weight: list.map(([, , weight]) => weight),
})

const rows = ({ nodes, offsets, targets, weights }: SparseGraph): (readonly [number, number])[][] =>
  Array.from({ length: nodes }, (_, row) =>
    Array.from(targets.subarray(offsets[row], offsets[row + 1]), (target, k) => [target, weights[offsets[row]! + k]!]),
  )

test('a self-loop adds twice its weight to an undirected node, once to a directed one', () => {
  expect([...buildGraph(2, edges([1, 1, 3], [0, 1, 1])).degrees]).toEqual([1, 7])
  expect([...buildGraph(2, edges([1, 1, 3], [0, 1, 1]), { directed: true }).degrees]).toEqual([1, 3])
})

test.each([
  ['a negative weight', 2, edges([0, 1, -1]), 'edge 0 (0, 1) weighs -1'],
  ['no number', 2, edges([0, 1, 1], [1, 0, NaN]), 'edge 1 (1, 0) weighs NaN'],
  ['no end to a weight', 2, edges([0, 1, Infinity]), 'weighs Infinity'],
  ['an end out of range', 2, edges([0, 2, 1]), 'edge 0 (0, 2) leaves the nodes 0 to 1'],
  ['half a node', 2, edges([0.5, 1, 1]), 'leaves the nodes'],
  ['lists of different lengths', 2, { from: [0], to: [1, 0], weight: [1] }, 'differ in length'],
  ['a count that is none', -1, edges(), 'cannot have -1 nodes'],
])('rejects %s', (_, nodes, given, message) => {
  expect(() => buildGraph(nodes, given)).toThrow(message)
})

const someEdges = fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.integer({ min: 0, max: 9 })), { maxLength: 30 })

test('stores the sum of the weights of each pair', () => {
  fc.assert(
    fc.property(someEdges, fc.boolean(), (list, directed) => {
      const dense = Array.from({ length: 6 }, () => new Array<number>(6).fill(0))
      for (const [from, to, weight] of list) {
        dense[from]![to]! += weight
        if (!directed) dense[to]![from]! += weight
      }
      const graph = buildGraph(6, edges(...list), { directed })
      const found = rows(graph).map((row) => {
        expect(row.map(([target]) => target)).toEqual([...new Set(row.map(([target]) => target))].sort((a, b) => a - b))
        return Array.from({ length: 6 }, (_, to) => row.find(([target]) => target === to)?.[1] ?? 0)
      })
      expect(found).toEqual(dense)
      expect([...graph.degrees]).toEqual(dense.map((row) => row.reduce((a, b) => a + b)))
    }),
  )
})
