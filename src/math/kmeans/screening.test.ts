import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { screenedAtOnce, screening } from './screening.ts'
import { mulberry32 } from '../random.ts'
import type { Rows } from '../wasm/panel.ts'
import { allocateNumbers } from '../wasm/wasm-matrix.ts'
import { columnOf, squaredDistances, squaredLengths } from './squared-distances.ts'

const [rows, columns] = [512, 130]

/** Points that lie in place. */
function pointsOf(numberAt: (row: number, column: number) => number): Rows {
  const data = allocateNumbers(Float32Array, rows, columns, screenedAtOnce, 1)
  data.forEach((_, at) => (data[at] = numberAt(Math.floor(at / columns), at % columns)))
  return { data, rows, columns }
}

/** The first of the nearest centres by the distances in 64 bits. */
function nearestOf(points: Rows, centres: Rows): number[] {
  const panels = squaredDistances(points, squaredLengths(points), centres)
  const distances = Array.from({ length: centres.rows }, (_, c) => columnOf(panels[c >> 2]!, c & 3))
  return Array.from({ length: points.rows }, (_, row) => {
    const own = distances.map((column) => column[row]!)
    return own.indexOf(Math.min(...own))
  })
}

const cases = fc.record({
  clusters: fc.integer({ min: 1, max: 40 }),
  scale: fc.constantFrom(1e-45, 1e-38, 1e-25, 1, 1e9, 1e14),
  /** How far the centres are from each other, as a share of the scale. */
  apart: fc.constantFrom(0, 1e-16, 1e-12, 1e-8, 1e-6, 1e-3, 1),
  offset: fc.constantFrom(0, 1, 1000),
  seed: fc.nat(),
})

test('the nearest centres are those of 64 bits, however near they are to each other, whatever the size of the numbers', () => {
  fc.assert(
    fc.property(cases, ({ clusters, scale, apart, offset, seed }) => {
      const random = mulberry32(seed)
      const points = pointsOf(() => scale * (offset + random() - 0.5))
      const middle = Float64Array.from({ length: columns }, () => scale * (offset + random() - 0.5))
      const data = Float64Array.from(
        { length: clusters * columns },
        (_, at) => middle[at % columns]! + scale * apart * (random() - 0.5),
      )
      const centres = { data, rows: clusters, columns }
      const expected = nearestOf(points, centres)
      const screened = screening(points, squaredLengths(points), centres)!
      for (const guesses of [Uint32Array.from(expected), new Uint32Array(rows).map(() => random() * clusters)]) {
        expect([...screened(guesses, new Uint8Array(clusters).fill(1))]).toEqual(expected)
      }
    }),
    { numRuns: 150 },
  )
})

test('rows as far from two centres go to the first of them, and such as 32 bits cannot tell to the nearer', () => {
  const points = pointsOf((row, column) => (column === 0 ? [1, -1, 3, 0][row % 4]! : 0))
  const data = new Float64Array(3 * columns)
  const centres = { data, rows: 3, columns }
  const screened = screening(points, squaredLengths(points), centres)!
  data.set([-1], 0)
  data.set([1], columns)
  data.set([1 + 2 ** -40], 2 * columns)
  expect([...screened(new Uint32Array(rows).fill(2), Uint8Array.of(1, 1, 1)).slice(0, 4)]).toEqual([1, 0, 2, 0])
})

describe('it is left to 64 bits', () => {
  const centres = { data: new Float64Array(columns), rows: 1, columns }
  const screened = (points: Rows) => screening(points, squaredLengths(points), centres)

  test.each<[string, number, boolean]>([
    ['numbers whose products are safe in 32', 1e15, true],
    ['numbers whose products could be infinite in 32', 1e19, false],
    ['the largest', 3e38, false],
    ['infinite', Infinity, false],
    ['none', NaN, false],
  ])('%s', (_, value, expected) => {
    const points = pointsOf((row, column) => (row === 7 && column === 3 ? value : 1))
    expect(screened(points) !== undefined).toBe(expected)
  })

  test('points that are not in place, or have 64 bits', () => {
    const data = allocateNumbers(Float64Array, rows, columns, 1, 1)
    expect(screened({ data, rows, columns })).toBeUndefined()
    expect(screened({ data: new Float32Array(rows * columns), rows, columns })).toBeUndefined()
  })
})
