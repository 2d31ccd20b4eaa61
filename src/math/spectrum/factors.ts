import type { Rows } from '../kernels.ts'

/**
 * The similarity S = A Bᵀ of n nodes, never formed: row i of `a` is the sum of the unit question vectors of node i, row
 * j of `b` the unit vector of node j, and S_ij the sum of the cosines of i's questions with j (specification of
 * GEM-RAG: the exact fast path).
 */
export interface Factors {
  readonly a: Rows
  readonly b: Rows
}

type Vector = ArrayLike<number>

/**
 * The factors of S. A node without questions is its own single question (S_ij = cos(v_i, v_j)); zero vectors have
 * similarity 0. `bits`: storage precision; sums are in float64. Throws RangeError where lengths differ.
 */
export function similarityFactors(
  questionVectors: readonly (readonly Vector[])[],
  nodeVectors: readonly Vector[],
  bits: 32 | 64 = 32,
): Factors {
  if (questionVectors.length !== nodeVectors.length) throw new RangeError('one list of question vectors per node')
  const rows = nodeVectors.length
  const columns = nodeVectors[0]?.length ?? 0
  const empty = (): Rows => ({
    data: new (bits === 32 ? Float32Array : Float64Array)(rows * columns),
    rows,
    columns,
  })
  const factors: Factors = { a: empty(), b: empty() }
  nodeVectors.forEach((node, i) => {
    const questions = questionVectors[i]!
    factors.a.data.set(sumOfUnits(questions.length > 0 ? questions : [node], columns), i * columns)
    factors.b.data.set(sumOfUnits([node], columns), i * columns)
  })
  return factors
}

function sumOfUnits(vectors: readonly Vector[], columns: number): Float64Array {
  const sum = new Float64Array(columns)
  for (const vector of vectors) {
    if (vector.length !== columns) throw new RangeError(`vectors of ${columns} and of ${vector.length} numbers`)
    let squares = 0
    for (let c = 0; c < columns; c++) squares += vector[c]! ** 2
    const norm = Math.sqrt(squares)
    if (norm > 0) for (let c = 0; c < columns; c++) sum[c]! += vector[c]! / norm
  }
  return sum
}

/** S_ii for every node. */
export function selfSimilarity({ a, b }: Factors): Float64Array {
  return Float64Array.from({ length: a.rows }, (_, i) => {
    let sum = 0
    for (let c = i * a.columns; c < (i + 1) * a.columns; c++) sum += a.data[c]! * b.data[c]!
    return sum
  })
}
