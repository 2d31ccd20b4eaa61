/**
 * gembench as a library: what a method, scorer or dataset of your own needs, and runs and scorers to call. Checks for your own are in
 * `gembench/testing`.
 */

// what to define, and what everything looks like
export * from './types.ts'
export * from './define.ts'
export { ModelError, UserError } from './errors.ts'
export { z } from 'zod'

// what a method is made of
export { documentVectors, queryVector } from './methods/shared/embed.ts'
export { attempt, lossOf } from './methods/shared/attempt.ts'
export { refuseAllLost, runEach } from './methods/shared/run-each.ts'
export { filledContext } from './methods/shared/expected-context.ts'
export { around, exactly, sumOf, times } from './math/expected.ts'
export { addExpected, embedCalls, noCalls, taskCalls, type ExpectedTask } from './math/expected.ts'
export { bm25Index, type Bm25Index, type Bm25Options } from './math/bm25.ts'
export { buildGraph, type Edges, type SparseGraph, type SparseRows } from './math/graph.ts'
export { kmeans, type KmeansOptions, type Partition } from './math/kmeans.ts'
export { pagerankSolver, personalisedPagerank, rankOf, type Pagerank, type PagerankOptions } from './math/pagerank.ts'
export { mulberry32, sample, seedFrom, shuffle } from './math/random.ts'
export {
  cosine,
  dot,
  highest,
  normalise,
  products,
  rowsToMatrix,
  topK,
  type Matrix,
  type ScoredIndex,
} from './math/vectors.ts'
export { sentences, type SentenceSpan } from './text/sentences.ts'
export { words } from './text/words.ts'

// what there is, by name
export { datasets } from './datasets/index.ts'
export { methods } from './methods/index.ts'
export { scorers } from './scorers/index.ts'
export { tasks, type SampledTask } from './tasks/index.ts'

// what can be called
export { openJudge, type Judge, type JudgeSettings, type ModelSetting } from './api/judge.ts'
export { run, type RunResult, type RunSettings } from './api/run.ts'
export { score, type ScoreSettings } from './api/score.ts'
export type { Asked } from './api/asked.ts'
export type { Progress, Stage } from './run/index.ts'
export type { Cell } from './report/table/cell.ts'
export type { Table, TableRow, UsageCell } from './report/table/table.ts'
export type { Manifest } from './records.ts'
