import type { Larger, Family } from './family.ts'
import { exp, log } from '../portable.ts'
import { addTimes, emptyPanel, lanes, type Panel, transposeTimes, type Rows } from '../kernels.ts'

/** A component: its share of the rows, the means of their statistics, and the natural parameters of its density. */
export interface Component {
  readonly weight: number
  readonly means: Float64Array
  readonly natural: Float64Array
}

/** Posteriors of a partition, four components a panel: entry 4i + v of panel p is row i, component 4p + v. */
export function certain(labels: Uint32Array, components: number): Panel[] {
  const panels = Array.from({ length: Math.ceil(components / lanes) }, () => emptyPanel(labels.length))
  for (const [row, label] of labels.entries()) panels[Math.floor(label / lanes)]![lanes * row + (label % lanes)] = 1
  return panels
}

/**
 * The likeliest components of some posteriors: one product gives the weighted sums of all statistics. Those that
 * explain fewer rows than `leastRows` are dropped, but for the heaviest. Undefined when a covariance is not positive
 * definite.
 */
export function maximisation(
  statistics: Statistics,
  posteriors: readonly Panel[],
  larger: Larger,
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
    const natural = family.gaussian(means, dimensions, larger)
    if (!natural) return undefined
    components.push({ weight: size / total, means, natural })
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

/**
 * Posteriors by log-sum-exp, and the log-likelihood: one product gives the log-densities of all rows. The panels of the
 * posteriors that the components were made of are written over.
 */
export function expectation({ table }: Statistics, components: readonly Component[], panels: readonly Panel[]) {
  const posteriors = panels.slice(0, Math.ceil(components.length / lanes))
  for (const panel of posteriors) panel.fill(0)
  addTimes(table, coefficients(components, table.columns), posteriors)
  return { posteriors, logLikelihood: softmax(posteriors, table.rows) }
}

/** A part this many powers of e below the largest is lost when they are added. */
const negligible = -40

/** Turns the logarithms of every row into shares, and adds up the logarithms of their sums. */
function softmax(panels: readonly Panel[], rows: number): number {
  const largest = new Float64Array(rows).fill(-Infinity)
  const sums = new Float64Array(rows)
  for (const panel of panels) findLargest(panel, largest)
  for (const panel of panels) takePowers(panel, largest, sums)
  for (const panel of panels) divide(panel, sums)
  let total = 0
  for (let row = 0; row < rows; row++) total += largest[row]! + log(sums[row]!)
  return total
}

function findLargest(panel: Panel, largest: Float64Array): void {
  for (let at = 0, row = 0; row < largest.length; row++, at += lanes) {
    const above = Math.max(panel[at]!, panel[at + 1]!, panel[at + 2]!, panel[at + 3]!)
    if (above > largest[row]!) largest[row] = above
  }
}

// what an engine checks of a panel it checks once for the four of a row

function takePowers(panel: Panel, largest: Float64Array, sums: Float64Array): void {
  for (let at = 0, row = 0; row < largest.length; row++, at += lanes) {
    const top = largest[row]!
    const a = (panel[at] = power(panel[at]! - top))
    const b = (panel[at + 1] = power(panel[at + 1]! - top))
    const c = (panel[at + 2] = power(panel[at + 2]! - top))
    const d = (panel[at + 3] = power(panel[at + 3]! - top))
    sums[row] = sums[row]! + a + b + c + d
  }
}

/** Most rows lie far from most components. */
const power = (below: number): number => (below < negligible ? 0 : exp(below))

function divide(panel: Panel, sums: Float64Array): void {
  for (let at = 0, row = 0; row < sums.length; row++, at += lanes) {
    const sum = sums[row]!
    panel[at]! /= sum
    panel[at + 1]! /= sum
    panel[at + 2]! /= sum
    panel[at + 3]! /= sum
  }
}

/** What the statistics are multiplied with. Where there is no component the density is as good as 0. */
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

/** Rows about their common mean, in 64 bits: squares lose nothing to a far origin. */
export interface Points extends Rows {
  readonly data: Float64Array
  readonly centre: Float64Array
  /** The variance of a column, on average. */
  readonly meanVariance: number
}

/** Moves the mean of the rows to the origin. */
export function centred({ data, rows, columns }: Rows): Points {
  const centre = new Float64Array(columns)
  for (let i = 0; i < data.length; i++) centre[i % columns]! += data[i]! / rows
  const moved = Float64Array.from(data, (value, i) => value - centre[i % columns]!)
  const squares = moved.reduce((sum, value) => sum + value * value, 0)
  return { data: moved, rows, columns, centre, meanVariance: squares / Math.max(1, moved.length) }
}

/** All that EM needs to know of the points: a 1, the row and its products s(x), row after row. */
export interface Statistics {
  readonly family: Family
  readonly dimensions: number
  readonly table: Rows
}

/** The statistics of some points. */
export function statisticsOf({ data, rows, columns }: Points, family: Family): Statistics {
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
