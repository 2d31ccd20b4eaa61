import { once } from '../../basics/memoise.ts'
import type { CircuitBreaker } from '../../models/index.ts'
import type { Failure } from '../../records.ts'
import type { Corpus } from '../../types.ts'
import { lineId } from '../prepare/identity.ts'
import type { MethodEntry } from '../prepare/method-entries.ts'
import type { Repeats } from '../results/write-trials.ts'
import { sharedParts } from './build-index.ts'
import type { ChunkedCorpus } from './chunk-corpus.ts'
import type { IndexSource } from './run-trial.ts'

/** Ids of the lines that need not be made again. */
type LineIds = Readonly<Record<'indexes' | 'trials', ReadonlySet<string>>>

/** A system over a corpus, with the indexes that have open trials. */
export interface WorkItem {
  readonly entry: MethodEntry
  readonly source: IndexSource
  readonly breaker: CircuitBreaker<Failure>
  /** By repeat, one at least; if the first of them uses no random numbers, it serves the others, too. */
  readonly indexes: readonly OpenIndex[]
}

/** An index with open trials. `isNew`: its line is still to be written. */
export type OpenIndex = ReturnType<typeof openIndexes>[number]

interface ItemsPlan extends Repeats {
  readonly methods: readonly MethodEntry[]
  readonly corpora: () => AsyncIterable<Corpus>
  readonly chunk: (corpus: Corpus) => Promise<ChunkedCorpus>
  readonly breakerOf: (id: string) => CircuitBreaker<Failure>
}

/** The work that is not finished, by corpus and system. */
export async function* workItems(plan: ItemsPlan, finishedIds: LineIds) {
  for await (const corpus of plan.corpora()) {
    const source = { corpus, chunkedCorpus: once(() => plan.chunk(corpus)), parts: sharedParts() }
    for (const entry of plan.methods) {
      const breaker = plan.breakerOf(entry.id)
      const indexes = openIndexes(corpus, entry.id, plan, finishedIds, breaker)
      if (indexes.length > 0) yield { entry, source, breaker, indexes }
    }
  }
}

function openIndexes(
  corpus: Corpus,
  methodId: string,
  { repeats, indexPerRepeat }: Repeats,
  finishedIds: LineIds,
  breaker: CircuitBreaker<Failure>,
) {
  /** The open trials of some repeats. */
  function* openTrials(first: number, end: number) {
    for (const question of corpus.questions)
      for (let repeat = first; repeat < end; repeat++) {
        const id = lineId(methodId, corpus.id, question.id, repeat)
        if (!finishedIds.trials.has(id)) yield { id, question, repeat }
      }
  }
  const countOpen = (first: number, end: number) => {
    if (finishedIds.trials.size === 0) return corpus.questions.length * (end - first)
    let count = 0
    for (const _trial of openTrials(first, end)) count++
    return count
  }
  const indexCount = indexPerRepeat ? repeats : 1
  return Array.from({ length: indexCount }).flatMap((_, repeat) => {
    const end = indexPerRepeat ? repeat + 1 : repeats
    const id = repeat === 0 ? lineId(methodId, corpus.id) : lineId(methodId, corpus.id, repeat)
    const isNew = !finishedIds.indexes.has(id)
    const count = countOpen(repeat, end)
    if (count === 0 && !(repeat === 0 && isNew)) return []
    const firstPlace = breaker.reserve(count)
    /** The open trials, in order, each with its place in the breaker. */
    function* trials() {
      let place = firstPlace
      for (const trial of openTrials(repeat, end)) yield { ...trial, place: place++ }
    }
    return [{ at: { id, repeat }, isNew, count, trials }]
  })
}
