import { rowName } from '../../text/names.ts'
import type { Meter } from '../../models/index.ts'
import type { IndexLine, MeterLine, TrialLine } from '../../records.ts'
import { jobs, trialsOf, type AskPlan, type Job, openIndexes } from './jobs.ts'
import type { Performer } from './performer.ts'
import { mapAsDone } from '../map-as-done.ts'
import type { Counts, Progress } from '../progress.ts'
import { meterLines, readTrials } from '../results/read-lines.ts'
import { files, openJournal } from '../results/journal.ts'
import { sealFile, type Seal } from '../results/seal.ts'
import { openTrials } from '../results/write-trials.ts'

/**
 * Asks what has not been answered yet and appends it to trials.jsonl, each line when it is there. With a seal nothing that a trial or a score
 * says can be read in the folder meanwhile.
 */
export async function askAll(
  plan: AskPlan,
  performer: Performer,
  progress: Progress,
  signal: AbortSignal,
  seal?: Seal,
): Promise<Counts> {
  const { folder, total } = plan
  const done = await finished(folder)
  const kept = await countKept(plan, done)
  const { trials: lines, passages, scores } = files(folder)
  if (seal) for (const file of [lines, passages, scores]) await sealFile(file, seal)
  const trials = await openTrials(folder, seal)
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
    const isKnown = job.kind === 'index' && (!job.isNew || (job.repeat > 0 && !built.drew))
    return isKnown ? undefined : outcome
  }
  const indexes = openIndexes()
  progress.start('ask', total - kept)
  try {
    const work = jobs(plan, performer, done, indexes)
    const { concurrency } = performer
    // while a row waits for its index, or its turn, the questions of other rows are asked
    const ready = (job: Job): Promise<unknown> | undefined => (job.kind === 'trial' ? job.indexed : job.turn)
    for await (const outcome of mapAsDone(work, concurrency, perform, ready)) {
      if (!outcome) continue
      const { line, meter } = outcome
      trials.append(line)
      plan.shown(meter)
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

/** Ids of the lines that need not be made again; a failure is asked again. */
async function finished(folder: string): Promise<ReadonlySet<string>> {
  const done = new Set<string>()
  for await (const line of readTrials(folder)) if (!line.failure) done.add(line.id)
  return done
}

async function countKept(plan: AskPlan, done: ReadonlySet<string>): Promise<number> {
  if (done.size === 0) return 0
  let kept = 0
  for await (const corpus of plan.corpora()) {
    for (const entry of plan.methods) {
      kept += trialsOf(corpus, entry, plan.repeats).filter(({ id }) => done.has(id)).length
    }
  }
  return kept
}
