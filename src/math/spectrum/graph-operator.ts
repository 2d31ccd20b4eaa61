import { emptyPanel, lanes, type Panel, addTimes, columnPanels, timesPanels, transposeTimes } from '../kernels.ts'
import { type Factors, selfSimilarity } from './factors.ts'
import { hasNegativeWeight } from './negative-weights.ts'
import type { Operator } from './operator.ts'
import { clampedWeights, fewNodes, storedWeights, type Weights } from './weights.ts'

/** L = D^-1/2 W D^-1/2 of a graph of similarities, D the row sums of W. Rows of isolated nodes are zero. */
export interface GraphOperator extends Operator {
  readonly form: Weights['form']
  /** Row sums of W; 0 where they are not positive beyond rounding. */
  readonly degrees: Float64Array
  /** The sum of the squared eigenvalues, Λ of the paper's remark 3, as the squared norm of L: O(nd²) time. */
  squares(): number
}

/** Up to here clamped weights are stored densely: 128 MB. */
const storedNodes = 4000

/**
 * L of the similarities, implicit where no weight is negative. Of more nodes than can be stored, negative weights are
 * kept, and `form` reports it (specification of GEM-RAG, section 2, the exact fast path).
 */
export function graphOperator(factors: Factors): GraphOperator {
  const n = factors.a.rows
  if (n > fewNodes && !hasNegativeWeight(factors)) return normalizeWeights(implicitWeights(factors, 'implicit'))
  if (n > storedNodes) return normalizeWeights(implicitWeights(factors, 'unclamped'))
  return normalizeWeights(storedWeights(clampedWeights(factors), n))
}

/** L of any weights. */
export function normalizeWeights(weights: Weights): GraphOperator {
  const { n, form, sketch } = weights
  const degrees = degreesOf(weights)
  const scale = degrees.map((degree) => (degree > 0 ? 1 / Math.sqrt(degree) : 0))
  const total = degrees.reduce((sum, degree) => sum + degree, 0)
  const inPlace = (y: Panel) => scaleRows(y, scale, y)
  return {
    n,
    form,
    degrees,
    times: (panels) => weights.times(panels.map((x) => scaleRows(x, scale, emptyPanel(n)))).map(inPlace),
    ...(sketch && { sketch: (random) => inPlace(sketch(random)) }),
    squares: () => weights.squares(scale),
    // L√d = √d is the leading eigenvector where no weight is negative
    ...(form !== 'unclamped' && total > 0 && { startVector: degrees.map((degree) => Math.sqrt(degree / total)) }),
  }
}

function degreesOf(weights: Weights): Float64Array {
  const { n } = weights
  const [sums] = weights.times([new Float64Array(n * lanes).fill(1)])
  // cancellation of sums of cosines
  const rounding = n * 1e-14
  return Float64Array.from({ length: n }, (_, i) => (sums![i * lanes]! > rounding ? sums![i * lanes]! : 0))
}

/** The rows of x times their scales, in `product`. */
function scaleRows(x: Panel, scale: Float64Array, product: Panel): Panel {
  for (let i = 0; i < scale.length; i++) {
    for (let v = i * lanes; v < (i + 1) * lanes; v++) product[v] = x[v]! * scale[i]!
  }
  return product
}

/**
 * W of the mean of S and Sᵀ from the factors alone: (A(Bᵀx) + B(Aᵀx))/2 minus the diagonal, O(nd) time and memory
 * (specification of GEM-RAG: the exact fast path).
 */
export function implicitWeights(factors: Factors, form: 'implicit' | 'unclamped'): Weights {
  const { a, b } = factors
  const n = a.rows
  const selfSimilarities = selfSimilarity(factors)
  return {
    n,
    form,
    times(panels) {
      // this order of passes reuses the cache
      const ofB = transposeTimes(b, panels)
      const ofA = transposeTimes(a, panels)
      const products = timesPanels(a, ofB)
      addTimes(b, ofA, products)
      products.forEach((product, index) => {
        finish(product, panels[index]!, selfSimilarities)
      })
      return products
    },
    sketch(random) {
      const [combinations] = timesPanels(a, [emptyPanel(a.columns).map(() => random() - 0.5)])
      return combinations!
    },
    squares(scale) {
      let sum = squaresOfProduct(factors, scale)
      for (let i = 0; i < n; i++) sum -= selfSimilarities[i]! ** 2 * (scale[i]! ** 2) ** 2
      return sum
    },
  }
}

/** Halves A(Bᵀx) + B(Aᵀx) and subtracts the diagonal. */
function finish(product: Panel, x: Panel, selfSimilarities: Float64Array): void {
  for (let i = 0; i < selfSimilarities.length; i++)
    for (let at = i * lanes; at < (i + 1) * lanes; at++)
      product[at] = (1 / 2) * product[at]! - selfSimilarities[i]! * x[at]!
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

/** FᵀF, columns x columns, where `fill` writes row i of F: O(n columns²) time, memory of one slice of F. */
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
