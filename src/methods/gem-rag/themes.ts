import { itemAt } from '../../basics/collections.ts'
import { kmeans } from '../../math/kmeans.ts'
import type { Factors } from '../../math/spectrum/factors.ts'
import { graphOperator, type GraphOperator } from '../../math/spectrum/graph-operator.ts'
import { leadingEigenpairs, type Eigenpairs } from '../../math/spectrum/leading-eigenpairs.ts'
import { fewNodes } from '../../math/spectrum/weights.ts'
import { literalEigenpairs, literalWeights } from '../../math/spectrum/literal.ts'
import { spectrumStats, type SpectrumStats } from '../../math/spectrum/statistics.ts'
import { highest } from '../../math/highest.ts'
import type { GemOptions } from './options.ts'

export type Vector = ArrayLike<number>

/** The graph of a memory's chunks in the eyes of its eigenvectors: plain data. */
export interface Spectrum {
  readonly graph: MeasuredGraph
  /** The leading eigenpairs, a few more than the k that make themes. */
  readonly pairs: Eigenpairs
  /** Eigenvalues for remark 2: all of a small graph, else the first ten; none where they are not sure. */
  readonly values: Float64Array
}

/** What is kept of L = D^-1/2 W D^-1/2. `Lambda`: the sum of all squared eigenvalues (Remark 3). */
interface MeasuredGraph extends Pick<GraphOperator, 'n' | 'form' | 'degrees' | 'trace' | 'pairStats'> {
  readonly Lambda: number
}

/** The pairs beyond those that make themes show the gap that remark 2 looks for. */
const shownFor = (largest: number): number => Math.max(largest, 2) + 8

/** The most themes that are estimated of a graph whose eigenvalues are not all computed. */
const mostEstimated = 24

type ChosenOptions = Pick<GemOptions, 'components' | 'skip' | 'choose'>

/** The numbers, from 1, of the eigencomponents that make themes; `estimate` is how many Remark 2 tells. */
export function numbersOf(
  { components, skip, choose }: ChosenOptions,
  estimate: number | undefined,
): readonly number[] {
  if (choose) return choose
  // an estimate counts the leading components too
  const last = components === 'auto' ? (estimate ?? 0) : skip + components
  return Array.from({ length: Math.max(0, last - skip) }, (_, index) => skip + index + 1)
}

/** The numbers of the eigencomponents that make themes, and whether remark 2 told how many, or the largest gap. */
export function chosenOf(
  { graph, values }: Pick<Spectrum, 'graph' | 'values'>,
  options: ChosenOptions,
): { readonly numbers: readonly number[]; readonly told: boolean } {
  if (options.choose !== null || options.components !== 'auto')
    return { numbers: numbersOf(options, undefined), told: true }
  const { themeEstimate, largestGapIndex } = remarksOn({ graph, values })
  return {
    numbers: numbersOf(options, themeEstimate ?? largestGapIndex ?? undefined),
    told: typeof themeEstimate === 'number',
  }
}

/** Remarks 1 to 3 on the graph of one memory. Remark 2: what "near 1" means, and the gap c (our reading). */
export const remarksOn = ({ graph, values }: Pick<Spectrum, 'graph' | 'values'>): SpectrumStats =>
  spectrumStats({ ...graph, squares: () => graph.Lambda }, values, { minBeta: 0.5, c: 0.1, order: 'magnitude' })

/** W of S, the matrix L, and its spectrum. `memory`: bytes that weights may take. Throws RangeError beyond that. */
export function spectrumOf(
  factors: Factors,
  options: Pick<GemOptions, 'symmetrize'> & ChosenOptions & { readonly memory?: number },
  seed: () => number,
): Spectrum {
  const { symmetrize, memory } = options
  const isAuto = options.components === 'auto' && !options.choose
  const shown = shownFor(isAuto ? mostEstimated : Math.max(0, ...numbersOf(options, undefined)))
  if (symmetrize === 'none') return literalSpectrum(factors, shown)
  const operator = graphOperator(factors, { symmetrize, ...(memory !== undefined && { memory }) })
  const { n, form, degrees, trace, pairStats } = operator
  const graph = { n, form, degrees, trace, pairStats, Lambda: operator.squares() }
  // the dense solver of a small graph finds all of them at once
  const whole = n <= fewNodes
  const found = leadingEigenpairs(operator, whole ? n : shown, { order: 'magnitude', ...(!whole && { seed: seed() }) })
  const pairs = {
    ...found,
    values: found.values.slice(0, shown),
    vectors: found.vectors.slice(0, shown),
    residuals: found.residuals.slice(0, shown),
  }
  const sure = found.converged ? found.values : new Float64Array()
  return { graph, pairs, values: whole ? sure : sure.slice(0, shownFor(isAuto ? mostEstimated : 0)) }
}

/** The same of S as the paper has it: not symmetric, with the row sums of its other entries as degrees. */
function literalSpectrum(factors: Factors, shown: number): Spectrum {
  const weights = literalWeights(factors)
  const found = literalEigenpairs(weights)
  const { n, degrees, pairStats } = weights
  const Lambda = found.values.reduce((sum, value, index) => sum + (found.complex[index] ? 2 : 1) * value ** 2, 0)
  const pairs: Eigenpairs = {
    values: found.values.slice(0, shown),
    vectors: found.vectors.slice(0, shown),
    residuals: found.residuals.slice(0, shown),
    ...{ iterations: 1, converged: true, solver: 'dense' },
  }
  return { graph: { n, form: 'stored', degrees, trace: 0, pairStats, Lambda }, pairs, values: found.values }
}

/** Nodes of one summary, strongest first, with their entries in the eigenvector (or negative distances). */
export interface Theme {
  readonly members: readonly number[]
  readonly weights: readonly number[]
  readonly eigenvalue: number | null
}

type ThemeOptions = Pick<GemOptions, 'nodesPerTheme' | 'select'>

/** Eigenthemes: for each chosen eigenvector of L the e nodes of largest weight, from either end where both count. */
export function eigenthemes(spectrum: Spectrum, options: ThemeOptions & ChosenOptions): readonly (readonly Theme[])[] {
  const { graph, pairs } = spectrum
  const { n, degrees } = graph
  if (n < 2) return []
  if (n === 2) return [[{ members: [0, 1], weights: [1, 1], eigenvalue: pairs.values[0] ?? null }]]
  return chosenOf(spectrum, options).numbers.flatMap((number) => {
    const vector = number < n ? pairs.vectors[number - 1] : undefined
    if (!vector) return []
    const eigenvalue = pairs.values[number - 1] ?? null
    return [themesOf(vector, degrees, options).map((theme) => ({ ...theme, eigenvalue }))]
  })
}

/** The nodes of one eigenvector's theme; a node without edges, or with no part in the eigenvector, joins none. */
export function themesOf(
  vector: Vector,
  degrees: Vector,
  { nodesPerTheme, select }: Pick<ThemeOptions, 'nodesPerTheme' | 'select'>,
): readonly Omit<Theme, 'eigenvalue'>[] {
  const largest = (score: (x: number) => number): Omit<Theme, 'eigenvalue'> => {
    const scores = Float64Array.from(vector, (x, i) => (itemAt(degrees, i) > 0 ? level(score(x)) : -Infinity))
    const members = highest(scores, nodesPerTheme).filter(({ score: found }) => found > -Infinity)
    return {
      members: members.map(({ index }) => index),
      weights: members.map(({ index }) => itemAt(vector, index) + 0),
    }
  }
  switch (select) {
    case 'abs':
      return [largest((x) => (level(x) === 0 ? -Infinity : Math.abs(x)))].filter(isSome)
    case 'signed':
      return [largest((x) => x)].filter(isSome)
    case 'both-ends':
      return [largest((x) => (level(x) > 0 ? x : -Infinity)), largest((x) => (level(x) < 0 ? -x : -Infinity))].filter(
        isSome,
      )
  }
}

/** k-means on the unit embeddings: the e members nearest each centre. */
export function clusterThemes(
  vectors: readonly Vector[],
  { components, nodesPerTheme }: Pick<GemOptions, 'components' | 'nodesPerTheme'>,
  seed: () => number,
): readonly (readonly Theme[])[] {
  const rows = vectors.length
  const columns = vectors[0]?.length ?? 0
  if (rows < 2 || components === 0 || components === 'auto') return []
  const data = new Float64Array(rows * columns)
  vectors.forEach((vector, row) => data.set(Array.from(vector), row * columns))
  const { clusters, labels, centres } = kmeans({ data, rows, columns }, Math.min(components, rows - 1), {
    seed: seed(),
  })
  return Array.from({ length: clusters }, (_, cluster) => {
    const near = Float64Array.from({ length: rows }, (_value, row) =>
      labels[row] === cluster ? -distance(data, row, centres, cluster, columns) : -Infinity,
    )
    const members = highest(near, nodesPerTheme).filter(({ score }) => score > -Infinity)
    return [
      {
        members: members.map(({ index }) => index),
        weights: members.map(({ score }) => score + 0),
        eigenvalue: null,
      },
    ]
  })
}

function distance(data: Float64Array, row: number, centres: Float64Array, centre: number, columns: number): number {
  let squares = 0
  for (let c = 0; c < columns; c++)
    squares += (itemAt(data, row * columns + c) - itemAt(centres, centre * columns + c)) ** 2
  return Math.sqrt(squares)
}

const isSome = ({ members }: { readonly members: readonly number[] }): boolean => members.length > 0

/** Entries that differ by less are equal: duplicates come out of a solver with an error in the last digits. */
const level = (x: number): number => Math.round(x * 1e10) / 1e10
