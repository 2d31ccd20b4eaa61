import { type Factors, selfSimilarity } from './factors.ts'
import { negativeEntries, type NegativeEntries } from './negative-entries.ts'
import type { Operator } from './operator.ts'
import {
  fewNodes,
  graphDefaults,
  type GraphOptions,
  type PairStats,
  type Weights,
  storedWeights,
  denseWeights,
} from './weights.ts'
import { emptyPanel, lanes, type Panel, addTimes, columnPanels, timesPanels, transposeTimes } from '../kernels.ts'

/** L = D^-1/2 W D^-1/2 of a graph of similarities, D the row sums of W. A node without weight has zeros. */
export interface GraphOperator extends Operator {
  readonly form: Weights['form']
  /** Row sums of W; 0 where they are not positive beyond rounding. */
  readonly degrees: Float64Array
  /** Sum of the eigenvalues: of a graph without self-loops 0. */
  readonly trace: number
  readonly pairStats: PairStats
  /** The sum of the squared eigenvalues, Λ of the paper's remark 3, as the squared norm of L: O(nd²) time. */
  squares(): number
}

/** Up to here a graph with clamped weights is stored: 128 MB. */
const storedNodes = 4000

/**
 * L of the similarities, implicit wherever the options allow it exactly. Where the negative weights of many nodes take
 * more than `memory`, clamping gives way to keeping them, and the form says so (specification of GEM-RAG, section 2,
 * the exact fast path).
 */
export function graphOperator(factors: Factors, options: Partial<GraphOptions> = {}): GraphOperator {
  return normalized(graphWeights(factors, { ...graphDefaults, ...options }))
}

function graphWeights(factors: Factors, options: GraphOptions): Weights {
  const { symmetrize, negatives, memory } = options
  const n = factors.a.rows
  if (n <= fewNodes || symmetrize !== 'mean') return storedWeights(factors, options)
  if (negatives !== 'clamp') return implicitWeights(factors, options)
  const found = negativeEntries(factors, n <= storedNodes ? 0 : memory)
  if (found) return implicitWeights(factors, options, found)
  if (n <= storedNodes) return storedWeights(factors, options)
  return { ...implicitWeights(factors, { ...options, negatives: 'keep' }), form: 'unclamped' }
}

/** L of any weights. */
export function normalized(weights: Weights): GraphOperator {
  const { n } = weights
  const degrees = degreesOf(weights)
  const scale = degrees.map((degree) => (degree > 0 ? 1 / Math.sqrt(degree) : 0))
  const total = degrees.reduce((sum, degree) => sum + degree, 0)
  const inPlace = (y: Panel) => scaled(y, scale, y)
  return {
    n,
    form: weights.form,
    degrees,
    trace: 0,
    pairStats: weights.pairStats,
    times: (panels) => weights.times(panels.map((x) => scaled(x, scale, emptyPanel(n)))).map(inPlace),
    ...(weights.sketch && { sketch: (random) => inPlace(weights.sketch!(random)) }),
    squares: () => weights.squares(scale),
    dense: () => weights.dense().map((weight, at) => weight * scale[Math.floor(at / n)]! * scale[at % n]!),
    // L√d = √d, and nothing is larger where no weight is negative
    ...(weights.nonNegative && total > 0 && { known: degrees.map((degree) => Math.sqrt(degree / total)) }),
  }
}

function degreesOf(weights: Weights): Float64Array {
  const { n } = weights
  const [sums] = weights.times([new Float64Array(n * lanes).fill(1)])
  // entries are sums of cosines, which cancel to this
  const rounding = n * 1e-14
  return Float64Array.from({ length: n }, (_, i) => (sums![i * lanes]! > rounding ? sums![i * lanes]! : 0))
}

/** The rows of x times their scales, in `product`. */
function scaled(x: Panel, scale: Float64Array, product: Panel): Panel {
  for (let i = 0; i < scale.length; i++) {
    for (let v = i * lanes; v < (i + 1) * lanes; v++) product[v] = x[v]! * scale[i]!
  }
  return product
}

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
