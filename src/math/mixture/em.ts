import { lanes } from '../spectrum/kernels.ts'
import { addTimes, emptyPanel, transposeTimes, type Panel } from '../spectrum/products.ts'
import type { Natural } from './family.ts'
import type { Statistics } from './statistics.ts'

/** Components that explain less than this many rows are dropped (our reading). */
const leastRows = 1.5

/** A component: its share of the rows, its mean, and its density. */
export interface Component {
  readonly weight: number
  readonly mean: Float64Array
  readonly density: Natural
}

/** Posteriors of a partition, four components to a panel: entry 4i + v of panel p belongs to row i and component 4p + v. */
export function certain(labels: Uint32Array, components: number): Panel[] {
  const panels = Array.from({ length: Math.ceil(components / lanes) }, () => emptyPanel(labels.length))
  for (const [row, label] of labels.entries()) panels[Math.floor(label / lanes)]![lanes * row + (label % lanes)] = 1
  return panels
}

/**
 * The likeliest components of some posteriors: one product gives the weighted sums of all statistics. Those that explain too few
 * rows are dropped, but for the heaviest. Undefined when a covariance is not positive definite.
 */
export function maximisation(
  statistics: Statistics,
  posteriors: readonly Panel[],
  floor: number,
): Component[] | undefined {
  const { dimensions, family, table } = statistics
  const sums = transposeTimes(table, posteriors).flatMap((panel) => columnsOf(panel))
  const least = Math.min(leastRows, Math.max(...sums.map(([size]) => size!)))
  const kept = sums.filter(([size]) => size! >= least)
  const total = kept.reduce((sum, [size]) => sum + size!, 0)
  const components: Component[] = []
  for (const column of kept) {
    const means = column.map((value) => value / column[0]!)
    const mean = means.subarray(1, 1 + dimensions)
    const density = family.gaussian(mean, means.subarray(1 + dimensions), floor)
    if (!density) return undefined
    components.push({ weight: column[0]! / total, mean, density })
  }
  return components
}

/** Posteriors by log-sum-exp, and the log-likelihood: one product gives the log-densities of all rows. */
export function expectation({ table }: Statistics, components: readonly Component[]) {
  const posteriors = Array.from({ length: Math.ceil(components.length / lanes) }, () => emptyPanel(table.rows))
  addTimes(table, coefficients(components, table.columns), posteriors)
  return { posteriors, logLikelihood: softmax(posteriors, table.rows) }
}

/** A part this many powers of e below the largest is lost when they are added. */
const negligible = -40

/** Turns the logarithms of every row into shares, and adds up the logarithms of their sums. */
function softmax(panels: readonly Panel[], rows: number): number {
  const largest = new Float64Array(rows).fill(-Infinity)
  const sums = new Float64Array(rows)
  for (const panel of panels) {
    for (let at = 0, row = 0; row < rows; row++) {
      for (let v = 0; v < lanes; v++, at++) if (panel[at]! > largest[row]!) largest[row] = panel[at]!
    }
  }
  for (const panel of panels) {
    for (let at = 0, row = 0; row < rows; row++) {
      for (let v = 0; v < lanes; v++, at++) {
        const below = panel[at]! - largest[row]!
        panel[at] = below < negligible ? 0 : Math.exp(below)
        sums[row]! += panel[at]!
      }
    }
  }
  for (const panel of panels) {
    for (let at = 0, row = 0; row < rows; row++) for (let v = 0; v < lanes; v++, at++) panel[at]! /= sums[row]!
  }
  let total = 0
  for (let row = 0; row < rows; row++) total += largest[row]! + Math.log(sums[row]!)
  return total
}

/** What the statistics are multiplied with. Where there is no component the density is as good as 0. */
function coefficients(components: readonly Component[], width: number): Panel[] {
  const panels: Panel[] = []
  for (let first = 0; first < components.length; first += lanes) {
    const panel = emptyPanel(width)
    for (let v = 0; v < lanes; v++) {
      const component = components[first + v]
      panel[v] = component ? component.density.constant + Math.log(component.weight) : -Number.MAX_VALUE
      if (!component) continue
      const { linear, square } = component.density
      for (let j = 0; j < linear.length; j++) panel[lanes * (1 + j) + v] = linear[j]!
      for (let j = 0; j < square.length; j++) panel[lanes * (1 + linear.length + j) + v] = square[j]!
    }
    panels.push(panel)
  }
  return panels
}

const columnsOf = (panel: Panel): Float64Array[] =>
  Array.from({ length: lanes }, (_, v) => {
    const column = new Float64Array(panel.length / lanes)
    for (let j = 0; j < column.length; j++) column[j] = panel[lanes * j + v]!
    return column
  })
