import type { Factors } from './factors.ts'
import type { GraphOptions } from './options.ts'
import { forEachPair } from './strips.ts'
import type { PairStats, Weights } from './weights.ts'
import { addTimes, emptyPanel } from '../kernels.ts'

/** W as n x n numbers of 64 bits, for every choice of options. */
export function storedWeights(factors: Factors, options: GraphOptions): Weights {
  const n = factors.a.rows
  const { data, pairStats } = denseWeights(factors, options)
  const matrix = { data, rows: n, columns: n }
  return {
    n,
    form: 'stored',
    diagonal: Float64Array.from({ length: n }, (_, i) => data[i * n + i]!),
    nonNegative: data.every((weight) => weight >= 0),
    pairStats,
    times(panels) {
      const products = panels.map(() => emptyPanel(n))
      addTimes(matrix, panels, products)
      return products
    },
    squares(scale) {
      let sum = 0
      for (let i = 0; i < n; i++) {
        for (let j = 0; j < n; j++) sum += (scale[i]! * data[i * n + j]! * scale[j]!) ** 2
      }
      return sum
    },
    dense: () => data.slice(),
  }
}

/** W in rows, and what was seen on the way. */
export function denseWeights(factors: Factors, options: GraphOptions): { data: Float64Array; pairStats: PairStats } {
  const { negatives, diagonal } = options
  const { terms } = factors
  const n = factors.a.rows
  const data = new Float64Array(n * n)
  const join = joined[options.symmetrize]
  const clamped = negatives === 'clamp' ? (weight: number) => Math.max(weight, 0) : (weight: number) => weight
  const shifted = negatives === 'shift' ? (sum: number, i: number) => (terms[i]! + sum) / 2 : (sum: number) => sum
  let asymmetryMax = 0
  let negative = 0
  forEachPair(factors, (i, j, above, below) => {
    if (i === j) {
      data[i * n + i] = diagonal === 'zero' ? 0 : clamped(shifted(above, i) - 1)
      return true
    }
    asymmetryMax = Math.max(asymmetryMax, Math.abs(above - below))
    if (join(above, below) < 0) negative++
    data[i * n + j] = data[j * n + i] = clamped(join(shifted(above, i), shifted(below, j)))
    return true
  })
  return { data, pairStats: { asymmetryMax, negativeShare: negative / Math.max(1, (n * (n - 1)) / 2) } }
}

/** A weight from the two entries of S, above and below the diagonal. */
const joined: Readonly<Record<GraphOptions['symmetrize'], (above: number, below: number) => number>> = {
  mean: (above, below) => (above + below) / 2,
  sum: (above, below) => (above + below) / 2,
  max: Math.max,
  min: Math.min,
  lower: (_above, below) => below,
}
