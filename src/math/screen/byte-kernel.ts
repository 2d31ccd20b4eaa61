import { bytes, i32, integers, locals, repeatWhile, v128, type Code, type Func, type Local } from '../wasm/assembler.ts'
import { lanes } from '../wasm/kernels.ts'

/** Columns that one turn of the kernel takes: a stride is a multiple of it. */
export const columnsAtOnce = 16

/** Addresses and sizes in bytes but for the counts: `rows`, a multiple of 4, and `queries`, a multiple of what the kernel takes at once. */
export type ByteKernel = (
  matrix: number,
  rows: number,
  stride: number,
  queries: number,
  count: number,
  products: number,
  productStride: number,
) => void

/**
 * The inner products of rows of 8-bit whole numbers with queries of 16-bit ones, in 32 bits: those of a query with all rows stand together.
 * A query is as long as a row has columns; `atOnce` of them are multiplied with four rows while these are at hand.
 */
export function byteKernel(name: string, atOnce: 1 | 2): Func {
  const params = locals('i32', 0, 7) as [Local, Local, Local, Local, Local, Local, Local]
  const [matrix, rows, stride, queries, count, products, productStride] = params
  const [row, left, to, end, ...pointers] = locals('i32', 7, 6 + lanes) as [Local, Local, Local, Local, ...Local[]]
  const [at, asked] = [pointers.slice(0, lanes), pointers.slice(lanes, lanes + atOnce)]
  const vectors = locals('v128', 13 + lanes, lanes + 1 + lanes * atOnce)
  const [elements, query, sums] = [vectors.slice(0, lanes), vectors[lanes]!, vectors.slice(lanes + 1)]
  const move = (local: Local, by: Code): Code => local.set(i32.add(local.get, by))
  const sumsOf = (q: number): readonly Local[] => sums.slice(q * lanes, (q + 1) * lanes)
  const eight = (columns: number): Code[] => [
    ...elements.map((element, i) => element.set(integers.load8(at[i]!.get, columns))),
    ...asked.flatMap((pointer, q) => [
      query.set(v128.load(pointer.get, 2 * columns)),
      ...sumsOf(q).map((sum, i) => sum.set(integers.add32(sum.get, integers.dot16(elements[i]!.get, query.get)))),
    ]),
  ]
  const body = repeatWhile(
    count.get,
    row.set(matrix.get),
    left.set(rows.get),
    to.set(products.get),
    repeatWhile(
      left.get,
      ...sums.map((sum) => sum.set(bytes.zero)),
      ...at.map((pointer, i) => pointer.set(i32.add(row.get, i32.mul(stride.get, i32.const(i))))),
      ...asked.map((pointer, q) => pointer.set(i32.add(queries.get, i32.mul(stride.get, i32.const(2 * q))))),
      end.set(i32.add(row.get, stride.get)),
      repeatWhile(
        i32.lessThan(at[0]!.get, end.get),
        ...eight(0),
        ...eight(8),
        ...at.map((pointer) => move(pointer, i32.const(columnsAtOnce))),
        ...asked.map((pointer) => move(pointer, i32.const(2 * columnsAtOnce))),
      ),
      ...asked.map((_, q) => {
        const place = q === 0 ? to.get : i32.add(to.get, productStride.get)
        return v128.store(place, 0, totals(sumsOf(q).map(({ get }) => get)))
      }),
      move(row, i32.mul(stride.get, i32.const(lanes))),
      move(to, i32.const(4 * lanes)),
      move(left, i32.const(-lanes)),
    ),
    move(queries, i32.mul(stride.get, i32.const(2 * atOnce))),
    move(products, i32.mul(productStride.get, i32.const(atOnce))),
    move(count, i32.const(-atOnce)),
  )
  return { name, params, locals: [row, left, to, end, ...pointers, ...vectors], body }
}

/** The sums of the four numbers of each of four vectors, side by side. */
function totals([a, b, c, d]: readonly Code[]): Code {
  const halves = (x: Code, y: Code, width: number): Code => {
    const places = Array.from({ length: 16 / width }, (_, i) => (i % 2) * 16 + Math.floor(i / 2) * width)
    const whole = places.flatMap((place) => Array.from({ length: width }, (_, byte) => place + byte))
    const upper = whole.map((place) => place + 8)
    return integers.add32(bytes.shuffle(x, y, whole), bytes.shuffle(x, y, upper))
  }
  return halves(halves(a!, b!, 4), halves(c!, d!, 4), 8)
}
