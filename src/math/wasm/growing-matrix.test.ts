import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mulberry32 } from '../random.ts'
import { growingMatrix } from './growing-matrix.ts'
import type { Panel } from './panel.ts'

const shapes = fc.record({
  rows: fc.integer({ min: 1, max: 23 }),
  panels: fc.integer({ min: 1, max: 4 }),
  seed: fc.nat(1000),
})

/** Columns of a panel. */
const columnsOf = (panel: Panel): number[][] =>
  [0, 1, 2, 3].map((v) => Array.from({ length: panel.length / 4 }, (_, row) => panel[row * 4 + v]!))

const inner = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, i) => sum + value * b[i]!, 0)

const close = (panel: Panel, expected: (row: number, v: number) => number): void =>
  panel.forEach((value, at) => expect(value).toBeCloseTo(expected(at >> 2, at & 3), 12))

test('grows by panels and multiplies the one that it works on, whatever was there before', () => {
  fc.assert(
    fc.property(shapes, ({ rows, panels, seed }) => {
      const random = mulberry32(seed)
      const some = (length: number): Panel => new Float64Array(length * 4).map(() => random() - 0.5)
      const matrix = growingMatrix(rows, panels * 4)
      const columns: number[][] = []
      for (let p = 0; p < panels; p++) {
        const panel = some(rows)
        matrix.panel.set(panel)
        matrix.place(columns.length)
        columns.push(...columnsOf(panel))
      }
      const [panel, short, square] = [some(rows), some(columns.length), some(4)]
      matrix.panel.set(panel)
      const vectors = columnsOf(panel)
      close(matrix.gather(columns.length), (row, v) => inner(columns[row]!, vectors[v]!))
      close(matrix.gather(4), (row, v) => inner(columns[row]!, vectors[v]!))
      close(matrix.squares(), (row, v) => inner(vectors[row]!, vectors[v]!))
      matrix.multiply(square)
      const product = (row: number, v: number): number =>
        inner([...panel.subarray(row * 4, row * 4 + 4)], columnsOf(square)[v]!)
      close(matrix.panel, product)
      matrix.spread(short)
      const coefficients = columnsOf(short)
      const combined = (row: number, v: number): number =>
        inner(
          columns.map((column) => column[row]!),
          coefficients[v]!,
        )
      close(matrix.panel, (row, v) => product(row, v) + combined(row, v))
      // the rows that fill it up have stayed 0
      close(matrix.squares(), (row, v) => inner(columnsOf(matrix.panel)[row]!, columnsOf(matrix.panel)[v]!))
    }),
    { numRuns: 50 },
  )
})

test('more than a memory holds is refused', () => {
  expect(() => growingMatrix(2 ** 28, 4)).toThrow(RangeError)
})
