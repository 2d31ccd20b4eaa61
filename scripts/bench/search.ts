import { mulberry32 } from '../../src/math/random.ts'
import { rowsToMatrix, topK } from '../../src/math/vectors.ts'
import { best, type BenchRow } from './row.ts'

/** Exact search, against the plain loop over separate vectors that anybody would write first. */
export async function searchBench(): Promise<readonly BenchRow[]> {
  const [rows, columns, k] = [50_000, 384, 10]
  const random = mulberry32(42)
  const vectors = Array.from({ length: rows }, () => Float32Array.from({ length: columns }, () => random() - 0.5))
  const query = Float32Array.from({ length: columns }, () => random() - 0.5)
  const packed = rowsToMatrix(vectors)
  const ours = await best(5, () => topK(query, packed, k))
  const plain = await best(5, () => plainTopK(query, vectors, k))
  return [
    {
      name: `f  exact top-${k} over ${rows.toLocaleString('en-US')} x ${columns}`,
      figure: `${(ours * 1000).toFixed(0)} ms`,
      goal: '–',
      met: null,
      note: `${(plain / ours).toFixed(1)}x as fast as a plain loop and sort (${(plain * 1000).toFixed(0)} ms)`,
    },
  ]
}

const plainTopK = (query: Float32Array, vectors: readonly Float32Array[], k: number): readonly number[] =>
  vectors
    .map((vector, index) => ({ index, score: vector.reduce((sum, value, column) => sum + value * query[column]!, 0) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, k)
    .map(({ index }) => index)
