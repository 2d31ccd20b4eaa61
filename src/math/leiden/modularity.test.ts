import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildGraph } from '../graph.ts'
import { modularity } from './leiden.ts'

/** Two triangles joined by one edge, the third of seven. */
const triangles = buildGraph(6, { from: [0, 0, 1, 2, 3, 3, 4], to: [1, 2, 2, 3, 4, 5, 5], weight: Array(7).fill(1) })

test.each([
  // 6/7 of the edges lie inside; each side has half the degrees
  ['the two triangles', [0, 0, 0, 1, 1, 1], 1, 6 / 7 - 1 / 2],
  ['the same by other names', [9, 9, 9, -4, -4, -4], 1, 6 / 7 - 1 / 2],
  ['all in one', [0, 0, 0, 0, 0, 0], 1, 0],
  ['all in one at half the resolution', [0, 0, 0, 0, 0, 0], 0.5, 0.5],
  // degrees 2, 2, 3, 3, 2, 2 of 14
  ['each alone', [0, 1, 2, 3, 4, 5], 1, -(4 * 4 + 2 * 9) / 196],
  ['each alone at twice the resolution', [0, 1, 2, 3, 4, 5], 2, (-2 * (4 * 4 + 2 * 9)) / 196],
])('%s', (_, membership, resolution, expected) => {
  expect(modularity(triangles, membership, resolution)).toBeCloseTo(expected, 14)
})

test('a self-loop is an inner edge with both ends at its node', () => {
  const graph = buildGraph(2, { from: [0, 0], to: [0, 1], weight: [3, 1] })
  // L = 3 of m = 4, degrees 7 and 1 of 8
  expect(modularity(graph, [0, 1])).toBeCloseTo(3 / 4 - (49 + 1) / 64, 14)
})

test('lies in [-1, 1] and is invariant to scaling the weights', () => {
  const edges = fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.integer({ min: 1, max: 9 })), {
    minLength: 1,
    maxLength: 20,
  })
  const members = fc.array(fc.nat(3), { minLength: 6, maxLength: 6 })
  fc.assert(
    fc.property(edges, members, (list, membership) => {
      const scaled = (factor: number) =>
        modularity(
          buildGraph(6, {
            from: list.map(([from]) => from),
            to: list.map(([, to]) => to),
            weight: list.map(([, , weight]) => weight * factor),
          }),
          membership,
        )
      expect(Math.abs(scaled(1))).toBeLessThanOrEqual(1)
      expect(scaled(3)).toBeCloseTo(scaled(1), 12)
    }),
  )
})
