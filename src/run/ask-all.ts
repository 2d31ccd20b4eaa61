import { chunk, type ChunkOptions } from '../chunking/index.ts'
import type { Meter } from '../models/meter.ts'
import type { IndexLine, MeterLine, Row, TrialLine } from '../records.ts'
import { tokenizer } from '../text/tokens.ts'
import type { TokenizerName } from '../text/tokens.ts'
import type { Corpus, Phase, Question } from '../types.ts'
import { ask, buildIndex, type Built, type Conditions, type Contestant, type Shelf } from './ask.ts'
import { locator } from './evidence.ts'
import { lineId } from './identity.ts'
import { inOrder } from './ordered.ts'
import type { Progress } from './progress.ts'
import { files, openJournal, readJournal } from './store.ts'

/** One piece of work: the index of a corpus, or a question asked of it. */
type Job =
  | { readonly kind: 'index'; readonly built: () => Promise<Built> }
  | {
      readonly kind: 'trial'
      readonly built: () => Promise<Built>
      readonly contestant: Contestant
      readonly shelf: Shelf
      readonly trial: { readonly id: string; readonly question: Question; readonly repeat: number }
    }

export interface AskPlan {
  readonly folder: string
  readonly contestants: readonly Contestant[]
  readonly corpora: () => AsyncIterable<Corpus>
  readonly chunks: ChunkOptions & { readonly tokenizer: TokenizerName }
  readonly repeats: number
  readonly concurrency: number
  /** Trials that a complete run has. */
  readonly total: number
}

export interface Counts {
  /** Outcomes made now. */
  readonly made: number
  /** Outcomes that were there before. */
  readonly kept: number
  /** Of those made now, how many failed. */
  readonly failed: number
}

/** Asks what has not been answered yet and appends it to trials.jsonl, in the order of corpora, methods, questions and repeats. */
export async function askAll(
  plan: AskPlan,
  conditions: Conditions,
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
  const perform = async (job: Job): Promise<{ line: IndexLine | TrialLine; meter: Meter }> => {
    signal.throwIfAborted()
    const built = await job.built()
    const outcome = job.kind === 'index' ? built : await ask(job.trial, job.contestant, built, job.shelf, conditions)
    signal.throwIfAborted()
    return outcome
  }
  progress.start('ask', total - kept)
  try {
    for await (const { line, meter } of inOrder(jobs(plan, conditions, done), plan.concurrency, perform)) {
      await trials.append(line)
      for (const mark of marks(line, meter)) void meters.append(mark)
      if (line.line === 'index') continue
      made++
      if (line.failure) failed++
      progress.tick('ask', line.failure !== undefined)
    }
  } finally {
    progress.end('ask')
    await Promise.all([trials.close(), meters.close()])
  }
  return { made, kept, failed }
}

/** The work that is not done, drawn corpus by corpus; an index is built only when something is asked of it. */
async function* jobs(plan: AskPlan, conditions: Conditions, done: ReadonlySet<string>): AsyncGenerator<Job> {
  for await (const corpus of plan.corpora()) {
    let shelf: Shelf | undefined
    for (const contestant of plan.contestants) {
      const indexId = lineId(contestant.id, corpus.id)
      const asked = trialsOf(corpus, contestant, plan.repeats).filter(({ id }) => !done.has(id))
      if (asked.length === 0 && done.has(indexId)) continue
      const filled = (shelf ??= fill(corpus, plan.chunks))
      const built = once(() => buildIndex(indexId, contestant, filled, conditions))
      if (!done.has(indexId)) yield { kind: 'index', built }
      for (const trial of asked) yield { kind: 'trial', built, contestant, shelf: filled, trial }
    }
  }
}

const trialsOf = (
  corpus: Corpus,
  { id }: Contestant,
  repeats: number,
): { id: string; question: Question; repeat: number }[] =>
  corpus.questions.flatMap((question) =>
    Array.from({ length: repeats }, (_, repeat) => ({
      id: lineId(id, corpus.id, question.id, repeat),
      question,
      repeat,
    })),
  )

/** Cuts a corpus into chunks. */
export function fill(corpus: Corpus, options: AskPlan['chunks']): Shelf {
  const words = tokenizer(options.tokenizer)
  const chunks = corpus.documents.flatMap((document, index) => chunk(document, index, options, words))
  return { corpus, chunks, locate: locator(corpus, chunks) }
}

/** Ids of the lines that need not be made again; a failure is asked again. */
async function finished(folder: string): Promise<ReadonlySet<string>> {
  const done = new Set<string>()
  for await (const line of readJournal<IndexLine | TrialLine>(files(folder).trials)) {
    if (!line.failure) done.add(line.id)
  }
  return done
}

async function countKept(plan: AskPlan, done: ReadonlySet<string>): Promise<number> {
  if (done.size === 0) return 0
  let kept = 0
  for await (const corpus of plan.corpora()) {
    for (const contestant of plan.contestants) {
      kept += trialsOf(corpus, contestant, plan.repeats).filter(({ id }) => done.has(id)).length
    }
  }
  return kept
}

/** What the machine did for a line, by phase. */
export function marks({ method, variant }: Row, meter: Meter): readonly MeterLine[] {
  const phases: readonly Phase[] = ['index', 'retrieve', 'answer', 'judge']
  return phases.flatMap((phase) => {
    const { cached, milliseconds } = meter.spent(phase)
    return cached > 0 || milliseconds > 0 ? [{ method, variant, phase, cached, milliseconds }] : []
  })
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}
