import { Matrix, SingularValueDecomposition } from 'ml-matrix'

/** Maximise Σ gamma_s·log x_s over x ≥ 0 with Cx ≤ f. */
export interface FairnessProblem {
  /** One row a resource (chunk), one column a class (entity); not negative. */
  readonly constraints: readonly (readonly number[])[]
  /** Of each class, above 0. */
  readonly gamma: readonly number[]
  /** Of each resource, above 0; 1 for all when absent. */
  readonly budgets?: readonly number[]
}

interface FairnessOptions {
  /** Tolerance of budget violations and of complementary slackness, price·(use - budget). */
  readonly tolerance?: number
  readonly maxIterations?: number
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
 * where a budget stays slack. Throws RangeError for an infeasible problem.
 */
export function proportionalFairness(problem: FairnessProblem, options: FairnessOptions = {}): Fairness {
  const { tolerance = 1e-4, maxIterations = 5000 } = options
  const { constraints, gamma } = problem
  const budgets = problem.budgets ?? constraints.map(() => 1)
  check(constraints, gamma, budgets)
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

function check(
  constraints: FairnessProblem['constraints'],
  gamma: readonly number[],
  budgets: readonly number[],
): void {
  const isPositive = (value: number) => value > 0 && value < Infinity
  if (budgets.length !== constraints.length) {
    throw new RangeError(`${budgets.length} budgets for ${constraints.length} constraints`)
  }
  constraints.forEach((row, k) => {
    if (row.length !== gamma.length)
      throw new RangeError(`constraint ${k} has ${row.length} of ${gamma.length} classes`)
    const wrong = row.find((value) => !(value >= 0 && value < Infinity))
    if (wrong !== undefined) throw new RangeError(`constraint ${k} holds ${wrong}`)
    if (!isPositive(budgets[k]!)) throw new RangeError(`budget ${k} is ${budgets[k]}, not above 0`)
  })
  gamma.forEach((value, s) => {
    if (!isPositive(value)) throw new RangeError(`gamma of class ${s} is ${value}, not above 0`)
    if (!constraints.some((row) => row[s]! > 0)) throw new RangeError(`nothing bounds class ${s}`)
  })
}

/** Relative threshold of singular values. */
const negligible = 1e-12

/** Minimise ½|Vx - q|² with Cx = f. */
interface LeastSquaresProblem {
  /** One column a class; as many rows as `target` has numbers. */
  readonly vectors: readonly (readonly number[])[]
  readonly target: readonly number[]
  /** One row a resource, one column a class. */
  readonly constraints: readonly (readonly number[])[]
  /** Of each resource; 1 for all when absent. */
  readonly budgets?: readonly number[]
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
 * solution; a residual above rounding shows that it is inconsistent. Throws RangeError where sizes differ or a number
 * is not finite.
 */
export function constrainedLeastSquares(problem: LeastSquaresProblem): LeastSquares {
  const { constraints } = problem
  const classes = constraints[0]?.length ?? problem.vectors[0]?.length ?? 0
  const vectors = matrix('vectors', problem.vectors, problem.target.length, classes)
  const equalities = matrix('constraints', constraints, problem.budgets?.length ?? constraints.length, classes)
  const size = classes + equalities.rows
  const system = Matrix.zeros(size, size)
  system.setSubMatrix(vectors.transpose().mmul(vectors), 0, 0)
  system.setSubMatrix(equalities.transpose(), 0, classes)
  system.setSubMatrix(equalities, classes, 0)
  const gamma = vectors.transpose().mmul(Matrix.columnVector(problem.target))
  const right = [...gamma.to1DArray(), ...(problem.budgets ?? constraints.map(() => 1))]
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

function matrix(name: string, rows: readonly (readonly number[])[], height: number, width: number): Matrix {
  if (rows.length !== height || rows.some((row) => row.length !== width)) {
    throw new RangeError(`the ${name} are not ${height} rows of ${width} numbers`)
  }
  if (!rows.flat().every(Number.isFinite)) throw new RangeError(`the ${name} hold a number that is not finite`)
  return height === 0 ? Matrix.zeros(0, width) : new Matrix(rows.map((row) => [...row]))
}
