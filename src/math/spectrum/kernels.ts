import {
  assemble,
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

/** Addresses and sizes in bytes but for the counts `rows` (a multiple of 4) and `columns`. */
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
 */
export type Kernels = Readonly<Record<'gather32' | 'gather64' | 'spread32' | 'spread64', Kernel>>

/** The kernels as code, for a memory of one thread or for one that is shared. */
export const compile = (shared: boolean): Module =>
  new WebAssembly.Module(assemble([gather(32), gather(64), spread(32), spread(64)], shared))

/** The kernels at work on a memory. */
export const kernels = (code: Module, memory: Memory): Kernels =>
  // the shape is that of the functions below
  new WebAssembly.Instance(code, { env: { memory } }).exports as Kernels

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

type Bits = 32 | 64

/** short[j] += M[i, j] long[i], with four rows of `long` held while j runs. */
const gather = (bits: Bits): Func =>
  kernel(`gather${bits}`, bits, ({ long, short, elements, panel }) => ({
    before: panel.map((half, i) => half.set(v128.load(long.get, 16 * i))),
    column: [0, 1].map((half) =>
      v128.store(
        short.get,
        16 * half,
        elements.reduce(
          (sum, element, row) => f64x2.add(sum, f64x2.mul(element.get, panel[2 * row + half]!.get)),
          v128.load(short.get, 16 * half),
        ),
      ),
    ),
    after: [],
  }))

/** long[i] += M[i, j] short[j], with four rows of `long` held while j runs. */
const spread = (bits: Bits): Func =>
  kernel(`spread${bits}`, bits, ({ long, short, elements, panel, pair }) => ({
    before: panel.map((half, i) => half.set(v128.load(long.get, 16 * i))),
    column: [
      ...pair.map((half, i) => half.set(v128.load(short.get, 16 * i))),
      ...panel.map((half, i) => half.set(f64x2.add(half.get, f64x2.mul(elements[i >> 1]!.get, pair[i % 2]!.get)))),
    ],
    after: panel.map((half, i) => v128.store(long.get, 16 * i, half.get)),
  }))

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
  bits: Bits,
  steps: (v: Variables) => Record<'before' | 'column' | 'after', Code[]>,
): Func {
  const params = locals('i32', 0, 6) as [Local, Local, Local, Local, Local, Local]
  const [matrix, stride, rows, columns, long, shortStart] = params
  const [short, end, ...at] = locals('i32', 6, 6) as [Local, Local, ...Local[]]
  const vectors = locals('v128', 12, 14)
  const [elements, panel, pair] = [vectors.slice(0, 4), vectors.slice(4, 12), vectors.slice(12)]
  const { before, column, after } = steps({ long, short, elements, panel, pair })
  const size = bits / 8
  const move = (local: Local, bytes: number): Code => local.set(i32.add(local.get, i32.const(bytes)))
  const body = repeatWhile(
    rows.get,
    ...before,
    ...at.map((row, i) => row.set(i32.add(matrix.get, i32.mul(stride.get, i32.const(i))))),
    end.set(i32.add(matrix.get, i32.mul(columns.get, i32.const(size)))),
    short.set(shortStart.get),
    repeatWhile(
      i32.lessThan(at[0]!.get, end.get),
      ...elements.map((element, i) => element.set((bits === 32 ? f64x2.splat32 : f64x2.splat64)(at[i]!.get))),
      ...column,
      ...at.map((row) => move(row, size)),
      move(short, 8 * lanes),
    ),
    ...after,
    matrix.set(i32.add(matrix.get, i32.mul(stride.get, i32.const(lanes)))),
    move(long, 8 * lanes * lanes),
    move(rows, -lanes),
  )
  return { name, params, locals: [short, end, ...at, ...vectors], body }
}
