import { rowName } from '../../text/names.ts'
import type { Meter } from '../../models/index.ts'
import type { Failure, IndexLine, MeterLine, TrialLine } from '../../records.ts'
import type { BuiltIndex } from './build-index.ts'
import { callCounts } from './call-counts.ts'
import { firstJobs, outcomeOf } from './first-trials.ts'
import { jobs, trialsOf, type AskPlan, type Job, openIndexes } from './jobs.ts'
import type { Performer } from './performer.ts'
import { forEachJob } from '../for-each-job.ts'
import type { Counts, Progress } from '../settings.ts'
import { meterLines, storedLines } from '../results/read-lines.ts'
import { files, openJournal } from '../results/journal.ts'
import { openTrials } from '../results/write-trials.ts'

/** Asks what is not answered yet and appends it to trials.jsonl. */
export async function askAll(
  plan: AskPlan,
  performer: Performer,
  progress: Progress,
  signal: AbortSignal,
): Promise<Counts> {
  const { folder, total } = plan
  const done = await finished(folder)
  const { kept, rows } = await keptTrials(plan, done)
  const groupOf = ({ method }: TrialJob) => ({ id: method.id, whose: 'the row' })
  const first = firstJobs(groupOf, rows)
  const trials = await openTrials(folder)
  const meters = await openJournal<MeterLine>(files(folder).meter)
  let made = 0
  let failed = 0
  const perform = async (job: Job): Promise<void> => {
    signal.throwIfAborted()
    const built = await job.built()
    if (job.kind === 'trial') progress.at?.('ask', rowName(job.method.row))
    const outcome = job.kind === 'index' ? built : await ask(job, built)
    signal.throwIfAborted()
    // an index that drew nothing is that of the first repeat, which has its line
    const isKnown = job.kind === 'index' && (!job.isNew || (job.repeat > 0 && !built.drew))
    if (!isKnown) write(outcome)
    await job.done()
  }
  const write = ({ line, meter }: { readonly line: IndexLine | TrialLine; readonly meter: Meter }): void => {
    trials.append(line)
    plan.shown(meter)
    for (const mark of meterLines(line, meter)) meters.append(mark)
    if (line.line === 'index') return
    made++
    if (line.failure) failed++
    progress.tick('ask', line.failure !== undefined)
  }
  const ask = async (job: TrialJob, built: BuiltIndex): ReturnType<Performer['ask']> => {
    const failure = await first.enter(job)
    const index = failure ? failedIndex(built, failure) : built
    const { onUsage, end } = job.calls()
    const outcome = await performer.ask(job.trial, job.method, index, job.place, onUsage)
    end(outcome.meter)
    first.end(job, outcomeOf(outcome.line))
    return outcome
  }
  const enter = (job: TrialJob): Promise<unknown> => Promise.all([job.indexed, first.enter(job)])
  const indexes = openIndexes()
  const counts = callCounts(plan.seesCalls)
  progress.start('ask', total - kept, counts.soFar)
  try {
    const work = jobs(plan, performer, done, indexes, counts)
    const { concurrency } = performer
    // while a row waits for its index, the questions of other rows are asked
    const ready = (job: Job): Promise<unknown> | undefined => (job.kind === 'trial' ? enter(job) : undefined)
    await forEachJob(work, concurrency, perform, ready)
  } finally {
    progress.end('ask')
    trials.close()
    meters.close()
    await indexes.close()
  }
  return { made, kept, failed }
}

/** Ids of the lines that need not be made again; a failure is asked again. */
async function finished(folder: string): Promise<ReadonlySet<string>> {
  const done = new Set<string>()
  for await (const { value } of storedLines(folder, { isUnique: true })) {
    if (value.failure) done.delete(value.id)
    else done.add(value.id)
  }
  return done
}

async function keptTrials(plan: AskPlan, done: ReadonlySet<string>): Promise<{ kept: number; rows: Set<string> }> {
  const rows = new Set<string>()
  let kept = 0
  if (done.size === 0) return { kept, rows }
  for await (const corpus of plan.corpora())
    for (const entry of plan.methods) {
      const there = trialsOf(corpus, entry, plan.repeats).filter(({ id }) => done.has(id)).length
      if (there > 0) rows.add(entry.id)
      kept += there
    }
  return { kept, rows }
}

type TrialJob = Extract<Job, { kind: 'trial' }>

/** An index of which nothing is asked: its trials have that failure. */
function failedIndex({ index: _asked, ...built }: BuiltIndex, failure: Failure): BuiltIndex {
  return { ...built, line: { ...built.line, failure } }
}
