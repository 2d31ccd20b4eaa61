/** What methods, scorers and their estimates of cost are made of. */
import type { Matrix } from './math/vectors.ts'

// texts
export { sentences, type SentenceSpan } from './text/sentences.ts'
export { words } from './text/words.ts'

// vectors, of single texts and as the rows of a matrix
export { documentVectors, queryVector } from './methods/shared/embed.ts'
export { cosine, dot, normalise, products, rowsToMatrix, topK, type Matrix } from './math/vectors.ts'
export { highest, type ScoredIndex } from './math/highest.ts'

// retrievers of other libraries as methods
export {
  fromLangchain,
  fromLlamaindex,
  type ForeignRetriever,
  type LangchainRetriever,
  type LlamaindexRetriever,
} from './methods/shared/external-retrievers.ts'

/** A row of a matrix, counted from 0; it shares the memory of the matrix. Throws RangeError where there is none. */
export function rowOf({ data, rows, columns }: Matrix, row: number): Float32Array {
  if (!Number.isInteger(row) || row < 0 || row >= rows)
    throw new RangeError(`a matrix of ${rows} rows has no row ${row}`)
  return data.subarray(row * columns, (row + 1) * columns)
}

// searches, clusters and graphs
export { bm25Index, type Bm25Index, type Bm25Options } from './math/bm25.ts'
export { kmeans, type Partition } from './math/kmeans.ts'
export { buildGraph, type Edges, type SparseGraph, type SparseRows } from './math/graph.ts'
export { pagerankSolver, personalisedPagerank, rankOf, type Pagerank, type PagerankOptions } from './math/pagerank.ts'
export { mulberry32, sample, seedFrom, shuffle } from './math/random.ts'

// calls to models: the built-in tasks, and calls of which some may fail
export { tasks } from './tasks/index.ts'
export type { SampledTask } from './tasks/task.ts'
export { attempt, lossOf } from './methods/shared/attempt.ts'
export { refuseAllLost, runEach } from './methods/shared/attempt.ts'

// what a method says that it is going to ask
