import { shareOut } from './threads.ts'
import { compile, kernels, lanes, memoryOf, type Kernel, type Kernels, type Memory } from './kernels.ts'
import type { Panel, Rows } from './panel.ts'

/** A matrix that lies in a memory of its own, with room for a panel beside it: kernels work on it in place, on several threads. */
interface WasmMatrix {
  readonly id: number
  readonly rows: number
  /** Numbers from one row to the next. */
  readonly columns: number
  readonly memory: Memory
  readonly run: Kernels
  /** Numbers of panels as long as the matrix, and of one as wide for every part. */
  readonly long: Float64Array
  readonly short: Float64Array
}

/** Numbers from which on a matrix is worth a memory. */
const usualFewest = 2 ** 20
/** Parts of rows, the same whatever the number of threads, so that sums are always taken in the same order. */
const mostParts = 32
/** What a memory may take; the largest matrices are multiplied part by part. */
const mostBytes = 2 ** 31

const matrices = new WeakMap<Rows['data'], WasmMatrix>()

let count = 0

/** A number that tells a memory from others. */
export const newMemoryId = (): number => count++

/**
 * Numbers for a matrix, all 0. From `fewest` on they are put where products are quick: in a memory that several threads see. `panels`
 * can be multiplied at once by `screen`.
 */
export function allocateNumbers<T extends Float32ArrayConstructor | Float64ArrayConstructor>(
  Numbers: T,
  rows: number,
  columns: number,
  panels?: number,
  fewest?: number,
): InstanceType<T>
export function allocateNumbers(
  Numbers: Float32ArrayConstructor | Float64ArrayConstructor,
  rows: number,
  columns: number,
  panels = 1,
  fewest = usualFewest,
) {
  const height = filledUp(rows)
  const longAt = height * columns * Numbers.BYTES_PER_ELEMENT
  const shortAt = longAt + panels * height * lanes * 8
  const shorts = Math.max(mostParts, panels)
  const bytes = shortAt + shorts * columns * lanes * 8
  if (rows * columns < fewest || bytes > mostBytes) return new Numbers(rows * columns)
  const memory = memoryOf(bytes, true)
  const data = new Numbers(memory.buffer, 0, rows * columns)
  matrices.set(data, {
    id: newMemoryId(),
    rows,
    columns,
    memory,
    run: kernels(compile(true), memory),
    long: new Float64Array(memory.buffer, longAt, panels * height * lanes),
    short: new Float64Array(memory.buffer, shortAt, shorts * columns * lanes),
  })
  return data
}

/** The products with a matrix from `allocateNumbers`, of all its rows; undefined for any other. */
export function wasmProducts({ data, rows, columns, stride = columns }: Rows) {
  const resident = matrices.get(data)
  if (resident?.rows !== rows || resident.columns !== stride || columns === 0) return undefined
  const { id, memory, run, long, short } = resident
  const size = columns * lanes
  const height = lanes * Math.ceil(rows / lanes / mostParts)
  const bits = data.BYTES_PER_ELEMENT === 4 ? 32 : 64
  const starts = Array.from({ length: Math.ceil(rows / height) }, (_, part) => part * height)

  /** Part after part, and for every part all the panels, so that the part stays in a cache. */
  function everyPart(name: keyof Kernels, panels: number, shortOf: (part: number, panel: number) => number): void {
    const rowBytes = stride * data.BYTES_PER_ELEMENT
    const calls = starts.flatMap((from, part) =>
      Array.from({ length: panels }, (_, panel): Parameters<Kernel> => [
        from * rowBytes,
        rowBytes,
        filledUp(Math.min(height, rows - from)),
        columns,
        long.byteOffset + (panel * filledUp(rows) + from) * lanes * 8,
        short.byteOffset + shortOf(part, panel) * size * 8,
      ]),
    )
    shareOut({ id, code: compile(true), memory, name, calls }, run[name])
  }

  /** What fills up to a multiple of four rows may hold what an earlier product left. */
  function write(panel: Panel): void {
    long.set(panel)
    long.fill(0, panel.length, filledUp(rows) * lanes)
  }

  return {
    /** Mᵀ times the panel. */
    gather: (panel: Panel): Panel => {
      write(panel)
      short.fill(0, 0, starts.length * size)
      everyPart(`gather${bits}`, 1, (part) => part)
      const sum = short.slice(0, size)
      for (let part = 1; part < starts.length; part++) {
        for (let at = 0; at < size; at++) sum[at]! += short[part * size + at]!
      }
      return sum
    },
    /** Adds M times the panel. */
    spread: (panel: Panel, into: Panel): void => {
      write(into)
      short.set(panel)
      everyPart(`spread${bits}`, 1, () => 0)
      into.set(long.subarray(0, into.length))
    },
    /** M times panels of eight vectors, all of 32 bits; there is room for no more panels at once than `allocateNumbers` was told. */
    screen: (panels: readonly Float32Array[], into: readonly Float32Array[]): void => {
      const numbers = panels.length * filledUp(rows) * lanes
      if (bits !== 32 || numbers > long.length) throw new RangeError(`no room for ${panels.length} panels of 32 bits`)
      long.fill(0, 0, numbers)
      panels.forEach((panel, p) => {
        new Float32Array(memory.buffer, short.byteOffset + p * size * 8, panel.length).set(panel)
      })
      everyPart('screen32', panels.length, (_, panel) => panel)
      into.forEach((panel, p) => {
        panel.set(new Float32Array(memory.buffer, long.byteOffset + p * filledUp(rows) * lanes * 8, panel.length))
      })
    },
    /** The sums of the rows of 32-bit numbers that have the same label, added row after row; undefined where there is no room for them. */
    group: (labels: Uint32Array, groups: number): Rows | undefined => {
      const width = filledUp(columns)
      if (bits !== 32 || groups * width > short.length) return undefined
      const offsets = new Uint32Array(memory.buffer, long.byteOffset, rows)
      for (let row = 0; row < rows; row++) offsets[row] = labels[row]! * width * 8
      short.fill(0, 0, groups * width)
      run.group32(0, stride * 4, rows, columns, long.byteOffset, short.byteOffset)
      return { data: short.slice(0, groups * width), rows: groups, columns, stride: width }
    },
  }
}

const filledUp = (rows: number): number => lanes * Math.ceil(rows / lanes)
