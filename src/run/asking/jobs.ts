import { itemAt } from '../../basics/collections.ts'
import { once } from '../../basics/memoise.ts'
import type { Meter } from '../../models/index.ts'
import type { Corpus, Index } from '../../types.ts'
import { lineId } from '../results/identity.ts'
import type { TrialAt } from './ask.ts'
import { type BuiltIndex, perRepeat, sharedParts } from './build-index.ts'
import type { ChunkedCorpus } from './chunk-corpus.ts'
import type { MethodEntry } from '../prepare/method-entries.ts'
import type { Performer, Place } from './performer.ts'
import type { CallCounts, JobCalls } from './call-counts.ts'
import { rowName } from '../../text/names.ts'

/** One piece of work: the index of a corpus for a repeat, or a question asked of it, which waits for the index. */
export type Job = {
  readonly built: () => Promise<BuiltIndex>
  /** Says that the job needs its index no more. */
  readonly done: () => Promise<void>
  readonly method: MethodEntry
} & (
  | {
      readonly kind: 'index'
      readonly repeat: number
      /** Whether its line is still to be written. */
      readonly isNew: boolean
    }
  | {
      readonly kind: 'trial'
      /** Resolves when its index is built, or failed to; the job of the index begins that. */
      readonly indexed: Promise<void>
      readonly place: Place
      readonly trial: TrialAt
      readonly calls: () => JobCalls
    }
)

export interface AskPlan {
  readonly folder: string
  readonly methods: readonly MethodEntry[]
  readonly corpora: () => AsyncIterable<Corpus>
  readonly cut: (corpus: Corpus) => Promise<ChunkedCorpus>
  readonly repeats: number
  /** Whether each repeat asks an index of its own, where the index depends on random numbers. */
  readonly indexPerRepeat: boolean
  /** Rows whose index is begun while another row is asked, so that the processor does not wait for a model. */
  readonly indexesAhead: number
  readonly total: number
  /** Whether calls can be seen as they are made: those of workers cannot. */
  readonly seesCalls: boolean
  /** Is told of every meter whose calls a line shows. */
  readonly shown: (meter: Meter) => void
}

interface CorpusRow {
  /** Begins its first index, and resolves when that is built. */
  readonly begin: () => Promise<unknown>
  readonly jobs: () => Iterable<Job>
}

/** What of a plan decides which work there is. */
type JobsPlan = Pick<AskPlan, 'methods' | 'corpora' | 'cut' | 'repeats' | 'indexPerRepeat' | 'indexesAhead'>

/** The work that is not done, corpus by corpus; an index is built only when it is, or soon will be, asked. */
export async function* jobs(
  plan: JobsPlan,
  performer: Pick<Performer, 'build'>,
  done: ReadonlySet<string>,
  opened: ReturnType<typeof openIndexes>,
  counts: CallCounts,
): AsyncGenerator<Job> {
  const next: CorpusRow[] = []
  const toBegin: CorpusRow[] = []
  const begun = new Set<Promise<unknown>>()
  // however few questions a row has: else a long list of small corpora would be begun all at once
  const beginAhead = (): void => {
    for (let row; begun.size <= plan.indexesAhead && (row = toBegin.shift());) {
      // whoever asks of the index is told of its failure
      const building = row.begin().catch(() => undefined)
      begun.add(building)
      void building.then(() => {
        begun.delete(building)
        beginAhead()
      })
    }
  }
  try {
    for await (const row of rowsOf(plan, performer, done, opened, counts)) {
      next.push(row)
      if (plan.indexesAhead > 0) toBegin.push(row)
      beginAhead()
      if (next.length > plan.indexesAhead) yield* itemAt(next.splice(0, 1), 0).jobs()
    }
    for (const row of next) yield* row.jobs()
  } finally {
    // where the run ends before its time, so that none is built after it
    toBegin.length = 0
    await Promise.all(begun)
  }
}

async function* rowsOf(
  plan: JobsPlan,
  performer: Pick<Performer, 'build'>,
  done: ReadonlySet<string>,
  opened: ReturnType<typeof openIndexes>,
  counts: CallCounts,
): AsyncGenerator<CorpusRow> {
  for await (const corpus of plan.corpora()) {
    const open = plan.methods.flatMap((entry) => {
      const indexes = indexesOf(corpus, entry, plan, done)
      return indexes.length > 0 ? [{ entry, indexes }] : []
    })
    const parts = sharedParts(open.map(({ entry }) => entry))
    if (open.length === 0) continue
    const chunked = await plan.cut(corpus)
    const place: Place = { corpus, chunked, parts }
    for (const { entry, indexes } of open) {
      const row = rowName(entry.row)
      const build = perRepeat(async (repeat) => {
        const { onUsage, end } = counts.index(row)
        const built = await performer.build({ id: indexId(corpus, entry, repeat), repeat }, entry, place, onUsage)
        end(built.meter)
        return built
      })
      const shares = opened.share(indexes.map(({ asked }) => 1 + asked.length))
      const ready = indexes.map(({ repeat, isLast, asked }, place) => {
        const { keep, done: jobDone } = itemAt(shares, place)
        const { over, begin } = awaited(async () => {
          const index = keep(await build(repeat))
          if (isLast || !index.drew) parts.release(entry)
          return index
        })
        const job = { built: begin, done: jobDone, method: entry }
        const isNew = !done.has(indexId(corpus, entry, repeat))
        return { begin, over, asked, job, index: { kind: 'index', ...job, repeat, isNew } as const }
      })
      const [first] = ready
      yield {
        begin: async () => first?.begin(),
        *jobs() {
          for (const one of ready) {
            yield one.index
            for (const trial of one.asked)
              yield { kind: 'trial', ...one.job, indexed: one.over, place, trial, calls: () => counts.trial(row) }
          }
        },
      }
    }
  }
}

/** What is made at the first `begin`; `over` resolves when that has come to an end, and begins nothing. */
function awaited<T>(make: () => Promise<T>): { readonly begin: () => Promise<T>; readonly over: Promise<void> } {
  let tell = (): void => undefined
  const over = new Promise<void>((resolve) => (tell = resolve))
  return { begin: once(() => make().finally(tell)), over }
}

/** The indexes that are still to be asked, by their first repeat, with what is still to be asked of them. */
function indexesOf(
  corpus: Corpus,
  entry: MethodEntry,
  plan: Pick<AskPlan, 'repeats' | 'indexPerRepeat'>,
  done: ReadonlySet<string>,
) {
  return indexedRepeats(plan)
    .map((repeats) => ({
      repeat: repeats.first,
      asked: trialsOf(corpus, entry, repeats.count, repeats.first).filter(({ id }) => !done.has(id)),
    }))
    .filter(({ repeat, asked }) => asked.length > 0 || (repeat === 0 && !done.has(indexId(corpus, entry, repeat))))
    .map((index, place, { length }) => ({ ...index, isLast: place === length - 1 }))
}

/** For each index of a row over a corpus, its first repeat and how many ask it. */
const indexedRepeats = ({ repeats, indexPerRepeat }: Pick<AskPlan, 'repeats' | 'indexPerRepeat'>) =>
  indexPerRepeat ? Array.from({ length: repeats }, (_, first) => ({ first, count: 1 })) : [{ first: 0, count: repeats }]

const indexId = (corpus: Corpus, { id }: Pick<MethodEntry, 'id'>, repeat: number): string =>
  repeat === 0 ? lineId(id, corpus.id) : lineId(id, corpus.id, repeat)

/** The trials of a row over a corpus in so many repeats from the first one on, done or not. */
export const trialsOf = (corpus: Corpus, { id }: Pick<MethodEntry, 'id'>, repeats: number, first = 0): TrialAt[] =>
  corpus.questions.flatMap((question) =>
    Array.from({ length: repeats }, (_, place) => {
      const repeat = first + place
      return { id: lineId(id, corpus.id, question.id, repeat), question, repeat }
    }),
  )

/** The ids of all lines of a finished trials.jsonl: by corpus, row, index, question and repeat. */
export async function* lineIds(
  plan: Pick<AskPlan, 'corpora' | 'repeats' | 'indexPerRepeat'>,
  rows: readonly Pick<MethodEntry, 'id'>[],
): AsyncGenerator<string> {
  for await (const corpus of plan.corpora())
    for (const row of rows)
      for (const { first, count } of indexedRepeats(plan)) {
        yield indexId(corpus, row, first)
        for (const { id } of trialsOf(corpus, row, count, first)) yield id
      }
}

/** No index yet; those under way in a run are closed as soon as nothing more is asked of them. */
export function openIndexes() {
  const open = new Set<Index>()
  const close = async (index: Index | undefined): Promise<void> => {
    // an index that serves several repeats is closed once
    if (index && open.delete(index)) await index.close?.()
  }
  return {
    /**
     * Of one method over one corpus: for each index, how many jobs wait on it. `keep` takes the index that is built,
     * `done` is called after every job.
     */
    share(jobs: readonly number[]) {
      let left = jobs.reduce((sum, count) => sum + count, 0)
      const ends: (() => Promise<void>)[] = []
      return jobs.map((count) => {
        let own = count
        let kept: BuiltIndex | undefined
        const end = (): Promise<void> => close(kept?.index)
        ends.push(end)
        return {
          keep: (built: BuiltIndex): BuiltIndex => {
            kept = built
            if (built.index?.close) open.add(built.index)
            return built
          },
          done: async (): Promise<void> => {
            own--
            left--
            if (left === 0) await Promise.all(ends.map((one) => one()))
            // one that drew no random numbers serves the other repeats, too
            else if (own === 0 && kept?.drew) await end()
          },
        }
      })
    },
    async close(): Promise<void> {
      await Promise.all([...open].map(close))
    },
  }
}
