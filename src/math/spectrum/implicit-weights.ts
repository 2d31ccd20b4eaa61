import { selfSimilarity, type Factors } from './factors.ts'
import type { NegativeEntries } from './negative-entries.ts'
import { type GraphOptions, type Weights, denseWeights } from './weights.ts'
import { addTimes, emptyPanel, lanes, type Panel, transposeTimes } from '../kernels.ts'

/**
 * W of the mean of S and Sᵀ from the factors alone: (A(Bᵀx) + B(Aᵀx))/2 less what the diagonal has too much, O(nd) time and memory
 * (specification of GEM-RAG: the exact fast path). Clamping also takes off the negative entries that `negatives` lists.
 */
export function implicitWeights(factors: Factors, options: GraphOptions, negatives?: NegativeEntries): Weights {
  const { a, b } = factors
  const n = a.rows
  const terms = options.negatives === 'shift' ? factors.terms : undefined
  const own = selfSimilarity(factors).map((sum, i) => (terms ? (terms[i]! + sum) / 2 : sum))
  const diagonal = own.map((sum) => diagonalWeight(sum, options))
  return {
    n,
    form: negatives && negatives.entries.count > 0 ? 'corrected' : 'implicit',
    diagonal,
    nonNegative: options.negatives !== 'keep' && diagonal.every((weight) => weight >= 0),
    pairStats: negatives?.pairStats ?? { asymmetryMax: null, negativeShare: null },
    times(panels) {
      const products = panels.map(() => emptyPanel(n))
      // the order of passes finds what the one before left in the cache
      const [ofB, ofA] = [transposeTimes(b, panels), transposeTimes(a, panels)]
      addTimes(a, ofB, products)
      addTimes(b, ofA, products)
      products.forEach((product, index) => {
        finish(product, panels[index]!, own, diagonal, terms)
      })
      negatives?.entries.takeOff(panels, products)
      return products
    },
    sketch(random) {
      const combinations = emptyPanel(n)
      addTimes(a, [emptyPanel(a.columns).map(() => random() - 0.5)], [combinations])
      return combinations
    },
    squares(scale) {
      let sum = squaresOfProduct(factors, scale, terms)
      for (let i = 0; i < n; i++) sum -= (own[i]! ** 2 - diagonal[i]! ** 2) * (scale[i]! ** 2) ** 2
      negatives?.entries.each((i, j, weight) => (sum -= 2 * (scale[i]! * weight * scale[j]!) ** 2))
      return sum
    },
    dense: () => denseWeights(factors, options).data,
  }
}

function diagonalWeight(sum: number, { diagonal, negatives }: GraphOptions): number {
  if (diagonal === 'zero') return 0
  return negatives === 'clamp' ? Math.max(0, sum - 1) : sum - 1
}

/** Halves A(Bᵀx) + B(Aᵀx), shifts it where there are `terms`, and puts the diagonal right. */
function finish(
  product: Panel,
  x: Panel,
  own: Float64Array,
  diagonal: Float64Array,
  terms: Float64Array | undefined,
): void {
  if (terms) shift(product, x, terms)
  const share = terms ? 1 : 1 / 2
  for (let i = 0; i < own.length; i++) {
    const excess = own[i]! - diagonal[i]!
    for (let at = i * lanes; at < (i + 1) * lanes; at++) product[at] = share * product[at]! - excess * x[at]!
  }
}

/** Makes of A(Bᵀx) + B(Aᵀx) the mean of (m_i + S_ij)/2 and (m_j + S_ji)/2, summed over j. */
function shift(product: Panel, x: Panel, terms: Float64Array): void {
  const [sums, weighted] = columnSums(x, terms)
  for (let i = 0; i < terms.length; i++) {
    for (let v = 0; v < lanes; v++) {
      const at = i * lanes + v
      product[at] = (product[at]! / 2 + (terms[i]! * sums[v]! + weighted[v]!) / 2) / 2
    }
  }
}

/** Σ x_j and Σ m_j x_j for each of the vectors. */
function columnSums(x: Panel, terms: Float64Array): [Float64Array, Float64Array] {
  const [sums, weighted] = [new Float64Array(lanes), new Float64Array(lanes)]
  for (let i = 0; i < x.length; i++) {
    sums[i % lanes]! += x[i]!
    weighted[i % lanes]! += terms[Math.floor(i / lanes)]! * x[i]!
  }
  return [sums, weighted]
}

/**
 * ‖D(ABᵀ + BAᵀ)D/2‖² for the diagonal D of `scale`, by traces: with P = (DA)ᵀDA, Q = (DB)ᵀDB and R = (DA)ᵀDB it is
 * (tr PQ + tr RR)/2. A shift is one more column: A' = [A, m]/2, B' = [B, 1].
 */
function squaresOfProduct({ a, b }: Factors, scale: Float64Array, terms: Float64Array | undefined): number {
  const d = a.columns
  const half = terms ? d + 1 : d
  const width = 2 * half
  const products = gram(a.rows, width, (i, row) => {
    const share = terms ? scale[i]! / 2 : scale[i]!
    for (let c = 0; c < d; c++) {
      row[c] = share * a.data[i * d + c]!
      row[half + c] = scale[i]! * b.data[i * d + c]!
    }
    if (!terms) return
    row[d] = share * terms[i]!
    row[half + d] = scale[i]!
  })
  let sum = 0
  for (let r = 0; r < half; r++) {
    for (let c = 0; c < half; c++) {
      sum += products[r * width + c]! * products[(half + r) * width + half + c]!
      sum += products[r * width + half + c]! * products[c * width + half + r]!
    }
  }
  return sum / 2
}

/** FᵀF in rows, columns x columns, where `fill` writes row i of F: O(n columns²) time, and no more memory than a slice of F. */
export function gram(n: number, columns: number, fill: (i: number, row: Float64Array) => void): Float64Array {
  const sum = new Float64Array(columns * columns)
  for (let from = 0; from < n; from += sliceRows) {
    const rows = Math.min(sliceRows, n - from)
    const data = new Float64Array(rows * columns)
    for (let i = 0; i < rows; i++) fill(from + i, data.subarray(i * columns, (i + 1) * columns))
    transposeTimes({ data, rows, columns }, columnPanels(data, rows, columns)).forEach((panel, index) => {
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

function columnPanels(data: Float64Array, rows: number, columns: number): Panel[] {
  return Array.from({ length: Math.ceil(columns / lanes) }, (_, index) => {
    const panel = emptyPanel(rows)
    for (let i = 0; i < rows; i++) {
      for (let v = 0; v < lanes && index * lanes + v < columns; v++) {
        panel[i * lanes + v] = data[i * columns + index * lanes + v]!
      }
    }
    return panel
  })
}
