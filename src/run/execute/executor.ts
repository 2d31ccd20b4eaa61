import type { UsageCounter } from '../../models/index.ts'
import type { TrialLine } from '../../records.ts'
import type { Corpus } from '../../types.ts'
import type { MethodEntry } from '../prepare/method-entries.ts'
import { runTrial, type TrialAt } from './run-trial.ts'
import { buildIndex, type BuiltIndex, type IndexAt, type SharedParts } from './build-index.ts'
import type { OnUsage } from '../progress.ts'
import type { ChunkedCorpus } from './chunk-corpus.ts'
import type { RunContext } from './run-context.ts'

/** A corpus that indexes are built of, with the parts that several of them share. */
export interface IndexSource {
  readonly corpus: Corpus
  /** Chunks the corpus on the first call: where workers do, this process does not. */
  readonly chunkedCorpus: () => Promise<ChunkedCorpus>
  readonly parts: SharedParts
}

/** Does the work of a run: this process, or workers. A failure is an outcome, not an exception. */
export interface Executor {
  /** Trials in flight at most, and indexes built ahead. */
  readonly concurrency: number
  readonly indexesAhead: number
  readonly build: (at: IndexAt, entry: MethodEntry, source: IndexSource, onUsage: OnUsage) => Promise<BuiltIndex>
  readonly ask: (
    at: TrialAt,
    entry: MethodEntry,
    builtIndex: BuiltIndex,
    source: IndexSource,
    onUsage: OnUsage,
  ) => Promise<{ readonly line: TrialLine; readonly usage: UsageCounter }>
}

/** Indexes that are built while questions of another one wait for a model. */
const indexesAhead = 3

/** This process; a profile needs one thing at a time. */
export const localExecutor = (context: RunContext, concurrency: number): Executor => ({
  ...(context.profile ? { concurrency: 1, indexesAhead: 0 } : { concurrency, indexesAhead }),
  build: async (at, entry, { chunkedCorpus, parts }, onUsage) =>
    buildIndex(at, entry, await chunkedCorpus(), { ...context, onUsage }, parts),
  ask: async (at, entry, builtIndex, { chunkedCorpus }, onUsage) =>
    runTrial(at, entry, builtIndex, await chunkedCorpus(), { ...context, onUsage }),
})
