import { slices } from '../../basics/slices.ts'
import { highest } from '../highest.ts'
import { exportsOf, lanes, memoryOf, moduleOf, type Module } from '../wasm/kernels.ts'
import { shareOut } from '../wasm/threads.ts'
import { newMemoryId } from '../wasm/wasm-matrix.ts'
import { byteKernel, columnsAtOnce, type ByteKernel } from './byte-kernel.ts'
import { quantised, type Quantised } from './quantise.ts'

/** Of each query, rows in rising order; undefined where 8 bits cannot tell. */
type Likely = readonly (Uint32Array | undefined)[]

/** A look at inner products that leaves few rows to be looked at exactly. */
export interface Screen {
  /** The rows that can be among the k with the largest inner products. */
  readonly best: (queries: readonly Float32Array[], k: number) => Likely
  /** The rows, from one on, whose inner products can reach a score. */
  readonly reaching: (queries: readonly Float32Array[], score: number, from: number) => Likely
}

/** Queries that are multiplied in one go. */
const mostQueries = 16
/** Bytes of rows that stay in a first-level cache while queries pass. */
const partBytes = 24_000
/** Multiplications from which on other threads help: they take time to wake. */
const fewestShared = 2 ** 22
/** The largest whole numbers of a row and of a query: what they sum to fits 32 bits. */
const mostOfRow = 127
const mostOfQuery = (columns: number): number => Math.min(32_767, Math.floor((2 ** 31 - 1) / (mostOfRow * columns)))
/** Roundings in 64 bits, generously, as a part of the lengths. */
const rounding = 1e-9

let code: Module | undefined

/**
 * Keeps the rows a second time, in 8 bits, and multiplies on several threads. The error of each product is bounded by the lengths of what was
 * rounded off (Cauchy and Schwarz), so that no row is missed. Undefined for rows with a number that is not finite.
 */
export function screenOf(data: Float32Array, rows: number, columns: number): Screen | undefined {
  const stride = columnsAtOnce * Math.ceil(columns / columnsAtOnce)
  const height = lanes * Math.ceil(rows / lanes)
  const [queriesAt, productStride] = [height * stride, height * 4]
  const productsAt = queriesAt + mostQueries * stride * 2
  const memory = memoryOf(productsAt + mostQueries * productStride, true)
  const { scales, errors, lengths } = quantised(data, columns, stride, mostOfRow, new Int8Array(memory.buffer))
  if (!lengths.every(Number.isFinite)) return undefined
  code ??= moduleOf([byteKernel('one', 1), byteKernel('two', 2)], true)
  const run = exportsOf(code, memory) as Readonly<Record<'one' | 'two', ByteKernel>>
  const id = newMemoryId()
  const asked = new Int16Array(memory.buffer, queriesAt, mostQueries * stride)
  const found = new Int32Array(memory.buffer, productsAt, mostQueries * height)
  const [least, spread] = [new Float64Array(rows), new Float64Array(rows)]

  /** Multiplies all rows from one on. */
  function multiply(queries: readonly Float32Array[], first: number) {
    const together = new Float32Array(queries.length * columns)
    queries.forEach((query, q) => together.set(query, q * columns))
    const name = queries.length === 1 ? 'one' : 'two'
    const count = name === 'one' ? 1 : 2 * Math.ceil(queries.length / 2)
    const step = name === 'one' ? height / 16 : partBytes / stride
    const part = lanes * Math.max(1, Math.ceil(step / lanes))
    const start = first - (first % lanes)
    const calls = Array.from({ length: Math.ceil((height - start) / part) }, (_, index): Parameters<ByteKernel> => {
      const from = start + index * part
      const rows = Math.min(part, height - from)
      return [from * stride, rows, stride, queriesAt, count, productsAt + 4 * from, productStride]
    })
    const words = quantised(together, columns, stride, mostOfQuery(columns), asked)
    if ((height - start) * stride * count < fewestShared) for (const given of calls) run[name](...given)
    else shareOut({ code: code!, memory, id, name, calls }, run[name])
    return words
  }

  /** Lower bounds of the inner products of a query with all rows from one on, and what the upper ones have more. */
  function bounds(words: Quantised<Int16Array>, q: number, first: number): void {
    const at = q * height
    const [scale, error, length] = [words.scales[q]!, words.errors[q]!, words.lengths[q]!]
    for (let row = first; row < rows; row++) {
      const kept = lengths[row]! + errors[row]!
      const bound = length * (errors[row]! + rounding * kept) + error * kept
      least[row] = scales[row]! * scale * found[at + row]! - bound
      spread[row] = 2 * bound
    }
  }

  /** Of each query, the rows from one on that can reach a score, which may depend on the lower bounds. */
  function likely(queries: readonly Float32Array[], first: number, scoreOf: () => number): Likely {
    return [...slices(queries, mostQueries)].flatMap((some) => {
      const words = multiply(some, first)
      return some.map((_, q) => {
        bounds(words, q, first)
        const score = scoreOf()
        return Number.isFinite(score) && Number.isFinite(words.lengths[q])
          ? rowsFrom(least, spread, score, first)
          : undefined
      })
    })
  }

  return {
    best: (queries, k) => likely(queries, 0, () => highest(least, k).at(-1)?.score ?? NaN),
    reaching: (queries, score, from) => likely(queries, from, () => score),
  }
}

/** The rows from one on that can reach a score. */
function rowsFrom(least: Float64Array, spread: Float64Array, score: number, first: number): Uint32Array {
  const rows: number[] = []
  for (let row = first; row < least.length; row++) if (least[row]! + spread[row]! >= score) rows.push(row)
  return Uint32Array.from(rows)
}
