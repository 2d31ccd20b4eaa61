import { mulberry32 } from '../../src/math/random.ts'
import type { Matrix } from '../../src/math/vectors.ts'

/** Points about some middles. */
export interface Blobs {
  readonly blobs: number
  readonly rows: number
  readonly columns: number
  /** Of the cube that the middles lie in; the rows lie about them with variance 1 in every column. */
  readonly side: number
  readonly seed: number
}

/** Row i belongs to blob i modulo their number. */
export function blobs({ blobs: count, rows, columns, side, seed }: Blobs): Matrix {
  const random = mulberry32(seed)
  const middles = Float64Array.from({ length: count * columns }, () => side * (random() - 0.5))
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const middleOf = (i: number) => middles[(Math.floor(i / columns) % count) * columns + (i % columns)]!
  return { data: Float32Array.from({ length: rows * columns }, (_, i) => middleOf(i) + normal()), rows, columns }
}
