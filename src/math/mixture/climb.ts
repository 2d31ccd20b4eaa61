import { expectation, maximisation, type Component } from './em.ts'
import type { Statistics } from './statistics.ts'
import type { Panel } from '../kernels.ts'

/** Where EM ended: the components, and the posteriors and log-likelihood (the last of the trace) that follow from them. */
export interface Climbed {
  readonly components: readonly Component[]
  readonly posteriors: readonly Panel[]
  readonly trace: readonly number[]
}

/** When EM ends: a gain of log-likelihood per row below the tolerance (scikit-learn's 1e-3), or so many iterations (its 100). */
export interface ClimbEnds {
  readonly tolerance?: number
  readonly maxIterations?: number
}

/** Components that explain less than this many rows are dropped (our reading). */
const leastRows = 1.5

/** EM until it gains too little, with no variance below the floor. Undefined on a failure. */
export function climb(
  statistics: Statistics,
  start: readonly Panel[],
  floor: number,
  { tolerance = 1e-3, maxIterations = 100 }: ClimbEnds,
): Climbed | undefined {
  let posteriors = start
  let before = Infinity
  let trace: number[] = []
  for (let iteration = 1; ; iteration++) {
    const components = maximisation(statistics, posteriors, { floor, added: 0 }, leastRows)
    if (!components) return undefined
    if (components.length < before) trace = []
    before = components.length
    const expected = expectation(statistics, components, posteriors)
    if (!Number.isFinite(expected.logLikelihood)) return undefined
    posteriors = expected.posteriors
    const gain = expected.logLikelihood - (trace.at(-1) ?? -Infinity)
    trace.push(expected.logLikelihood)
    if (gain < tolerance * statistics.table.rows || iteration >= maxIterations) return { components, posteriors, trace }
  }
}

/** A component of fewer rows explains none: it is not in the mixture any more. */
const noRows = 1e-12

/**
 * EM as scikit-learn's GaussianMixture does it: a number is added to every variance, no component that explains a row is dropped, and after the iteration that
 * changes too little the components are estimated once more. Undefined on a failure.
 */
export function climbAsReference(
  statistics: Statistics,
  start: readonly Panel[],
  added: number,
  { tolerance = 1e-3, maxIterations = 100 }: ClimbEnds,
): Climbed | undefined {
  const estimated = (posteriors: readonly Panel[]) => maximisation(statistics, posteriors, { floor: 0, added }, noRows)
  const trace: number[] = []
  let components = estimated(start)
  let posteriors = start
  let ended = false
  for (let iteration = 1; components; iteration++) {
    const expected = expectation(statistics, components, posteriors)
    if (!Number.isFinite(expected.logLikelihood)) return undefined
    posteriors = expected.posteriors
    const change = expected.logLikelihood - (trace.at(-1) ?? -Infinity)
    trace.push(expected.logLikelihood)
    // the iterations are over: this was the expectation under what the last of them estimated
    if (iteration > maxIterations || ended) return { components, posteriors, trace }
    ended = Math.abs(change) < tolerance * statistics.table.rows
    components = estimated(posteriors)
  }
  return undefined
}
