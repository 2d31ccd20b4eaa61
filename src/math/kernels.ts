import { once } from '../basics/memoise.ts'

/** A matrix, row after row. */
export interface Rows {
  readonly data: Float32Array | Float64Array
  readonly rows: number
  readonly columns: number
}

/** Vectors that stand side by side in a panel, and rows that a kernel takes together. */
export const lanes = 4

/** Four vectors side by side: entry i of vector v is at 4i + v. */
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

/** M U for every panel U, in panels of their own. */
export function timesPanels(matrix: Rows, panels: readonly Panel[]): Panel[] {
  const products = panels.map(() => emptyPanel(matrix.rows))
  addTimes(matrix, panels, products)
  return products
}

/** a (rows x inner) times b (inner x columns), row after row, into the numbers of `result`, or new ones. */
export const product = (
  a: Float64Array,
  b: Float64Array,
  rows: number,
  inner: number,
  columns: number,
  result?: Float64Array,
): Float64Array => {
  const panels = columnPanels({ data: b, rows: inner, columns })
  return unpanelled(timesPanels({ data: a, rows, columns: inner }, panels), rows, columns, result)
}

/** The same with the transpose of b (columns x inner). */
export const productTransposed = (
  a: Float64Array,
  b: Float64Array,
  rows: number,
  inner: number,
  columns: number,
  result?: Float64Array,
): Float64Array => {
  const panels = panelsOf({ data: b, rows: columns, columns: inner })
  return unpanelled(timesPanels({ data: a, rows, columns: inner }, panels), rows, columns, result)
}

/** The vectors of panels as the columns of a matrix, row after row. */
export function unpanelled(
  panels: readonly Panel[],
  rows: number,
  columns: number,
  result: Float64Array = new Float64Array(rows * columns),
): Float64Array {
  for (const [p, panel] of panels.entries()) {
    const width = Math.min(lanes, columns - p * lanes)
    for (let row = 0, from = 0, to = p * lanes; row < rows; row++, from += lanes, to += columns)
      for (let v = 0; v < width; v++) result[to + v] = panel[from + v]!
  }
  return result
}

/** The columns of a matrix as the vectors of panels; what the last panel lacks is 0. */
export function columnPanels({ data, rows, columns }: Rows): Panel[] {
  return Array.from({ length: Math.ceil(columns / lanes) }, (_, p) => {
    const panel = emptyPanel(rows)
    const width = Math.min(lanes, columns - p * lanes)
    for (let row = 0, at = p * lanes, to = 0; row < rows; row++, at += columns, to += lanes)
      for (let v = 0; v < width; v++) panel[to + v] = data[at + v]!
    return panel
  })
}

/** The rows of a matrix as the vectors of panels; what the last panel lacks is 0. */
export function panelsOf({ data, rows, columns }: Rows): Panel[] {
  return Array.from({ length: Math.ceil(rows / lanes) }, (_, p) => {
    const panel = emptyPanel(columns)
    for (let row = lanes * p; row < Math.min(rows, lanes * (p + 1)); row++)
      for (let j = 0, at = row * columns, to = row - lanes * p; j < columns; j++, at++, to += lanes)
        panel[to] = data[at]!
    return panel
  })
}

/** One of the four vectors of a panel, by itself. */
export function columnOf(panel: Panel, lane: number): Float64Array {
  const column = new Float64Array(panel.length / lanes)
  for (let i = 0; i < column.length; i++) column[i] = panel[lanes * i + lane]!
  return column
}

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

/** Rows of 8-bit whole numbers that are multiplied together, in two halves of four or more. */
const bytesRows = 2 * lanes

/**
 * Room for rows of 8-bit whole numbers, queries of 16 bits, each `stride` numbers long, a multiple of 8, and products
 * of 32 bits.
 */
export function byteProducts(rows: number, stride: number, queries: number) {
  const height = bytesRows * Math.ceil(rows / bytesRows)
  const [queriesAt, productsAt] = [height * stride, (height + 2 * queries) * stride]
  const memory = memoryOf(productsAt + 4 * queries * height)
  const { dots } = kernelsOn(memory)
  const bytes = new Int8Array(memory.buffer, 0, height * stride)
  const words = new Int16Array(memory.buffer, queriesAt, queries * stride)
  return {
    /** Four rows stand together, eight numbers of each in turn. */
    setRow(row: number, numbers: ArrayLike<number>): void {
      const at = (row - (row % lanes)) * stride + 8 * (row % lanes)
      for (let c = 0; c < stride; c++) bytes[at + lanes * (c & ~7) + (c & 7)] = numbers[c]!
    },
    setQuery: (query: number, numbers: ArrayLike<number>): void => words.set(numbers, query * stride),
    /** The products of the query with the rows from one on, up to another, stand where the whole of them would. */
    products: (query: number) => new Int32Array(memory.buffer, productsAt + 4 * query * height, rows),
    multiply(query: number, from: number, to: number): void {
      const start = from - (from % bytesRows)
      if (stride === 0 || start >= to) return
      const count = bytesRows * Math.ceil((to - start) / bytesRows)
      dots(start * stride, stride, count, queriesAt + 2 * query * stride, productsAt + 4 * (query * height + start))
    },
  }
}

/** Rows of a matrix that are multiplied together. */
interface Part {
  readonly from: number
  readonly to: number
}

/** What is worked on at a time: small enough for a second-level cache, beside the short panels. */
const [partBytes, partRows] = [2 ** 17, 2048]

/** One memory for all products: nothing in it outlives one. */
const shared = once(() => {
  const memory = memoryOf(0)
  return { memory, ...kernelsOn(memory) }
})

/** Room for a part of a long panel, for `count` short panels, and for a part of the matrix, which `parts` loads. */
function workspace({ data, rows, columns }: Rows, count: number) {
  const { memory, gather, spread } = shared()
  const height = Math.min(partRows, lanes * Math.max(1, Math.floor(partBytes / (8 * columns * lanes || 1))))
  const [shortAt, panelBytes] = [height * lanes * 8, columns * lanes * 8]
  const matrixAt = shortAt + count * panelBytes
  const missing = matrixAt + height * columns * 8 - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / page))
  const copy = new Float64Array(memory.buffer, matrixAt, height * columns)

  function* parts(): Generator<Part> {
    // a kernel goes round at least once
    if (columns === 0) return
    for (let from = 0; from < rows; from += height) {
      const to = Math.min(from + height, rows)
      copy.set(data.subarray(from * columns, to * columns))
      copy.fill(0, (to - from) * columns, filledUp(to - from) * columns)
      yield { from, to }
    }
  }
  const run =
    (kernel: Kernel) =>
    ({ from, to }: Part, index: number): void =>
      kernel(matrixAt, columns * 8, filledUp(to - from), columns, 0, shortAt + index * panelBytes)
  return {
    long: new Float64Array(memory.buffer, 0, height * lanes),
    short: new Float64Array(memory.buffer, shortAt, count * columns * lanes),
    parts,
    gather: run(gather),
    spread: run(spread),
  }
}

/** The part of a long panel; what fills up its last four rows is 0. */
function copyPart(panel: Panel, { from, to }: Part, long: Panel): void {
  long.set(panel.subarray(from * lanes, to * lanes))
  long.fill(0, (to - from) * lanes, filledUp(to - from) * lanes)
}

/** The memory holds what earlier products left: a short panel would read it. */
function checkLengths(panels: readonly Panel[], n: number): void {
  for (const { length } of panels)
    if (length !== n * lanes) throw new RangeError(`a panel of ${length} numbers where ${n * lanes} are multiplied`)
}

const filledUp = (rows: number): number => lanes * Math.ceil(rows / lanes)

type Kernel = (matrix: number, stride: number, rows: number, columns: number, long: number, short: number) => void

interface Kernels {
  readonly gather: Kernel
  readonly spread: Kernel
  readonly dots: (matrix: number, stride: number, rows: number, query: number, products: number) => void
}

/** Bytes by which a memory grows, and how many pages it may have: 4 GiB. */
const [page, mostPages] = [2 ** 16, 2 ** 16]

interface Memory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

/** The part of the platform's API that is used: the language's own library does not describe it. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array) => object
  readonly Instance: new (code: object, imports: object) => { readonly exports: object }
  readonly Memory: new (limits: { initial: number; maximum: number }) => Memory
}

const memoryOf = (bytes: number): Memory =>
  new WebAssembly.Memory({ initial: Math.max(1, Math.ceil(bytes / page)), maximum: mostPages })

const kernelsOn = (memory: Memory): Kernels =>
  // the shape is that of the functions in kernels.wat
  new WebAssembly.Instance(code(), { env: { memory } }).exports as Kernels

const code = once(() => new WebAssembly.Module(Buffer.from(assembled.join(''), 'base64')))

/** What wat2wasm makes of kernels.wat. */
const assembled = [
  'AGFzbQEAAAABEgJgBn9/f39/fwBgBX9/f39/AAISAQNlbnYGbWVtb3J5AgEBgIAEAwQDAAABBxoDBnNwcmVhZAAABmdhdGhlcgABBGRvdHMAAgqtCw',
  'OYAwIGfwt7A0AgBP0ABAAhDCAE/QAEECENIAT9AAQgIQ4gBP0ABDAhDyAE/QAEQCEQIAT9AARQIREgBP0ABGAhEiAE/QAEcCETIAAhBiAGIAFqIQcg',
  'ByABaiEIIAggAWohCSAAIANBA3RqIQogBSELA0AgC/0ABAAhFCAL/QAEECEVIAb9CgMAIRYgDCAWIBT98gH98AEhDCANIBYgFf3yAf3wASENIAf9Cg',
  'MAIRYgDiAWIBT98gH98AEhDiAPIBYgFf3yAf3wASEPIAj9CgMAIRYgECAWIBT98gH98AEhECARIBYgFf3yAf3wASERIAn9CgMAIRYgEiAWIBT98gH9',
  '8AEhEiATIBYgFf3yAf3wASETIAZBCGohBiAHQQhqIQcgCEEIaiEIIAlBCGohCSALQSBqIQsgBiAKSQ0ACyAEIAz9CwQAIAQgDf0LBBAgBCAO/QsEIC',
  'AEIA/9CwQwIAQgEP0LBEAgBCAR/QsEUCAEIBL9CwRgIAQgE/0LBHAgACABQQJ0aiEAIARBgAFqIQQgAkEEayICDQALC8ACAgZ/DHsDQCAE/QAEACEM',
  'IAT9AAQQIQ0gBP0ABCAhDiAE/QAEMCEPIAT9AARAIRAgBP0ABFAhESAE/QAEYCESIAT9AARwIRMgACEGIAYgAWohByAHIAFqIQggCCABaiEJIAAgA0',
  'EDdGohCiAFIQsDQCAG/QoDACEUIAf9CgMAIRUgCP0KAwAhFiAJ/QoDACEXIAsgC/0ABAAgFCAM/fIB/fABIBUgDv3yAf3wASAWIBD98gH98AEgFyAS',
  '/fIB/fAB/QsEACALIAv9AAQQIBQgDf3yAf3wASAVIA/98gH98AEgFiAR/fIB/fABIBcgE/3yAf3wAf0LBBAgBkEIaiEGIAdBCGohByAIQQhqIQggCU',
  'EIaiEJIAtBIGohCyAGIApJDQALIAAgAUECdGohACAEQYABaiEEIAJBBGsiAg0ACwvOBQIEfwl7IAJBAXYhAiAAIAIgAWxqIQUgBCACQQJ0aiEGIAMg',
  'AUEBdGohBwNA/QwAAAAAAAAAAAAAAAAAAAAAIQr9DAAAAAAAAAAAAAAAAAAAAAAhC/0MAAAAAAAAAAAAAAAAAAAAACEM/QwAAAAAAAAAAAAAAAAAAA',
  'AAIQ39DAAAAAAAAAAAAAAAAAAAAAAhDv0MAAAAAAAAAAAAAAAAAAAAACEP/QwAAAAAAAAAAAAAAAAAAAAAIRD9DAAAAAAAAAAAAAAAAAAAAAAhESAD',
  'IQgDQCAI/QAEACEJIAogAP0BAwAgCf26Af2uASEKIAsgAP0BAwggCf26Af2uASELIAwgAP0BAxAgCf26Af2uASEMIA0gAP0BAxggCf26Af2uASENIA',
  '4gBf0BAwAgCf26Af2uASEOIA8gBf0BAwggCf26Af2uASEPIBAgBf0BAxAgCf26Af2uASEQIBEgBf0BAxggCf26Af2uASERIABBIGohACAFQSBqIQUg',
  'CEEQaiEIIAggB0kNAAsgCiAL/Q0AAQIDEBESEwQFBgcUFRYXIAogC/0NCAkKCxgZGhsMDQ4PHB0eH/2uASEJIAwgDf0NAAECAxAREhMEBQYHFBUWFy',
  'AMIA39DQgJCgsYGRobDA0ODxwdHh/9rgEhDCAEIAkgDP0NAAECAwQFBgcQERITFBUWFyAJIAz9DQgJCgsMDQ4PGBkaGxwdHh/9rgH9CwQAIARBEGoh',
  'BCAOIA/9DQABAgMQERITBAUGBxQVFhcgDiAP/Q0ICQoLGBkaGwwNDg8cHR4f/a4BIQkgECAR/Q0AAQIDEBESEwQFBgcUFRYXIBAgEf0NCAkKCxgZGh',
  'sMDQ4PHB0eH/2uASEQIAYgCSAQ/Q0AAQIDBAUGBxAREhMUFRYXIAkgEP0NCAkKCwwNDg8YGRobHB0eH/2uAf0LBAAgBkEQaiEGIAJBBGsiAg0ACws=',
]
