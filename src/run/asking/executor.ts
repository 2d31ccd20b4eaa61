import type { UsageCounter } from '../../models/index.ts'
import type { TrialLine } from '../../records.ts'
import type { Corpus } from '../../types.ts'
import type { MethodEntry } from '../prepare/method-entries.ts'
import { ask, type TrialAt } from './ask.ts'
import { buildIndex, type BuiltIndex, type IndexAt, type SharedParts } from './build-index.ts'
import type { OnUsage } from './call-counts.ts'
import type { ChunkedCorpus } from './chunk-corpus.ts'
import type { Conditions } from './conditions.ts'

/** A corpus that indexes are built of, with the parts that several of them share. */
export interface Place {
  readonly corpus: Corpus
  readonly chunkedCorpus: ChunkedCorpus
  readonly parts: SharedParts
}

/** Does the work of a run: this process, or workers. A failure is an outcome, not an exception. */
export interface Executor {
  /** Questions that it is given at the same time, and indexes that are built while others are asked. */
  readonly concurrency: number
  readonly indexesAhead: number
  readonly build: (at: IndexAt, entry: MethodEntry, place: Place, onUsage: OnUsage) => Promise<BuiltIndex>
  readonly ask: (
    at: TrialAt,
    entry: MethodEntry,
    builtIndex: BuiltIndex,
    place: Place,
    onUsage: OnUsage,
  ) => Promise<{ readonly line: TrialLine; readonly usage: UsageCounter }>
}

/** Indexes that are built while questions of another one wait for a model. */
const indexesAhead = 3

/** This process; one thing at a time if its time is booked. */
export const localExecutor = (conditions: Conditions, concurrency: number): Executor => ({
  ...(conditions.profile ? { concurrency: 1, indexesAhead: 0 } : { concurrency, indexesAhead }),
  build: (at, entry, { chunkedCorpus, parts }, onUsage) =>
    buildIndex(at, entry, chunkedCorpus, { ...conditions, onUsage }, parts),
  ask: (at, entry, builtIndex, { chunkedCorpus }, onUsage) =>
    ask(at, entry, builtIndex, chunkedCorpus, { ...conditions, onUsage }),
})
