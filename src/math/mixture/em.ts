import type { Regularisation, Family } from './family.ts'
import { exp, log } from '../portable.ts'
import { addTimes, emptyPanel, type Float64Rows, lanes, type Panel, transposeTimes, type Rows } from '../kernels.ts'

/** A component: its share of the rows, and the natural parameters of its density. */
interface Component {
  readonly weight: number
  readonly natural: Float64Array
}

/** One-hot posteriors of a partition, four components per panel: entry 4i + v of panel p is row i, component 4p + v. */
export function hardPosteriors(labels: Uint32Array, components: number): Panel[] {
  const panels = Array.from({ length: Math.ceil(components / lanes) }, () => emptyPanel(labels.length))
  for (const [row, label] of labels.entries()) panels[Math.floor(label / lanes)]![lanes * row + (label % lanes)] = 1
  return panels
}

/**
 * The M step, by one matrix product over the statistics. Drops components that explain fewer than `leastRows` rows,
 * except the heaviest. Undefined when a covariance is not positive definite.
 */
export function maximisation(
  statistics: Statistics,
  posteriors: readonly Panel[],
  regularisation: Regularisation,
  leastRows: number,
): Component[] | undefined {
  const { dimensions, family, table } = statistics
  const panels = transposeTimes(table, posteriors)
  const sizes = panels.flatMap((panel) => Array.from(panel.subarray(0, lanes)))
  const least = Math.min(leastRows, Math.max(...sizes))
  const total = sizes.reduce((sum, size) => (size >= least ? sum + size : sum), 0)
  const components: Component[] = []
  for (const [c, size] of sizes.entries()) {
    if (!(size >= least)) continue
    const means = meansOf(panels[Math.floor(c / lanes)]!, c % lanes)
    const natural = family.gaussian(means, dimensions, regularisation)
    if (!natural) return undefined
    components.push({ weight: size / total, natural })
  }
  return components
}

/** Of sums that begin with the number of rows. */
function meansOf(sums: Panel, lane: number): Float64Array {
  const means = new Float64Array(sums.length / lanes)
  const size = sums[lane]!
  for (let j = 0, at = lane; j < means.length; j++, at += lanes) means[j] = sums[at]! / size
  return means
}

/** The E step: posteriors by log-sum-exp, and the log-likelihood. Overwrites the panels of the previous posteriors. */
export function expectation({ table }: Statistics, components: readonly Component[], panels: readonly Panel[]) {
  const posteriors = panels.slice(0, Math.ceil(components.length / lanes))
  for (const panel of posteriors) panel.fill(0)
  addTimes(table, coefficients(components, table.columns), posteriors)
  return { posteriors, logLikelihood: softmax(posteriors, table.rows) }
}

/** Terms this far below the largest, in log units, vanish in the sum. */
const negligible = -40

/** Row-wise softmax in place; returns the sum of the rows' log-sum-exps. */
function softmax(panels: readonly Panel[], rows: number): number {
  const largest = new Float64Array(rows).fill(-Infinity)
  const sums = new Float64Array(rows)
  for (const panel of panels) {
    for (let row = 0, at = 0; row < rows; row++)
      for (let v = 0; v < lanes; v++) largest[row] = Math.max(largest[row]!, panel[at++]!)
  }
  for (const panel of panels) {
    for (let row = 0, at = 0; row < rows; row++)
      for (let v = 0; v < lanes; v++, at++) {
        const below = panel[at]! - largest[row]!
        const power = below < negligible ? 0 : exp(below)
        panel[at] = power
        sums[row]! += power
      }
  }
  let total = 0
  for (let row = 0; row < rows; row++) total += largest[row]! + log(sums[row]!)
  for (const panel of panels) {
    for (let row = 0, at = 0; row < rows; row++) for (let v = 0; v < lanes; v++) panel[at++]! /= sums[row]!
  }
  return total
}

/** Natural parameters as panels. Unused lanes have density 0. */
function coefficients(components: readonly Component[], width: number): Panel[] {
  const panels: Panel[] = []
  for (let first = 0; first < components.length; first += lanes) {
    const panel = emptyPanel(width).fill(-Number.MAX_VALUE, 0, lanes)
    for (let v = 0; v < Math.min(lanes, components.length - first); v++) {
      const { natural, weight } = components[first + v]!
      for (let j = 0, at = v; j < width; j++, at += lanes) panel[at] = natural[j]!
      panel[v]! += log(weight)
    }
    panels.push(panel)
  }
  return panels
}

/** The sufficient statistics of each row: 1, the row, and its products s(x). */
export interface Statistics {
  readonly family: Family
  readonly dimensions: number
  readonly table: Rows
}

export function statisticsOf({ data, rows, columns }: Float64Rows, family: Family): Statistics {
  const width = 1 + columns + family.size(columns)
  const table = new Float64Array(rows * width)
  for (let row = 0; row < rows; row++) {
    const point = data.subarray(row * columns, (row + 1) * columns)
    table[row * width] = 1
    table.set(point, row * width + 1)
    family.products(point, table.subarray(row * width + 1 + columns, (row + 1) * width))
  }
  return { family, dimensions: columns, table: { data: table, rows, columns: width } }
}
