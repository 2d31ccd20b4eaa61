import { compile, kernels, lanes, memoryOf } from './kernels.ts'
import type { Panel } from './panel.ts'

/** A matrix of 64-bit numbers whose columns come four at a time, and one panel as long that is worked on where it lies. */
export interface GrowingMatrix {
  /** The panel: other numbers after `multiply`. */
  readonly panel: Panel
  /** Puts the panel in the place of four columns. */
  place(column: number): void
  /** Mᵀ times the panel, for the first `columns` of M. */
  gather(columns: number): Panel
  /** Adds M times the short panel to the panel, for as many of the first columns as that has rows. */
  spread(short: Panel): void
  /** The inner products of the panel's vectors: four rows of four. */
  squares(): Panel
  /** The panel times four rows of four. */
  multiply(square: Panel): void
}

/** A matrix of `rows` rows with room for `capacity` columns, all 0. Throws RangeError where it needs more than 4 GiB. */
export function growingMatrix(rows: number, capacity: number): GrowingMatrix {
  // rows beyond the last, up to a multiple of four, stay 0
  const height = lanes * Math.ceil(rows / lanes)
  const [stride, width] = [8 * capacity, 8 * lanes]
  const panelsAt = height * stride
  const shortAt = panelsAt + 2 * height * width
  const memory = memoryOf(shortAt + width * Math.max(capacity, lanes), false)
  const run = kernels(compile(false), memory)
  const short = new Float64Array(memory.buffer, shortAt)
  const panels = [0, 1].map((index) => {
    const at = panelsAt + index * height * width
    return { at, numbers: new Float64Array(memory.buffer, at, rows * lanes) }
  })
  let [now, next] = panels as [(typeof panels)[number], (typeof panels)[number]]

  const gathered = (matrix: number, stride: number, columns: number): Panel => {
    short.fill(0, 0, columns * lanes)
    run.gather64(matrix, stride, height, columns, now.at, shortAt)
    return short.slice(0, columns * lanes)
  }
  return {
    get panel() {
      return now.numbers
    },
    place: (column) => run.place64(8 * column, stride, height, lanes, now.at, 0),
    gather: (columns) => gathered(0, stride, columns),
    spread(given) {
      short.set(given)
      run.spread64(0, stride, height, given.length / lanes, now.at, shortAt)
    },
    squares: () => gathered(now.at, width, lanes),
    multiply(square) {
      short.set(square)
      next.numbers.fill(0)
      run.spread64(now.at, width, height, lanes, next.at, shortAt)
      ;[now, next] = [next, now]
    },
  }
}
