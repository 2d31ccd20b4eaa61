import { selfSimilarity, type Factors } from './factors.ts'
import type { NegativeEntries } from './negative-entries.ts'
import { type GraphOptions, type Weights, denseWeights } from './weights.ts'
import { addTimes, columnPanels, emptyPanel, lanes, timesPanels, transposeTimes, type Panel } from '../kernels.ts'

/**
 * W of the mean of S and Sᵀ from the factors alone: (A(Bᵀx) + B(Aᵀx))/2 less what the diagonal has too much, O(nd) time
 * and memory (specification of GEM-RAG: the exact fast path). Clamping also takes off the negative entries that
 * `negatives` lists.
 */
export function implicitWeights(factors: Factors, options: GraphOptions, negatives?: NegativeEntries): Weights {
  const { a, b } = factors
  const n = a.rows
  const own = selfSimilarity(factors)
  return {
    n,
    form: negatives && negatives.entries.count > 0 ? 'corrected' : 'implicit',
    nonNegative: options.negatives !== 'keep',
    pairStats: negatives?.pairStats ?? { asymmetryMax: null, negativeShare: null },
    times(panels) {
      // the order of passes finds what the one before left in the cache
      const [ofB, ofA] = [transposeTimes(b, panels), transposeTimes(a, panels)]
      const products = timesPanels(a, ofB)
      addTimes(b, ofA, products)
      products.forEach((product, index) => {
        finish(product, panels[index]!, own)
      })
      negatives?.entries.takeOff(panels, products)
      return products
    },
    sketch(random) {
      const [combinations] = timesPanels(a, [emptyPanel(a.columns).map(() => random() - 0.5)])
      return combinations!
    },
    squares(scale) {
      let sum = squaresOfProduct(factors, scale)
      for (let i = 0; i < n; i++) sum -= own[i]! ** 2 * (scale[i]! ** 2) ** 2
      negatives?.entries.each((i, j, weight) => (sum -= 2 * (scale[i]! * weight * scale[j]!) ** 2))
      return sum
    },
    dense: () => denseWeights(factors, options).data,
  }
}

/** Halves A(Bᵀx) + B(Aᵀx), and takes off what each node has in common with itself. */
function finish(product: Panel, x: Panel, own: Float64Array): void {
  for (let i = 0; i < own.length; i++)
    for (let at = i * lanes; at < (i + 1) * lanes; at++) product[at] = (1 / 2) * product[at]! - own[i]! * x[at]!
}

/** ‖D(ABᵀ + BAᵀ)D/2‖² for D = diag(scale): (tr PQ + tr RR)/2, P = (DA)ᵀDA, Q = (DB)ᵀDB, R = (DA)ᵀDB. */
function squaresOfProduct({ a, b }: Factors, scale: Float64Array): number {
  const d = a.columns
  const width = 2 * d
  const products = gram(a.rows, width, (i, row) => {
    for (let c = 0; c < d; c++) {
      row[c] = scale[i]! * a.data[i * d + c]!
      row[d + c] = scale[i]! * b.data[i * d + c]!
    }
  })
  let sum = 0
  for (let r = 0; r < d; r++) {
    for (let c = 0; c < d; c++) {
      sum += products[r * width + c]! * products[(d + r) * width + d + c]!
      sum += products[r * width + d + c]! * products[c * width + d + r]!
    }
  }
  return sum / 2
}

/** FᵀF in rows, columns x columns, where `fill` writes row i of F: O(n columns²) time, memory of a slice of F. */
export function gram(n: number, columns: number, fill: (i: number, row: Float64Array) => void): Float64Array {
  const sum = new Float64Array(columns * columns)
  for (let from = 0; from < n; from += sliceRows) {
    const rows = Math.min(sliceRows, n - from)
    const data = new Float64Array(rows * columns)
    for (let i = 0; i < rows; i++) fill(from + i, data.subarray(i * columns, (i + 1) * columns))
    transposeTimes({ data, rows, columns }, columnPanels({ data, rows, columns })).forEach((panel, index) => {
      for (let row = 0; row < columns; row++) {
        for (let v = 0; v < lanes && index * lanes + v < columns; v++) {
          sum[row * columns + index * lanes + v]! += panel[row * lanes + v]!
        }
      }
    })
  }
  return sum
}

const sliceRows = 256
