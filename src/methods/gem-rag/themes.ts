import { itemAt } from '../../basics/collections.ts'
import { kmeans } from '../../math/kmeans.ts'
import type { Factors } from '../../math/spectrum/factors.ts'
import { graphOperator } from '../../math/spectrum/graph-operator.ts'
import { leadingEigenpairs } from '../../math/spectrum/leading-eigenpairs.ts'
import { fewNodes } from '../../math/spectrum/weights.ts'
import { spectrumStats } from '../../math/spectrum/statistics.ts'
import { highest } from '../../math/highest.ts'
import { nodesPerTheme, type GemOptions } from './options.ts'

export type Vector = ArrayLike<number>

/** The degrees, leading eigenpairs and remarks 1 to 3 of the graph of a memory's chunks: plain data. */
export type Spectrum = ReturnType<typeof spectrumOf>

/** Number of eigenpairs: those after the k of themes show the gap of remark 2. */
const reportedPairs = (components: number): number => Math.max(components, 2) + 8

/** W of S, the matrix L, and its spectrum. */
export function spectrumOf(factors: Factors, { components }: Pick<GemOptions, 'components'>, seed: () => number) {
  const operator = graphOperator(factors)
  const { n, degrees } = operator
  const pairCount = reportedPairs(components)
  // the dense solver of a small graph computes all at once
  const isSmall = n <= fewNodes
  const eigenpairs = isSmall
    ? leadingEigenpairs(operator, n, { order: 'magnitude' })
    : leadingEigenpairs(operator, pairCount, { order: 'magnitude', seed: seed() })
  // remark 2 reads all eigenvalues of a small graph, else the first ten; none if they did not converge
  const certainValues = eigenpairs.converged ? Array.from(eigenpairs.values) : []
  const values = isSmall ? certainValues : certainValues.slice(0, reportedPairs(0))
  return {
    degrees,
    pairs: {
      ...eigenpairs,
      values: eigenpairs.values.slice(0, pairCount),
      vectors: eigenpairs.vectors.slice(0, pairCount),
    },
    remarks: spectrumStats(operator, values),
  }
}

/** Nodes of a summary, strongest first, with their entries in the eigenvector (or negative distances). */
export interface Theme {
  readonly members: readonly number[]
  readonly weights: readonly number[]
  readonly eigenvalue: number | null
}

/** Eigenthemes: the e nodes of largest |x| in each of the first k eigenvectors of L (our reading). */
export function eigenthemes({ degrees, pairs }: Spectrum, components: number): readonly Theme[] {
  const n = degrees.length
  if (n < 2) return []
  if (n === 2) return [{ members: [0, 1], weights: [1, 1], eigenvalue: pairs.values[0] ?? null }]
  return pairs.vectors.slice(0, Math.min(components, n - 1)).flatMap((vector, index) => {
    const theme = themeOf(vector, degrees, { most: nodesPerTheme, select: 'abs' })
    return theme.members.length > 0 ? [{ ...theme, eigenvalue: pairs.values[index] ?? null }] : []
  })
}

/**
 * The theme of an eigenvector: the nodes of largest |x|, or of largest x with `signed`. Nodes without edges or with
 * entry 0 join none.
 */
export function themeOf(
  vector: Vector,
  degrees: Vector,
  { most, select }: { readonly most: number; readonly select: 'abs' | 'signed' },
): Omit<Theme, 'eigenvalue'> {
  const score = (x: number): number => {
    if (select === 'signed') return level(x)
    return level(x) === 0 ? -Infinity : level(Math.abs(x))
  }
  const scores = Float64Array.from(vector, (x, i) => (itemAt(degrees, i) > 0 ? score(x) : -Infinity))
  const members = highest(scores, most).flatMap(({ index, score }) => (score > -Infinity ? [index] : []))
  return { members, weights: members.map((index) => itemAt(vector, index) + 0) }
}

/** Rounds to 1e-10: solvers return duplicates with errors in the last digits. */
const level = (x: number): number => Math.round(x * 1e10) / 1e10

/** k-means on the unit embeddings: the e members nearest each centre. */
export function clusterThemes(vectors: readonly Vector[], components: number, seed: () => number): readonly Theme[] {
  const rows = vectors.length
  const columns = vectors[0]?.length ?? 0
  if (rows < 2 || components === 0) return []
  const data = new Float64Array(rows * columns)
  vectors.forEach((vector, row) => data.set(Array.from(vector), row * columns))
  const count = Math.min(components, rows - 1)
  const { clusters, labels, centres } = kmeans({ data, rows, columns }, count, { seed: seed() })
  return Array.from({ length: clusters }, (_, cluster) => {
    const near = Float64Array.from(vectors, (vector, row) => {
      if (labels[row] !== cluster) return -Infinity
      let squares = 0
      for (let c = 0; c < columns; c++) squares += (itemAt(vector, c) - itemAt(centres, cluster * columns + c)) ** 2
      return -Math.sqrt(squares)
    })
    const members = highest(near, nodesPerTheme).filter(({ score }) => score > -Infinity)
    return {
      members: members.map(({ index }) => index),
      weights: members.map(({ score }) => score + 0),
      eigenvalue: null,
    }
  })
}
