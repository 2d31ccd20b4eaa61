import { kernels, lanes, type Kernels } from './kernels.ts'

/** A matrix in rows. */
export interface Rows {
  readonly data: Float32Array | Float64Array
  readonly rows: number
  readonly columns: number
}

/** Four vectors side by side: entry i of vector v is at 4i + v. */
export type Panel = Float64Array

/** A panel of zeros for vectors of length `n`. */
export const emptyPanel = (n: number): Panel => new Float64Array(n * lanes)

/** Mᵀ X for every panel X of as many rows as M; one pass over M. */
export function transposeTimes(matrix: Rows, panels: readonly Panel[]): Panel[] {
  checkLengths(panels, matrix.rows)
  const { short, passes } = stage(matrix, panels.length)
  short.fill(0)
  for (const pass of passes()) {
    panels.forEach((panel, index) => {
      pass.write(panel)
      pass.run('gather', index)
    })
  }
  const size = matrix.columns * lanes
  return panels.map((_, index) => short.slice(index * size, (index + 1) * size))
}

/** Adds M U to the panel of the same place for every panel U of as many rows as M has columns; one pass over M. */
export function addTimes(matrix: Rows, panels: readonly Panel[], into: readonly Panel[]): void {
  checkLengths(panels, matrix.columns)
  checkLengths(into, matrix.rows)
  const { short, passes } = stage(matrix, panels.length)
  panels.forEach((panel, index) => short.set(panel, index * panel.length))
  for (const pass of passes()) {
    into.forEach((panel, index) => {
      pass.write(panel)
      pass.run('spread', index)
      pass.read(panel)
    })
  }
}

/** The kernels' memory holds what earlier products left: a short panel would read it. */
function checkLengths(panels: readonly Panel[], n: number): void {
  for (const { length } of panels) {
    if (length !== n * lanes) throw new RangeError(`a panel of ${length} numbers where ${n * lanes} are multiplied`)
  }
}

/** What is loaded at a time: small enough for a second-level cache, beside the short panels. */
const partBytes = 2 ** 17
const partRows = 2048
const page = 2 ** 16

/** One instance for all: nothing is left in its memory between two products. */
let shared: Kernels | undefined

/**
 * Room in the kernels' memory for `count` short panels, a part of the matrix and the same part of one long panel. `passes` loads
 * part after part, the last filled up with rows of 0 to a multiple of four.
 */
function stage(matrix: Rows, count: number) {
  const machine = (shared ??= kernels())
  const bits = matrix.data instanceof Float32Array ? 32 : 64
  const { columns } = matrix
  const stride = columns * (bits / 8)
  const height = Math.min(partRows, lanes * Math.max(1, Math.floor(partBytes / (stride * lanes || 1))))
  const shortAt = height * lanes * 8
  const matrixAt = shortAt + count * columns * lanes * 8
  reserve(machine, matrixAt + height * stride)
  const { buffer } = machine.memory
  const long = new Float64Array(buffer, 0, height * lanes)
  const short = new Float64Array(buffer, shortAt, count * columns * lanes)
  const part = new (bits === 32 ? Float32Array : Float64Array)(buffer, matrixAt, height * columns)

  function* passes() {
    for (let from = 0; from < matrix.rows; from += height) {
      const to = Math.min(from + height, matrix.rows)
      const rows = lanes * Math.ceil((to - from) / lanes)
      part.set(matrix.data.subarray(from * columns, to * columns))
      part.fill(0, (to - from) * columns, rows * columns)
      long.fill(0, (to - from) * lanes, rows * lanes)
      yield {
        write: (panel: Panel) => long.set(panel.subarray(from * lanes, to * lanes)),
        run: (kernel: 'gather' | 'spread', index: number) =>
          machine[`${kernel}${bits}`](matrixAt, stride, rows, columns, 0, shortAt + index * columns * lanes * 8),
        read: (panel: Panel) => panel.set(long.subarray(0, (to - from) * lanes), from * lanes),
      }
    }
  }
  return { short, passes }
}

function reserve({ memory }: Kernels, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / page))
}
