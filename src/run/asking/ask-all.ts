import { once } from '../../basics/memoise.ts'
import { rowName } from '../../basics/row-name.ts'
import type { Meter } from '../../models/index.ts'
import type { IndexLine, MeterLine, TrialLine } from '../../records.ts'
import type { Corpus } from '../../types.ts'
import type { TrialAt } from './ask.ts'
import type { BuiltIndex } from './build-index.ts'
import { chunkCorpus, type ChunkSettings } from './chunk-corpus.ts'
import type { MethodEntry } from './method-entry.ts'
import { openIndexes, type OpenIndexes } from './open-indexes.ts'
import type { Performer, Place } from './performer.ts'
import { perRepeat } from './per-repeat.ts'
import { sharedParts } from './shared-parts.ts'
import { lineId } from '../results/identity.ts'
import { mapInOrder } from '../map-in-order.ts'
import type { Counts, Progress } from '../progress.ts'
import { meterLines } from '../results/meter-lines.ts'
import { files, openJournal } from '../results/journal.ts'
import { readTrials } from '../results/read-lines.ts'

/** One piece of work: the index of a corpus for a repeat, or a question asked of it. */
type Job = {
  readonly built: () => Promise<BuiltIndex>
  /** Says that the job needs its index no more. */
  readonly done: () => Promise<void>
  readonly method: MethodEntry
} & (
  | { readonly kind: 'index'; readonly repeat: number }
  | {
      readonly kind: 'trial'
      readonly place: Place
      readonly trial: TrialAt
    }
)

export interface AskPlan {
  readonly folder: string
  readonly methods: readonly MethodEntry[]
  readonly corpora: () => AsyncIterable<Corpus>
  readonly chunks: ChunkSettings
  readonly repeats: number
  /** Whether each repeat asks an index of its own, where the index depends on random numbers. */
  readonly indexPerRepeat: boolean
  /** Rows whose index is begun while another row is asked, so that one has work for the processor while the other waits for a model. */
  readonly indexesAhead: number
  /** Trials that a complete run has. */
  readonly total: number
}

/** Asks what has not been answered yet and appends it to trials.jsonl, in the order of corpora, methods, indexes, questions and repeats. */
export async function askAll(
  plan: AskPlan,
  performer: Performer,
  progress: Progress,
  signal: AbortSignal,
): Promise<Counts> {
  const { folder, total } = plan
  const done = await finished(folder)
  const kept = await countKept(plan, done)
  const trials = await openJournal<IndexLine | TrialLine>(files(folder).trials)
  const meters = await openJournal<MeterLine>(files(folder).meter)
  let made = 0
  let failed = 0
  /** Indexes that are being built: what takes long is said, not the trials that go on beside it. */
  const building = new Set<Job>()
  const sayAt = (job: Job): void => {
    const [{ kind, method } = job] = building
    progress.at?.('ask', `${kind === 'index' ? 'index of ' : ''}${rowName(method.row)}`)
  }
  const perform = async (job: Job): Promise<{ line: IndexLine | TrialLine; meter: Meter } | undefined> => {
    signal.throwIfAborted()
    if (job.kind === 'index') building.add(job)
    if (building.size > 0) sayAt(job)
    const built = await job.built().finally(() => building.delete(job))
    if (job.kind === 'trial' || building.size > 0) sayAt(job)
    const outcome = job.kind === 'index' ? built : await performer.ask(job.trial, job.method, built, job.place)
    signal.throwIfAborted()
    await job.done()
    // an index that drew nothing is that of the first repeat, which has its line
    return job.kind === 'index' && job.repeat > 0 && !built.drew ? undefined : outcome
  }
  const indexes = openIndexes()
  progress.start('ask', total - kept)
  try {
    for await (const outcome of mapInOrder(jobs(plan, performer, done, indexes), performer.concurrency, perform)) {
      if (!outcome) continue
      const { line, meter } = outcome
      trials.append(line)
      for (const mark of meterLines(line, meter)) meters.append(mark)
      progress.spent?.('ask', line.line === 'index' ? { index: line.usage } : line.usage)
      if (line.line === 'index') continue
      made++
      if (line.failure) failed++
      progress.tick('ask', line.failure !== undefined)
    }
  } finally {
    progress.end('ask')
    trials.close()
    meters.close()
    await indexes.close()
  }
  return { made, kept, failed }
}

/** The work that is not done, drawn corpus by corpus; an index is built only when something is asked of it. */
async function* jobs(
  plan: AskPlan,
  performer: Performer,
  done: ReadonlySet<string>,
  opened: OpenIndexes,
): AsyncGenerator<Job> {
  for await (const corpus of plan.corpora()) {
    const chunked = once(() => chunkCorpus(corpus, plan.chunks))
    const open = plan.methods.flatMap((entry) => {
      const indexes = indexesOf(corpus, entry, plan, done)
      return indexes.length > 0 ? [{ entry, indexes }] : []
    })
    const parts = sharedParts(open.map(({ entry }) => entry))
    const place: Place = { corpus, chunked, parts }
    const rows = open.map(({ entry, indexes }) => {
      const build = perRepeat((repeat) => performer.build({ id: indexId(corpus, entry, repeat), repeat }, entry, place))
      const isToBuild = (repeat: number): boolean => !done.has(indexId(corpus, entry, repeat))
      const share = opened.share(
        indexes.reduce((sum, { repeat, asked }) => sum + asked.length + Number(isToBuild(repeat)), 0),
      )
      return indexes.map(({ repeat, isLast, asked }) => {
        const built = once(async () => {
          const index = share.keep(await build(repeat))
          if (isLast || !index.drew) parts.letGo(entry)
          return index
        })
        const job = { built, done: share.done, method: entry }
        return { built, index: isToBuild(repeat) && ({ kind: 'index', ...job, repeat } as const), asked, job }
      })
    })
    let begun: readonly Promise<BuiltIndex>[] = []
    try {
      for (const [at, indexes] of rows.entries()) {
        begun = rows.slice(at + 1, at + 1 + plan.indexesAhead).flatMap(([next]) => next?.built() ?? [])
        // whoever asks of the index hears of its failure
        for (const one of begun) one.catch(() => undefined)
        for (const { index, asked, job } of indexes) {
          if (index) yield index
          for (const trial of asked) yield { kind: 'trial', ...job, place, trial }
        }
      }
    } finally {
      // where the run ends before its time, so that none is built after it
      await Promise.allSettled(begun)
    }
  }
}

/** The indexes that are still to be asked, by their first repeat, with what is still to be asked of them. */
function indexesOf(corpus: Corpus, entry: MethodEntry, plan: AskPlan, done: ReadonlySet<string>) {
  const all = repeatsOf(plan)
  return (plan.indexPerRepeat ? all.map((repeat) => [repeat]) : [all])
    .map((repeats) => ({
      repeat: repeats[0] ?? 0,
      asked: trialsOf(corpus, entry, repeats).filter(({ id }) => !done.has(id)),
    }))
    .filter(({ repeat, asked }) => asked.length > 0 || (repeat === 0 && !done.has(indexId(corpus, entry, repeat))))
    .map((index, place, { length }) => ({ ...index, isLast: place === length - 1 }))
}

const repeatsOf = ({ repeats }: AskPlan): readonly number[] => Array.from({ length: repeats }, (_, repeat) => repeat)

const indexId = (corpus: Corpus, { id }: MethodEntry, repeat: number): string =>
  repeat === 0 ? lineId(id, corpus.id) : lineId(id, corpus.id, repeat)

const trialsOf = (corpus: Corpus, { id }: MethodEntry, repeats: readonly number[]): TrialAt[] =>
  corpus.questions.flatMap((question) =>
    repeats.map((repeat) => ({ id: lineId(id, corpus.id, question.id, repeat), question, repeat })),
  )

/** Ids of the lines that need not be made again; a failure is asked again. */
async function finished(folder: string): Promise<ReadonlySet<string>> {
  const done = new Set<string>()
  for await (const line of readTrials(files(folder).trials)) {
    if (!line.failure) done.add(line.id)
  }
  return done
}

async function countKept(plan: AskPlan, done: ReadonlySet<string>): Promise<number> {
  if (done.size === 0) return 0
  const repeats = repeatsOf(plan)
  let kept = 0
  for await (const corpus of plan.corpora()) {
    for (const entry of plan.methods) {
      kept += trialsOf(corpus, entry, repeats).filter(({ id }) => done.has(id)).length
    }
  }
  return kept
}
