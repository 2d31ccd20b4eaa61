import { compile, kernels, lanes, memoryOf, page } from './kernels.ts'

/** a (rows x inner) times b (inner x columns), row after row, in float64. */
export const product = (a: Float64Array, b: Float64Array, rows: number, inner: number, columns: number): Float64Array =>
  multiplied(a, rows, inner, columns, (panel, left, width) => {
    for (let row = 0, at = left; row < inner; row++, at += columns)
      for (let lane = 0; lane < width; lane++) panel[row * lanes + lane] = b[at + lane]!
  })

/** a (rows x inner) times the transpose of b (columns x inner), row after row, in float64. */
export const productTransposed = (
  a: Float64Array,
  b: Float64Array,
  rows: number,
  inner: number,
  columns: number,
): Float64Array =>
  multiplied(a, rows, inner, columns, (panel, left, width) => {
    for (let lane = 0; lane < width; lane++)
      for (let row = 0, at = (left + lane) * inner; row < inner; row++) panel[row * lanes + lane] = b[at + row]!
  })

/** The transpose of a matrix of so many rows and columns. */
export function transposed(matrix: Float64Array, rows: number, columns: number): Float64Array {
  const result = new Float64Array(matrix.length)
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

/** `pack` writes `width` columns of the right matrix, from `left` on, side by side into a panel whose other places are 0. */
function multiplied(
  a: Float64Array,
  rows: number,
  inner: number,
  columns: number,
  pack: (panel: Float64Array, left: number, width: number) => void,
): Float64Array {
  const result = new Float64Array(rows * columns)
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
  for (let panel = 0; panel < panels; panel++) {
    const start = panelsAt + panel * panelSize
    pack(numbers.subarray(start, start + panelSize), panel * lanes, Math.min(lanes, columns - panel * lanes))
  }
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
    for (let row = 0, from = longAt + panel * longSize; row < rows; row++, from += lanes)
      for (let lane = 0; lane < width; lane++) result[row * columns + left + lane] = numbers[from + lane]!
  }
  return result
}
