import { once } from '../../basics/memoise.ts'
import type { CircuitBreaker } from '../../models/index.ts'
import type { Failure, StoredLine } from '../../records.ts'
import type { Corpus } from '../../types.ts'
import type { MethodEntry } from '../prepare/method-entries.ts'
import type { DatasetOrder } from '../prepare/dataset-statistics.ts'
import { lineId } from '../prepare/identity.ts'
import type { TrialAt } from './run-trial.ts'
import { sharedParts, type IndexAt } from './build-index.ts'
import type { ChunkedCorpus } from './chunk-corpus.ts'
import type { IndexSource } from './executor.ts'

/** Repeats of each question; `indexPerRepeat`: each repeat has an index of its own if indexing is stochastic. */
export interface Repeats {
  readonly repeats: number
  readonly indexPerRepeat: boolean
}

/** Ids of the lines that need not be made again. */
export interface LineIds {
  readonly indexes: ReadonlySet<string>
  readonly trials: ReadonlySet<string>
}

/** A system over a corpus, with the indexes that have open trials. */
export interface WorkItem {
  readonly entry: MethodEntry
  readonly source: IndexSource
  readonly breaker: CircuitBreaker<Failure>
  /** By repeat; if the first of them uses no random numbers, it serves the others, too. */
  readonly indexes: readonly OpenIndex[]
}

/** An index with open trials. */
export interface OpenIndex {
  readonly at: IndexAt
  /** Whether its line is still to be written. */
  readonly isNew: boolean
  /** The open trials, in order, each with its place in the breaker. */
  readonly trials: () => Iterable<OpenTrial>
  readonly count: number
}

export interface OpenTrial extends TrialAt {
  readonly place: number
}

interface ItemsPlan extends Repeats {
  readonly methods: readonly MethodEntry[]
  readonly corpora: () => AsyncIterable<Corpus>
  readonly chunk: (corpus: Corpus) => Promise<ChunkedCorpus>
  readonly breakerOf: (entry: MethodEntry) => CircuitBreaker<Failure>
}

/** The work that is not finished, by corpus and system. */
export async function* workItems(plan: ItemsPlan, finishedIds: LineIds): AsyncGenerator<WorkItem> {
  for await (const corpus of plan.corpora()) {
    let source: IndexSource | undefined
    for (const entry of plan.methods) {
      const breaker = plan.breakerOf(entry)
      const indexes = openIndexes(corpus, entry, plan, finishedIds, breaker)
      if (indexes.length === 0) continue
      source ??= { corpus, chunkedCorpus: once(() => plan.chunk(corpus)), parts: sharedParts() }
      yield { entry, source, breaker, indexes }
    }
  }
}

function openIndexes(
  corpus: Corpus,
  entry: MethodEntry,
  plan: Repeats,
  finishedIds: LineIds,
  breaker: CircuitBreaker<Failure>,
): readonly OpenIndex[] {
  return indexedRepeats(plan).flatMap(({ repeat, repeats }) => {
    const id = indexId(corpus, entry, repeat)
    const isNew = !finishedIds.indexes.has(id)
    const count = countOpen(corpus, entry, repeat, repeats, finishedIds)
    if (count === 0 && !(repeat === 0 && isNew)) return []
    const first = breaker.reserve(count)
    function* trials(): Generator<OpenTrial> {
      let place = first
      for (const trial of trialsOf(corpus, entry, repeat, repeats))
        if (!finishedIds.trials.has(trial.id)) yield { ...trial, place: place++ }
    }
    return [{ at: { id, repeat }, isNew, count, trials }]
  })
}

function countOpen(corpus: Corpus, entry: MethodEntry, repeat: number, repeats: number, { trials }: LineIds): number {
  let count = corpus.questions.length * repeats
  if (trials.size > 0)
    for (const { id } of trialsOf(corpus, entry, repeat, repeats)) {
      if (trials.has(id)) count--
    }
  return count
}

/** For each index of a system over a corpus, its first repeat and how many repeats ask it. */
const indexedRepeats = ({ repeats, indexPerRepeat }: Repeats) =>
  indexPerRepeat ? Array.from({ length: repeats }, (_, repeat) => ({ repeat, repeats: 1 })) : [{ repeat: 0, repeats }]

const indexId = (corpus: Corpus, { id }: MethodEntry, repeat: number): string =>
  repeat === 0 ? lineId(id, corpus.id) : lineId(id, corpus.id, repeat)

function* trialsOf(corpus: Corpus, { id }: MethodEntry, first: number, repeats: number): Generator<TrialAt> {
  for (const question of corpus.questions)
    for (let repeat = first; repeat < first + repeats; repeat++)
      yield { id: lineId(id, corpus.id, question.id, repeat), question, repeat }
}

/** Rank of a line in trials.jsonl: by corpus, row, index, question and repeat; undefined for a stale line. */
export function lineRanks(
  { corpora, questions }: DatasetOrder,
  rows: readonly { readonly id: string }[],
  { repeats, indexPerRepeat }: Repeats,
): (line: StoredLine) => number | undefined {
  const rowPlaces = new Map(rows.map(({ id }, place) => [id, place]))
  const indexes = indexPerRepeat ? repeats : 1
  return (line) => {
    const corpus = corpora.get(line.corpus)
    const row = rowPlaces.get(line.methodId)
    const question = line.line === 'index' ? -1 : questions.get(line.question.id)
    if (!corpus || row === undefined || question === undefined) return undefined
    const before = corpus.place * indexes + corpus.questionsBefore * repeats
    const start = rows.length * before + row * (indexes + corpus.questions * repeats)
    const repeat = line.repeat ?? 0
    if (repeat >= repeats) return undefined
    const within = question - corpus.questionsBefore
    if (line.line === 'index') return start + repeat * (1 + corpus.questions)
    return indexPerRepeat ? start + repeat * (1 + corpus.questions) + 1 + within : start + 1 + within * repeats + repeat
  }
}
