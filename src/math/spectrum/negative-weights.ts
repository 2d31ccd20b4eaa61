import { forEachPair } from './strips.ts'
import type { Factors } from './factors.ts'
import { norm } from '../portable.ts'
import type { Rows } from '../kernels.ts'

/** Whether the mean of S and Sᵀ has a negative entry off the diagonal: visits only pairs that may have one. */
export const hasNegativeWeight = (factors: Factors): boolean =>
  !forEachPair(factors, (i, j, above, below) => i === j || above + below >= 0, negativeCandidates(factors))

/** Below 1 by more than rounding. */
const strictlyBelowOne = 1 - 1e-6

/**
 * Rows that may have a negative entry of S or Sᵀ in the columns from..to, by O(nd) work. Split
 * a_i = p c + r and b_j = q c + s along the common direction c: a_i·b_j >= pq - |r||s|, which is not negative when
 * p, q > 0 and (|r|/p)(|s|/q) <= 1,
 * as in the narrow cones of many embedders.
 */
function negativeCandidates(factors: Factors): (from: number, to: number) => Uint32Array {
  const { a, b } = factors
  const axis = commonDirection(a, b)
  const ofA = openings(a, axis)
  const widest = openings(b, axis).map((opening, i) => Math.max(opening, ofA[i]!))
  return (from, to) => {
    const strip = widest.subarray(from, to).reduce((a, b) => Math.max(a, b), 0)
    const rows = []
    // negated so that NaN (0 times infinity) counts as uncertain
    for (let i = 0; i < to; i++) {
      if (!(widest[i]! * strip <= strictlyBelowOne)) rows.push(i)
    }
    return Uint32Array.from(rows)
  }
}

function commonDirection(...matrices: readonly Rows[]): Float64Array {
  const sum = new Float64Array(matrices[0]!.columns)
  for (const { data, columns } of matrices) {
    for (let i = 0; i < data.length; i += columns) for (let c = 0; c < columns; c++) sum[c]! += data[i + c]!
  }
  const length = norm(sum)
  return length > 0 ? sum.map((value) => value / length) : sum
}

/** |r|/p of every row: the tangent of its angle to the axis, infinite from 90 degrees on. */
function openings({ data, rows, columns }: Rows, axis: Float64Array): Float64Array {
  return Float64Array.from({ length: rows }, (_, i) => {
    let along = 0
    let squares = 0
    for (let c = 0; c < columns; c++) {
      const value = data[i * columns + c]!
      along += value * axis[c]!
      squares += value * value
    }
    if (squares === 0) return 0
    return along > 0 ? Math.sqrt(Math.max(0, squares - along * along)) / along : Infinity
  })
}
