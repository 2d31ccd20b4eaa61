// The contract between the rooms, in the order of a run.
export * from './types/read.ts'
export * from './types/searched.ts'
export * from './types/asked.ts'
export * from './types/written.ts'
