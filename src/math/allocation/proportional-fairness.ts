/** Maximise Σ gamma_s·log x_s over x ≥ 0 with Cx ≤ f. */
export interface FairnessProblem {
  /** One row a resource (chunk), one column a class (entity); not negative. */
  readonly constraints: readonly (readonly number[])[]
  /** Of each class, above 0. */
  readonly gamma: readonly number[]
  /** Of each resource, above 0; 1 for all when absent. */
  readonly budgets?: readonly number[]
}

export interface FairnessOptions {
  /** How far a budget may be overdrawn, and price·(use - budget) differ from 0, at the end. */
  readonly tolerance?: number
  readonly maxIterations?: number
}

/** What each class gets and what each resource costs; `converged` says that both conditions hold. */
export interface Fairness {
  readonly x: readonly number[]
  readonly prices: readonly number[]
  readonly iterations: number
  readonly converged: boolean
}

/**
 * The proportionally fair allocation by prices (UnWeaver, Appendix C, Algorithm 1): x_s = gamma_s / Σ_k c_ks·price_k, then each
 * price times use / budget. It stops when no budget is overdrawn and every price above 0 belongs to a budget used up; the printed
 * test |Cx - f| < eps never holds where a budget stays slack. Throws RangeError for a problem without a solution.
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
    const converged = use.every((used, k) => {
      const over = used - budgets[k]!
      return over < tolerance && Math.abs(prices[k]! * over) < tolerance
    })
    if (converged || iterations >= maxIterations) return { x, prices, iterations, converged }
    prices = prices.map((price, k) => (price * use[k]!) / budgets[k]!)
  }
}

const dot = (values: readonly number[], other: (index: number) => number): number =>
  values.reduce((total, value, index) => total + value * other(index), 0)

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
