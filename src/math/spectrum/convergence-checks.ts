import { log } from '../portable.ts'

/** When the approximations of a search are worth a look. */
export interface ConvergenceChecks {
  /** Whether they are, from a basis of so many vectors. */
  due(size: number, iterations: number): boolean
  /** Tells the worst residual that a look found, over what it has to be. */
  found(worst: number, iterations: number): void
}

/** A look costs nothing beside a pass while the square of the basis, so many times, is smaller than the matrix. */
const dear = 10
/** Of the passes that the fall of the residuals foretells, the share that goes by without a look: the fall grows. */
const foretold = 0.7

/**
 * Looks at a search for k pairs of n rows: after every pass where that is cheap, else when the residuals should soon be small
 * enough by their fall between the last two looks; where they did not fall, not before the search must look.
 */
export function convergenceChecks(n: number, k: number): ConvergenceChecks {
  let last = { worst: NaN, iterations: 0 }
  let next = 0
  return {
    due: (size, iterations) => size >= k && (size ** 2 * dear < n || iterations >= next),
    found(worst, iterations) {
      const fall = log(last.worst / worst) / (iterations - last.iterations)
      if (Number.isNaN(fall)) next = iterations
      else next = fall > 0 ? iterations + Math.floor((foretold * log(worst)) / fall) : Infinity
      last = { worst, iterations }
    },
  }
}
