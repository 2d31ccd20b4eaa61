import type { Meter } from '../../models/index.ts'
import type { TrialLine } from '../../records.ts'
import type { Corpus } from '../../types.ts'
import { ask, type TrialAt } from './ask.ts'
import { buildIndex, type BuiltIndex, type IndexAt, type SharedParts } from './build-index.ts'
import type { JobCalls } from './call-counts.ts'
import type { ChunkedCorpus } from './chunk-corpus.ts'
import type { Conditions } from './conditions.ts'
import type { MethodEntry } from '../prepare/method-entries.ts'

/** A corpus that indexes are built of. It is cut when first needed; what of their indexes rows share is made once. */
export interface Place {
  readonly corpus: Corpus
  readonly chunked: ChunkedCorpus
  readonly parts: SharedParts
}

/** Does the work of a run: this process, or workers. `onUsage` gets calls as they are made, where they are seen. */
export interface Performer {
  /** Pieces of work that are given to it at the same time. */
  readonly concurrency: number
  /** Builds an index. A failure is an outcome, not an exception. */
  build(at: IndexAt, entry: MethodEntry, place: Place, onUsage?: JobCalls['onUsage']): Promise<BuiltIndex>
  /** Asks a question of an index that it has built. A failure is an outcome, not an exception. */
  ask(
    at: TrialAt,
    entry: MethodEntry,
    built: BuiltIndex,
    place: Place,
    onUsage?: JobCalls['onUsage'],
  ): Promise<{ readonly line: TrialLine; readonly meter: Meter }>
}

export const ownPerformer = (conditions: Conditions, concurrency: number): Performer => ({
  concurrency,
  build: (at, entry, { chunked, parts }, onUsage) =>
    buildIndex(at, entry, chunked, { ...conditions, ...(onUsage && { onUsage }) }, parts),
  ask: (at, entry, built, { chunked }, onUsage) =>
    ask(at, entry, built, chunked, { ...conditions, ...(onUsage && { onUsage }) }),
})
