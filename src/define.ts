import type { Dataset, Method, Scorer, Task } from './types.ts'

/** A dataset; infers the type of its options. */
export const defineDataset = <O>(dataset: Dataset<O>): Dataset<O> => dataset

/** A method; infers the type of its options. */
export const defineMethod = <O>(method: Method<O>): Method<O> => method

/** A scorer; infers the type of its options. */
export const defineScorer = <O>(scorer: Scorer<O>): Scorer<O> => scorer

/** A task; infers the types of its input and output. */
export const defineTask = <I, T>(task: Task<I, T>): Task<I, T> => task
