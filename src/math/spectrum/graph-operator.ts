import type { Factors } from './factors.ts'
import { implicitWeights } from './implicit-weights.ts'
import { negativeEntries } from './negative-entries.ts'
import type { Operator } from './operator.ts'
import { fewNodes, graphDefaults, type GraphOptions, type PairStats, type Weights, storedWeights } from './weights.ts'
import { emptyPanel, lanes, type Panel } from '../kernels.ts'

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
 * the exact fast path). Throws RangeError where `symmetrize` needs all weights and they take more than `memory`: how
 * many nodes a graph has is not known before it is built.
 */
export function graphOperator(factors: Factors, options: Partial<GraphOptions> = {}): GraphOperator {
  return normalized(graphWeights(factors, { ...graphDefaults, ...options }))
}

function graphWeights(factors: Factors, options: GraphOptions): Weights {
  const { symmetrize, negatives, memory } = options
  const n = factors.a.rows
  if (n <= fewNodes) return storedWeights(factors, options)
  if (symmetrize !== 'mean' && symmetrize !== 'sum') {
    if (n * n * 8 <= memory) return storedWeights(factors, options)
    throw new RangeError(
      `symmetrize: ${symmetrize} needs all weights of ${n} nodes, ${n * n * 8} bytes, more than ${memory}; take symmetrize: mean`,
    )
  }
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
