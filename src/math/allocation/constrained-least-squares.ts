import { Matrix, SingularValueDecomposition } from 'ml-matrix'

/** Singular values below this share of the largest count as 0. */
const negligible = 1e-12

/** Minimise ½|Vx - q|² with Cx = f. */
export interface LeastSquaresProblem {
  /** One column a class; as many rows as `target` has numbers. */
  readonly vectors: readonly (readonly number[])[]
  readonly target: readonly number[]
  /** One row a resource, one column a class. */
  readonly constraints: readonly (readonly number[])[]
  /** Of each resource; 1 for all when absent. */
  readonly budgets?: readonly number[]
}

/** `rank` of the KKT system of `size` equations, and the largest error of one of them: `residual`. */
export interface LeastSquares {
  readonly x: readonly number[]
  readonly multipliers: readonly number[]
  readonly size: number
  readonly rank: number
  readonly singular: boolean
  readonly residual: number
}

/**
 * Least squares under equalities (UnWeaver, Appendix C, CLS) from its KKT system [[VᵀV, Cᵀ], [C, 0]]·[x, multipliers] = [Vᵀq, f];
 * x may be negative. A singular system (dependent constraints, an empty column) is answered by its solution of least norm; a
 * residual that is not rounding alone says that it has none. Throws RangeError where sizes differ or a number is not finite.
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
  const kept = diagonal.map((value) => value > negligible * diagonal[0]!)
  const inLeft = decomposition.leftSingularVectors.transpose().mmul(Matrix.columnVector(right))
  const scaled = inLeft.to1DArray().map((value, i) => (kept[i] ? value / diagonal[i]! : 0))
  return {
    solution: decomposition.rightSingularVectors.mmul(Matrix.columnVector(scaled)).to1DArray(),
    rank: kept.filter(Boolean).length,
  }
}

function matrix(name: string, rows: readonly (readonly number[])[], height: number, width: number): Matrix {
  if (rows.length !== height || rows.some((row) => row.length !== width)) {
    throw new RangeError(`the ${name} are not ${height} rows of ${width} numbers`)
  }
  if (!rows.flat().every(Number.isFinite)) throw new RangeError(`the ${name} hold a number that is not finite`)
  return height === 0 ? Matrix.zeros(0, width) : new Matrix(rows.map((row) => [...row]))
}
