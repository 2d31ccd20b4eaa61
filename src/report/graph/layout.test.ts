import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Graph } from '../../types.ts'
import { layout } from './layout.ts'
import type { Point } from './page-data.ts'

const graphOf = (size: number, edges: readonly (readonly [number, number, number])[]): Graph => ({
  nodes: Array.from({ length: size }, (_, index) => ({ id: String(index), kind: 'chunk', text: '' })),
  edges: edges.map(([from, to, weight]) => ({ from, to, weight })),
})

const apart = (a: Point | undefined, b: Point | undefined): number =>
  Math.hypot((a?.x ?? NaN) - (b?.x ?? NaN), (a?.y ?? NaN) - (b?.y ?? NaN))

test('gives every node of any graph finite coordinates', () => {
  const edge = fc.tuple(fc.nat(7), fc.nat(7), fc.double({ min: -2, max: 1e6, noNaN: true }))
  fc.assert(
    fc.property(fc.array(edge, { maxLength: 20 }), (edges) => {
      const places = layout(graphOf(8, edges))
      expect(places).toHaveLength(8)
      expect(places.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y))).toBe(true)
    }),
    { numRuns: 30 },
  )
  expect(layout(graphOf(0, []))).toEqual([])
})

test('draws heavy edges short', () => {
  const [a, b, c] = layout(graphOf(3, [[0, 1, 5], [1, 2, 1]])) // prettier-ignore
  expect(apart(a, b)).toBeLessThan(apart(b, c))
})
