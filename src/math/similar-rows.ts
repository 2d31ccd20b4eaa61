import type { Hit, Matrix } from './vectors.ts'

/** Rows multiplied at a time: two tiles of 384 numbers a row, in float64, stay in a core's cache. */
const tile = 64

/**
 * Of each row, the other rows whose inner product with it reaches the threshold: best first, equal ones by lower index, no more than
 * `most`. Exact, every pair computed once; what is held grows with the rows and `most`, never with the pairs.
 */
export function similarRows(matrix: Matrix, threshold: number, most: number): Hit[][] {
  const { rows, columns } = matrix
  const found: Hit[][] = Array.from({ length: rows }, () => [])
  if (most === 0) return found
  const keep = (row: number, hit: Hit) => {
    const hits = found[row]!
    hits.push(hit)
    if (hits.length > 4 * most + tile) found[row] = best(hits, most)
  }
  const products = new Float64Array(tile * tile)
  for (let top = 0; top < rows; top += tile) {
    const upper = tileFrom(matrix, top)
    for (let left = top; left < rows; left += tile) {
      multiply(upper, left === top ? upper : tileFrom(matrix, left), columns, products)
      for (let row = top; row < Math.min(top + tile, rows); row++) {
        for (let other = Math.max(left, row + 1); other < Math.min(left + tile, rows); other++) {
          const score = products[(row - top) * tile + other - left]!
          if (!(score >= threshold)) continue
          keep(row, { index: other, score })
          keep(other, { index: row, score })
        }
      }
    }
  }
  return found.map((hits) => best(hits, most))
}

const best = (hits: Hit[], most: number): Hit[] =>
  hits.sort((a, b) => b.score - a.score || a.index - b.index).slice(0, most)

/** So many rows from one on, in float64; rows past the last are zero. */
function tileFrom({ data, columns }: Matrix, row: number): Float64Array {
  const copy = new Float64Array(tile * columns)
  copy.set(data.subarray(row * columns, (row + tile) * columns))
  return copy
}

/** The inner products of every row of one tile with every row of another; two by four at once, so that each number read serves several. */
function multiply(x: Float64Array, y: Float64Array, columns: number, products: Float64Array): void {
  for (let row = 0; row < tile; row += 2) {
    for (let other = 0; other < tile; other += 4) {
      let [a0, a1, a2, a3, b0, b1, b2, b3] = [0, 0, 0, 0, 0, 0, 0, 0]
      let i = row * columns
      let j = other * columns
      for (const end = i + columns; i < end; i++, j++) {
        const a = x[i]!
        const b = x[i + columns]!
        const v0 = y[j]!
        const v1 = y[j + columns]!
        const v2 = y[j + 2 * columns]!
        const v3 = y[j + 3 * columns]!
        a0 += a * v0
        a1 += a * v1
        a2 += a * v2
        a3 += a * v3
        b0 += b * v0
        b1 += b * v1
        b2 += b * v2
        b3 += b * v3
      }
      const place = row * tile + other
      products.set([a0, a1, a2, a3], place)
      products.set([b0, b1, b2, b3], place + tile)
    }
  }
}
