import { memoise } from '../../basics/memoise.ts'
import {
  assemble,
  f32x4,
  f64x2,
  i32,
  locals,
  mostPages,
  repeatWhile,
  v128,
  type Code,
  type Func,
  type Local,
} from './assembler.ts'

/** Rows that one pass of a kernel takes together, and vectors that stand side by side in a panel. */
export const lanes = 4

/** Vectors of 32 bits in a panel. */
export const screenLanes = 2 * lanes

/** Addresses and sizes in bytes but for the counts `rows` (a multiple of 4, save for `group` and `place`) and `columns`. */
export type Kernel = (
  matrix: number,
  stride: number,
  rows: number,
  columns: number,
  long: number,
  short: number,
) => void

/**
 * The two products that everything here is made of, for M of 32- or 64-bit numbers, rows x columns, and panels of 64-bit
 * numbers, four to a row: `gather`, short += Mᵀ long, and `spread`, long += M short. Sums are in doubles, always in the same order.
 * `screen` is a spread in 32 bits, where a panel of the same bytes holds eight vectors: quick, and right to about seven digits.
 * `group` adds every row of M to the row of `short` that begins as many bytes on as `long` says, in a 32-bit number for each.
 * `place` puts the rows of `long` into the first four columns of M.
 */
export type Kernels = Readonly<
  Record<'gather32' | 'gather64' | 'spread32' | 'spread64' | 'screen32' | 'group32' | 'place64', Kernel>
>

/** The kernels as code, for a memory of one thread or for one that is shared. */
export const compile = memoise((shared: boolean): Module =>
  moduleOf(
    [
      gather('gather32', doubles32),
      gather('gather64', doubles64),
      spread('spread32', doubles32),
      spread('spread64', doubles64),
      spread('screen32', floats),
      group32(),
      place64(),
    ],
    shared,
  ),
)

/** The kernels at work on a memory. */
export const kernels = (code: Module, memory: Memory): Kernels =>
  // the shape is that of the functions below
  exportsOf(code, memory) as Kernels

/** Functions as code. */
export const moduleOf = (functions: readonly Func[], shared: boolean): Module =>
  new WebAssembly.Module(assemble(functions, shared))

/** Functions at work on a memory. */
export const exportsOf = (code: Module, memory: Memory): object =>
  new WebAssembly.Instance(code, { env: { memory } }).exports

/** A memory of at least so many bytes, all 0. */
export function memoryOf(bytes: number, shared: boolean): Memory {
  const initial = Math.ceil(bytes / page)
  return new WebAssembly.Memory({ initial, maximum: shared ? initial : mostPages, shared })
}

/** Bytes by which a memory grows. */
export const page = 2 ** 16

export type Module = object

export interface Memory {
  readonly buffer: ArrayBuffer
  grow(pages: number): number
}

/** The part of the platform's API that is used: the language's own library does not describe it. */
declare const WebAssembly: {
  readonly Module: new (code: Uint8Array<ArrayBuffer>) => Module
  readonly Instance: new (code: Module, imports: object) => { readonly exports: object }
  readonly Memory: new (limits: { initial: number; maximum: number; shared: boolean }) => Memory
}

/** What a matrix holds, and in what it is multiplied. */
interface Arithmetic {
  readonly bytes: number
  /** A number of the matrix in all places of a vector. */
  readonly splat: (address: Code) => Code
  readonly add: (a: Code, b: Code) => Code
  readonly mul: (a: Code, b: Code) => Code
}

const doubles32: Arithmetic = { ...f64x2, bytes: 4, splat: f64x2.splat32 }
const doubles64: Arithmetic = { ...f64x2, bytes: 8, splat: f64x2.splat64 }
const floats: Arithmetic = { ...f32x4, bytes: 4 }

/** short[j] += M[i, j] long[i], with four rows of `long` held while j runs. */
const gather = (name: string, numbers: Arithmetic): Func =>
  kernel(name, numbers, ({ long, short, elements, panel }) => ({
    before: panel.map((half, i) => half.set(v128.load(long.get, 16 * i))),
    column: [0, 1].map((half) =>
      v128.store(
        short.get,
        16 * half,
        elements.reduce(
          (sum, element, row) => numbers.add(sum, numbers.mul(element.get, panel[2 * row + half]!.get)),
          v128.load(short.get, 16 * half),
        ),
      ),
    ),
    after: [],
  }))

/** long[i] += M[i, j] short[j], with four rows of `long` held while j runs. */
const spread = (name: string, numbers: Arithmetic): Func =>
  kernel(name, numbers, ({ long, short, elements, panel, pair }) => ({
    before: panel.map((half, i) => half.set(v128.load(long.get, 16 * i))),
    column: [
      ...pair.map((half, i) => half.set(v128.load(short.get, 16 * i))),
      ...panel.map((half, i) => half.set(numbers.add(half.get, numbers.mul(elements[i >> 1]!.get, pair[i % 2]!.get)))),
    ],
    after: panel.map((half, i) => v128.store(long.get, 16 * i, half.get)),
  }))

/** short[long[i] + j] += M[i, j], four columns at a time: the rows of `short` are filled up to a multiple of four. */
function group32(): Func {
  const params = locals('i32', 0, 6) as [Local, Local, Local, Local, Local, Local]
  const [matrix, stride, rows, columns, long, short] = params
  const [at, end, to] = locals('i32', 6, 3) as [Local, Local, Local]
  const move = (local: Local, by: Code): Code => local.set(i32.add(local.get, by))
  const body = repeatWhile(
    rows.get,
    at.set(matrix.get),
    end.set(i32.add(matrix.get, i32.mul(columns.get, i32.const(4)))),
    to.set(i32.add(short.get, i32.load(long.get, 0))),
    repeatWhile(
      i32.lessThan(at.get, end.get),
      ...[0, 1].map((half) =>
        v128.store(to.get, 16 * half, f64x2.add(v128.load(to.get, 16 * half), f64x2.load32(at.get, 8 * half))),
      ),
      move(at, i32.const(16)),
      move(to, i32.const(32)),
    ),
    move(matrix, stride.get),
    move(long, i32.const(4)),
    move(rows, i32.const(-1)),
  )
  return { name: 'group32', params, locals: [at, end, to], body }
}

/** M[i, j] = long[i, j]. */
function place64(): Func {
  const params = locals('i32', 0, 6) as [Local, Local, Local, Local, Local, Local]
  const [matrix, stride, rows, , long] = params
  const body = repeatWhile(
    rows.get,
    ...[0, 1].map((half) => v128.store(matrix.get, 16 * half, v128.load(long.get, 16 * half))),
    matrix.set(i32.add(matrix.get, stride.get)),
    long.set(i32.add(long.get, i32.const(8 * lanes))),
    rows.set(i32.add(rows.get, i32.const(-1))),
  )
  return { name: 'place64', params, locals: [], body }
}

interface Variables {
  readonly long: Local
  /** The row of the short panel that belongs to the column. */
  readonly short: Local
  /** M[i, j] of the four rows, in both places. */
  readonly elements: readonly Local[]
  /** Four rows of the long panel, in eight halves. */
  readonly panel: readonly Local[]
  readonly pair: readonly Local[]
}

/** For every four rows: `before`, then `column` for every column, then `after`. */
function kernel(
  name: string,
  { bytes, splat }: Arithmetic,
  steps: (v: Variables) => Record<'before' | 'column' | 'after', Code[]>,
): Func {
  const params = locals('i32', 0, 6) as [Local, Local, Local, Local, Local, Local]
  const [matrix, stride, rows, columns, long, shortStart] = params
  const [short, end, ...at] = locals('i32', 6, 6) as [Local, Local, ...Local[]]
  const vectors = locals('v128', 12, 14)
  const [elements, panel, pair] = [vectors.slice(0, 4), vectors.slice(4, 12), vectors.slice(12)]
  const { before, column, after } = steps({ long, short, elements, panel, pair })
  const move = (local: Local, by: number): Code => local.set(i32.add(local.get, i32.const(by)))
  const body = repeatWhile(
    rows.get,
    ...before,
    ...at.map((row, i) => row.set(i32.add(matrix.get, i32.mul(stride.get, i32.const(i))))),
    end.set(i32.add(matrix.get, i32.mul(columns.get, i32.const(bytes)))),
    short.set(shortStart.get),
    repeatWhile(
      i32.lessThan(at[0]!.get, end.get),
      ...elements.map((element, i) => element.set(splat(at[i]!.get))),
      ...column,
      ...at.map((row) => move(row, bytes)),
      move(short, 8 * lanes),
    ),
    ...after,
    matrix.set(i32.add(matrix.get, i32.mul(stride.get, i32.const(lanes)))),
    move(long, 8 * lanes * lanes),
    move(rows, -lanes),
  )
  return { name, params, locals: [short, end, ...at, ...vectors], body }
}
