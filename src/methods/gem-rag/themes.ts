import { kmeans } from '../../math/kmeans.ts'
import type { Factors } from '../../math/spectrum/factors.ts'
import { graphOperator, type GraphOperator } from '../../math/spectrum/graph-operator.ts'
import { leadingEigenpairs, type Eigenpairs } from '../../math/spectrum/leading-eigenpairs.ts'
import { fewNodes } from '../../math/spectrum/weights.ts'
import { highest } from '../../math/vectors.ts'
import type { GemOptions } from './options.ts'

export type Vector = ArrayLike<number>

/** The graph of a memory's chunks in the eyes of its eigenvectors: plain data. */
export interface Spectrum {
  readonly graph: MeasuredGraph
  /** The leading eigenpairs, a few more than the k that make themes. */
  readonly pairs: Eigenpairs
  /** Eigenvalues for remark 2, as many whatever k is: all of a small graph, else the first ten; none where they are not sure. */
  readonly values: Float64Array
}

/** What is kept of L = D^-1/2 W D^-1/2. `Lambda`: the sum of all squared eigenvalues (Remark 3). */
interface MeasuredGraph extends Pick<GraphOperator, 'n' | 'form' | 'degrees' | 'trace' | 'pairStats'> {
  readonly Lambda: number
}

/** The pairs beyond k show the gap that remark 2 looks for. */
const shownFor = (components: number): number => Math.max(components, 2) + 8

/**
 * W of S, the matrix L, and its spectrum. The seed is asked for where the solver may start from it. `memory`: bytes that weights may take.
 * Throws RangeError where the options would need more.
 */
export function spectrumOf(
  factors: Factors,
  { symmetrize, components, memory }: Pick<GemOptions, 'symmetrize' | 'components'> & { readonly memory?: number },
  seed: () => number,
): Spectrum {
  const operator = graphOperator(factors, { symmetrize, ...(memory !== undefined && { memory }) })
  const { n, form, degrees, trace, pairStats } = operator
  const graph = { n, form, degrees, trace, pairStats, Lambda: operator.squares() }
  // the dense solver of a small graph finds all of them at once
  const whole = n <= fewNodes
  const shown = shownFor(components)
  const found = leadingEigenpairs(operator, whole ? n : shown, { order: 'magnitude', ...(!whole && { seed: seed() }) })
  const pairs = {
    ...found,
    values: found.values.slice(0, shown),
    vectors: found.vectors.slice(0, shown),
    residuals: found.residuals.slice(0, shown),
  }
  const sure = found.converged ? found.values : new Float64Array()
  return { graph, pairs, values: whole ? sure : sure.slice(0, shownFor(0)) }
}

/** Nodes that one summary is made of, strongest first, with their entries in the eigenvector (or their negative distance from the centre). */
export interface Theme {
  readonly members: readonly number[]
  readonly weights: readonly number[]
  readonly eigenvalue: number | null
}

type ThemeOptions = Pick<GemOptions, 'components' | 'nodesPerTheme' | 'select'>

/**
 * Eigenthemes: for each of the first k eigenvectors of L the e nodes of largest weight, once from either end where both are selected. One
 * node has none, two have one theme of both.
 */
export function eigenthemes(
  { graph: { n, degrees }, pairs }: Pick<Spectrum, 'graph' | 'pairs'>,
  options: ThemeOptions,
): readonly (readonly Theme[])[] {
  if (n < 2) return []
  if (n === 2) return [[{ members: [0, 1], weights: [1, 1], eigenvalue: pairs.values[0] ?? null }]]
  return pairs.vectors
    .slice(0, Math.min(options.components, n - 1))
    .map((vector, index) =>
      themesOf(vector, degrees, options).map((theme) => ({ ...theme, eigenvalue: pairs.values[index] ?? null })),
    )
}

/** The nodes of one eigenvector's theme; a node without edges, or with no part in the eigenvector, joins none. */
export function themesOf(
  vector: Vector,
  degrees: Vector,
  { nodesPerTheme, select }: Pick<ThemeOptions, 'nodesPerTheme' | 'select'>,
): readonly Omit<Theme, 'eigenvalue'>[] {
  const largest = (score: (x: number) => number): Omit<Theme, 'eigenvalue'> => {
    const scores = Float64Array.from(vector, (x, i) => ((degrees[i] ?? 0) > 0 ? level(score(x)) : -Infinity))
    const members = highest(scores, nodesPerTheme).filter(({ score: found }) => found > -Infinity)
    return { members: members.map(({ index }) => index), weights: members.map(({ index }) => (vector[index] ?? 0) + 0) }
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
  { components, nodesPerTheme }: Pick<ThemeOptions, 'components' | 'nodesPerTheme'>,
  seed: () => number,
): readonly (readonly Theme[])[] {
  const rows = vectors.length
  const columns = vectors[0]?.length ?? 0
  if (rows < 2 || components === 0) return []
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
    squares += ((data[row * columns + c] ?? 0) - (centres[centre * columns + c] ?? 0)) ** 2
  return Math.sqrt(squares)
}

const isSome = ({ members }: { readonly members: readonly number[] }): boolean => members.length > 0

/** Entries that differ by less are equal: duplicates come out of a solver with an error in the last digits. */
const level = (x: number): number => Math.round(x * 1e10) / 1e10
