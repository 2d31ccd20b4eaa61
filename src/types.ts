// The contract between the rooms, in the order of a run.
export * from './types/dataset.ts'
export * from './types/method.ts'
export * from './types/graph.ts'
export * from './types/model.ts'
export * from './types/scorer.ts'
