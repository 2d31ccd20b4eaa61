import { compile, kernels, lanes, memoryOf, page } from './kernels.ts'

/** a (rows x inner) times b (inner x columns), row after row, in float64, into the numbers of `result`, or new ones. */
export const product = (
  a: Float64Array,
  b: Float64Array,
  rows: number,
  inner: number,
  columns: number,
  result: Float64Array = new Float64Array(rows * columns),
): Float64Array =>
  multiplied(a, rows, inner, columns, result, (panels, start, left) => {
    const width = Math.min(lanes, columns - left)
    for (let row = 0, at = left, to = start; row < inner; row++, at += columns, to += lanes) {
      panels[to] = b[at]!
      // four at a time: what a panel lacks is 0 already
      if (width > 1) panels[to + 1] = b[at + 1]!
      if (width > 2) panels[to + 2] = b[at + 2]!
      if (width > 3) panels[to + 3] = b[at + 3]!
    }
  })

/** The same with the transpose of b (columns x inner). */
export const productTransposed = (
  a: Float64Array,
  b: Float64Array,
  rows: number,
  inner: number,
  columns: number,
  result: Float64Array = new Float64Array(rows * columns),
): Float64Array =>
  multiplied(a, rows, inner, columns, result, (panels, start, left) => {
    const width = Math.min(lanes, columns - left)
    const [first, second, third, fourth] = [0, 1, 2, 3].map((lane) => (left + lane) * inner) as [
      ...[number, number, number, number],
    ]
    for (let row = 0, to = start; row < inner; row++, to += lanes) {
      panels[to] = b[first + row]!
      if (width > 1) panels[to + 1] = b[second + row]!
      if (width > 2) panels[to + 2] = b[third + row]!
      if (width > 3) panels[to + 3] = b[fourth + row]!
    }
  })

/** The transpose of a matrix of so many rows and columns. */
export function transposed(
  matrix: Float64Array,
  rows: number,
  columns: number,
  result: Float64Array = new Float64Array(matrix.length),
): Float64Array {
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) result[column * rows + row] = matrix[row * columns + column]!
  return result
}

/** One instance for all: nothing in its memory outlives a product. */
let machine: ReturnType<typeof build> | undefined

function build() {
  const memory = memoryOf(0, false)
  return { memory, spread: kernels(compile(false), memory).spread64 }
}

/** Rows of `a` that are multiplied together: they stay in a second-level cache. */
const partBytes = 2 ** 17

/** `pack` writes the columns of the right matrix from `left` on side by side into the panel at `start`, whose other places are 0. */
function multiplied(
  a: Float64Array,
  rows: number,
  inner: number,
  columns: number,
  result: Float64Array,
  pack: (panels: Float64Array, start: number, left: number) => void,
): Float64Array {
  if (result.length === 0 || inner === 0) return result
  const { memory, spread } = (machine ??= build())
  const filled = lanes * Math.ceil(rows / lanes)
  const panels = Math.ceil(columns / lanes)
  const [panelSize, longSize] = [inner * lanes, filled * lanes]
  const panelsAt = filled * inner
  const longAt = panelsAt + panels * panelSize
  const missing = (longAt + panels * longSize) * 8 - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / page))
  const numbers = new Float64Array(memory.buffer)
  numbers.set(a)
  numbers.fill(0, rows * inner, longAt + panels * longSize)
  for (let panel = 0; panel < panels; panel++) pack(numbers, panelsAt + panel * panelSize, panel * lanes)
  const height = lanes * Math.max(1, Math.floor(partBytes / (inner * lanes * 8)))
  for (let from = 0; from < filled; from += height) {
    const count = Math.min(height, filled - from)
    for (let panel = 0; panel < panels; panel++) {
      const long = longAt + panel * longSize + from * lanes
      spread(from * inner * 8, inner * 8, count, inner, long * 8, (panelsAt + panel * panelSize) * 8)
    }
  }
  for (let panel = 0; panel < panels; panel++) {
    const left = panel * lanes
    const width = Math.min(lanes, columns - left)
    for (let row = 0, from = longAt + panel * longSize, to = left; row < rows; row++, from += lanes, to += columns) {
      result[to] = numbers[from]!
      if (width > 1) result[to + 1] = numbers[from + 1]!
      if (width > 2) result[to + 2] = numbers[from + 2]!
      if (width > 3) result[to + 3] = numbers[from + 3]!
    }
  }
  return result
}
