import { Matrix, SingularValueDecomposition } from 'ml-matrix'

/** Maximise Σ gamma_s·log x_s over x ≥ 0 with Cx ≤ f. */
interface FairnessProblem {
  /** One row a resource (chunk), one column a class (entity); not negative. */
  readonly constraints: readonly (readonly number[])[]
  /** Of each class, above 0. */
  readonly gamma: readonly number[]
  /** Of each resource, above 0. */
  readonly budgets: readonly number[]
}

interface FairnessOptions {
  /** Tolerance of budget violations and of complementary slackness, price·(use - budget). */
  readonly tolerance: number
  readonly maxIterations: number
}

/** Allocations of the classes and prices of the resources; `converged`: both conditions hold. */
interface Fairness {
  readonly x: readonly number[]
  readonly prices: readonly number[]
  readonly iterations: number
  readonly converged: boolean
}

/**
 * The proportionally fair allocation by prices (UnWeaver, Appendix C, Algorithm 1): x_s = gamma_s / Σ_k c_ks·price_k,
 * then each price times use / budget. Stops at complementary slackness; the paper's test |Cx - f| < eps never holds
 * where a budget stays slack.
 */
export function proportionalFairness(
  { constraints, gamma, budgets }: FairnessProblem,
  { tolerance, maxIterations }: FairnessOptions,
): Fairness {
  let prices = constraints.map(() => 1 / constraints.length)
  for (let iterations = 1; ; iterations++) {
    const x = gamma.map((value, s) => value / dot(prices, (k) => constraints[k]![s]!))
    const use = constraints.map((row) => dot(row, (s) => x[s]!))
    const converged = use.every((amount, k) => {
      const over = amount - budgets[k]!
      return over < tolerance && Math.abs(prices[k]! * over) < tolerance
    })
    if (converged || iterations >= maxIterations) return { x, prices, iterations, converged }
    prices = prices.map((price, k) => (price * use[k]!) / budgets[k]!)
  }
}

const dot = (values: readonly number[], numberAt: (index: number) => number): number =>
  values.reduce((total, value, index) => total + value * numberAt(index), 0)

/** Relative threshold of singular values. */
const negligible = 1e-12

/** Minimise ½|Vx - q|² with Cx = f. */
interface LeastSquaresProblem {
  /** One column a class; as many rows as `target` has numbers. */
  readonly vectors: readonly (readonly number[])[]
  readonly target: readonly number[]
  /** One row a resource, one column a class. */
  readonly constraints: readonly (readonly number[])[]
  /** Of each resource. */
  readonly budgets: readonly number[]
}

/** `rank` of the KKT system of `size` equations, and the largest error of one of them: `residual`. */
interface LeastSquares {
  readonly x: readonly number[]
  readonly multipliers: readonly number[]
  readonly size: number
  readonly rank: number
  readonly singular: boolean
  readonly residual: number
}

/**
 * Least squares under equalities (UnWeaver, Appendix C, CLS) from its KKT system [[VᵀV, Cᵀ], [C, 0]]·[x, multipliers] =
 * [Vᵀq, f]; x may be negative. A singular system (dependent constraints, an empty column) gets its minimum-norm
 * solution; a residual above rounding shows that it is inconsistent.
 */
export function constrainedLeastSquares(problem: LeastSquaresProblem): LeastSquares {
  const { constraints, budgets } = problem
  const classes = constraints[0]?.length ?? problem.vectors[0]?.length ?? 0
  const vectors = matrixOf(problem.vectors, classes)
  const equalities = matrixOf(constraints, classes)
  const size = classes + equalities.rows
  const system = Matrix.zeros(size, size)
  system.setSubMatrix(vectors.transpose().mmul(vectors), 0, 0)
  system.setSubMatrix(equalities.transpose(), 0, classes)
  system.setSubMatrix(equalities, classes, 0)
  const gamma = vectors.transpose().mmul(Matrix.columnVector(problem.target))
  const right = [...gamma.to1DArray(), ...budgets]
  const { solution, rank } = leastNormSolution(system, right)
  return {
    x: solution.slice(0, classes),
    multipliers: solution.slice(classes),
    size,
    rank,
    singular: rank < size,
    residual: Matrix.sub(system.mmul(Matrix.columnVector(solution)), Matrix.columnVector(right))
      .abs()
      .max(),
  }
}

function leastNormSolution(system: Matrix, right: readonly number[]) {
  const decomposition = new SingularValueDecomposition(system)
  const { diagonal } = decomposition
  const isSignificant = diagonal.map((value) => value > negligible * diagonal[0]!)
  const projection = decomposition.leftSingularVectors.transpose().mmul(Matrix.columnVector(right))
  const coefficients = projection.to1DArray().map((value, i) => (isSignificant[i] ? value / diagonal[i]! : 0))
  return {
    solution: decomposition.rightSingularVectors.mmul(Matrix.columnVector(coefficients)).to1DArray(),
    rank: isSignificant.filter(Boolean).length,
  }
}

const matrixOf = (rows: readonly (readonly number[])[], columns: number): Matrix =>
  rows.length === 0 ? Matrix.zeros(0, columns) : new Matrix(rows.map((row) => [...row]))
