import { readFileSync } from 'node:fs'
import { once } from '../basics/memoise.ts'

/** A row-major matrix. */
export interface Rows {
  readonly data: Float32Array | Float64Array
  readonly rows: number
  readonly columns: number
}

export interface Float64Rows extends Rows {
  readonly data: Float64Array
}

/** Vectors per panel, and rows per kernel step. */
export const lanes = 4

/** Four interleaved vectors: entry i of vector v is at 4i + v. */
export type Panel = Float64Array

/** A panel of zeros for vectors of length `n`. */
export const emptyPanel = (n: number): Panel => new Float64Array(n * lanes)

/** Mᵀ X for every panel X of as many rows as M; one pass over M. Throws RangeError for a panel of another length. */
export function transposeTimes(matrix: Rows, panels: readonly Panel[]): Panel[] {
  checkLengths(panels, matrix.rows)
  const { short, long, parts, gather } = workspace(matrix, panels.length)
  short.fill(0)
  for (const part of parts()) {
    for (const [index, panel] of panels.entries()) {
      copyPart(panel, part, long)
      gather(part, index)
    }
  }
  const size = matrix.columns * lanes
  return panels.map((_, index) => short.slice(index * size, (index + 1) * size))
}

/** Adds M U to the panel of the same place for every panel U of as many rows as M has columns; one pass over M. */
export function addTimes(matrix: Rows, panels: readonly Panel[], into: readonly Panel[]): void {
  checkLengths(panels, matrix.columns)
  checkLengths(into, matrix.rows)
  const { short, long, parts, spread } = workspace(matrix, panels.length)
  for (const [index, panel] of panels.entries()) short.set(panel, index * panel.length)
  for (const part of parts()) {
    for (const [index, panel] of into.entries()) {
      copyPart(panel, part, long)
      spread(part, index)
      panel.set(long.subarray(0, (part.to - part.from) * lanes), part.from * lanes)
    }
  }
}

/** M U for every panel U, in new panels. */
export function timesPanels(matrix: Rows, panels: readonly Panel[]): Panel[] {
  const products = panels.map(() => emptyPanel(matrix.rows))
  addTimes(matrix, panels, products)
  return products
}

/** a (rows x inner) times b (inner x columns), row-major. */
export const product = (
  a: Float64Array,
  b: Float64Array,
  rows: number,
  inner: number,
  columns: number,
): Float64Array => {
  const panels = columnPanels({ data: b, rows: inner, columns })
  return fromPanels(timesPanels({ data: a, rows, columns: inner }, panels), rows, columns)
}

/** The same with the transpose of b (columns x inner). */
export const productWithTranspose = (
  a: Float64Array,
  b: Float64Array,
  rows: number,
  inner: number,
  columns: number,
): Float64Array => {
  const panels = panelsOf({ data: b, rows: columns, columns: inner })
  return fromPanels(timesPanels({ data: a, rows, columns: inner }, panels), rows, columns)
}

/** The transpose of a (inner x rows) times b (inner x columns), row-major. */
export const transposedProduct = (
  a: Float64Array,
  b: Float64Array,
  rows: number,
  inner: number,
  columns: number,
): Float64Array => {
  const panels = columnPanels({ data: b, rows: inner, columns })
  return fromPanels(transposeTimes({ data: a, rows: inner, columns: rows }, panels), rows, columns)
}

/** The vectors of panels as the columns of a row-major matrix. */
export function fromPanels(panels: readonly Panel[], rows: number, columns: number): Float64Array {
  const result = new Float64Array(rows * columns)
  for (const [p, panel] of panels.entries()) {
    const width = Math.min(lanes, columns - p * lanes)
    for (let row = 0, from = 0, to = p * lanes; row < rows; row++, from += lanes, to += columns)
      for (let v = 0; v < width; v++) result[to + v] = panel[from + v]!
  }
  return result
}

/** The columns of a matrix as panels; the last one is padded with 0. */
export function columnPanels({ data, rows, columns }: Rows): Panel[] {
  return Array.from({ length: Math.ceil(columns / lanes) }, (_, p) => {
    const panel = emptyPanel(rows)
    const width = Math.min(lanes, columns - p * lanes)
    for (let row = 0, at = p * lanes, to = 0; row < rows; row++, at += columns, to += lanes)
      for (let v = 0; v < width; v++) panel[to + v] = data[at + v]!
    return panel
  })
}

/** The rows of a matrix as panels; the last one is padded with 0. */
export function panelsOf({ data, rows, columns }: Rows): Panel[] {
  return Array.from({ length: Math.ceil(rows / lanes) }, (_, p) => {
    const panel = emptyPanel(columns)
    for (let row = lanes * p; row < Math.min(rows, lanes * (p + 1)); row++)
      for (let j = 0, at = row * columns, to = row - lanes * p; j < columns; j++, at++, to += lanes)
        panel[to] = data[at]!
    return panel
  })
}

/** One vector of a panel. */
export function columnOf(panel: Panel, lane: number): Float64Array {
  const column = new Float64Array(panel.length / lanes)
  for (let i = 0; i < column.length; i++) column[i] = panel[lanes * i + lane]!
  return column
}

/** 8-bit rows per kernel step, in two halves. */
const bytesRows = 2 * lanes

/** Inner products of 8-bit rows with 16-bit queries in 32 bits; `stride`, a multiple of 8, is their length. */
export function byteProducts(rows: number, stride: number, queries: number) {
  const height = bytesRows * Math.ceil(rows / bytesRows)
  const queriesAt = height * stride
  const productsAt = (height + 2 * queries) * stride
  const memory = memoryOf(productsAt + 4 * queries * height)
  const { dots } = kernelsOn(memory)
  const bytes = new Int8Array(memory.buffer, 0, height * stride)
  const words = new Int16Array(memory.buffer, queriesAt, queries * stride)
  return {
    /** Four rows are interleaved, eight numbers at a time. */
    setRow(row: number, numbers: ArrayLike<number>): void {
      const at = (row - (row % lanes)) * stride + 8 * (row % lanes)
      for (let c = 0; c < stride; c++) bytes[at + lanes * (c & ~7) + (c & 7)] = numbers[c]!
    },
    setQuery: (query: number, numbers: ArrayLike<number>): void => words.set(numbers, query * stride),
    /** The products of the query; `multiply` fills a range of rows. */
    products: (query: number) => new Int32Array(memory.buffer, productsAt + 4 * query * height, rows),
    multiply(query: number, from: number, to: number): void {
      const start = from - (from % bytesRows)
      if (stride === 0 || start >= to) return
      const count = bytesRows * Math.ceil((to - start) / bytesRows)
      dots(start * stride, stride, count, queriesAt + 2 * query * stride, productsAt + 4 * (query * height + start))
    },
  }
}

interface Part {
  readonly from: number
  readonly to: number
}

/** Block size: fits the L2 cache beside the short panels. */
const partBytes = 2 ** 17
const partRows = 2048

/** One memory shared by all products; contents last for one product. */
const sharedMemory = once(() => {
  const memory = memoryOf(0)
  return { memory, ...kernelsOn(memory) }
})

/** Buffers for a part of a long panel, `count` short panels, and a part of the matrix, which `parts` loads. */
function workspace({ data, rows, columns }: Rows, count: number) {
  const { memory, gather, spread } = sharedMemory()
  const height = Math.min(partRows, lanes * Math.max(1, Math.floor(partBytes / (8 * columns * lanes || 1))))
  const shortAt = height * lanes * 8
  const panelBytes = columns * lanes * 8
  const matrixAt = shortAt + count * panelBytes
  const missing = matrixAt + height * columns * 8 - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / page))
  const copy = new Float64Array(memory.buffer, matrixAt, height * columns)

  function* parts(): Generator<Part> {
    // kernels run at least one iteration
    if (columns === 0) return
    for (let from = 0; from < rows; from += height) {
      const to = Math.min(from + height, rows)
      copy.set(data.subarray(from * columns, to * columns))
      copy.fill(0, (to - from) * columns, roundUpToLanes(to - from) * columns)
      yield { from, to }
    }
  }
  const run =
    (kernel: Kernel) =>
    ({ from, to }: Part, index: number): void =>
      kernel(matrixAt, columns * 8, roundUpToLanes(to - from), columns, 0, shortAt + index * panelBytes)
  return {
    long: new Float64Array(memory.buffer, 0, height * lanes),
    short: new Float64Array(memory.buffer, shortAt, count * columns * lanes),
    parts,
    gather: run(gather),
    spread: run(spread),
  }
}

/** Copies a part of a long panel, padded with 0. */
function copyPart(panel: Panel, { from, to }: Part, long: Panel): void {
  long.set(panel.subarray(from * lanes, to * lanes))
  long.fill(0, (to - from) * lanes, roundUpToLanes(to - from) * lanes)
}

/** A short panel would read stale memory. */
function checkLengths(panels: readonly Panel[], n: number): void {
  for (const { length } of panels)
    if (length !== n * lanes) throw new RangeError(`a panel of ${length} numbers where ${n * lanes} are multiplied`)
}

const roundUpToLanes = (rows: number): number => lanes * Math.ceil(rows / lanes)

type Kernel = (matrix: number, stride: number, rows: number, columns: number, long: number, short: number) => void

interface Kernels {
  readonly gather: Kernel
  readonly spread: Kernel
  readonly dots: (matrix: number, stride: number, rows: number, query: number, products: number) => void
}

/** Bytes per page, and the page limit (4 GiB). */
const page = 2 ** 16
const mostPages = 2 ** 16

interface Memory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

/** The subset in use: TypeScript's library for Node lacks WebAssembly. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object
  readonly Instance: new (code: object, imports: object) => { readonly exports: object }
  readonly Memory: new (limits: { initial: number; maximum: number }) => Memory
}

const memoryOf = (bytes: number): Memory =>
  new WebAssembly.Memory({ initial: Math.max(1, Math.ceil(bytes / page)), maximum: mostPages })

const kernelsOn = (memory: Memory): Kernels =>
  // typed by kernels.wat
  new WebAssembly.Instance(code(), { env: { memory } }).exports as Kernels

/** kernels.wat, compiled by wat2wasm. */
const code = once(() => new WebAssembly.Module(readFileSync(new URL('kernels.wasm', import.meta.url))))
