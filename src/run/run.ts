import { join } from 'node:path'
import type { Plan } from '../config/index.ts'
import type { Manifest } from '../records.ts'
import { distinctEntries } from './asking/method-entry.ts'
import { askAll } from './asking/ask-all.ts'
import { ownPerformer } from './asking/performer.ts'
import { scoreAll } from './scoring/score-all.ts'
import { beginManifest, finishManifest } from './results/manifest.ts'
import { prepare, type Prepared } from './prepare/prepare.ts'
import { refuseOtherDimensions } from './prepare/refuse-other-vectors.ts'
import { stopOf, type Settings } from './settings.ts'
import { silent, type Counts, type Progress } from './progress.ts'
import { files } from './results/journal.ts'
import { hearStrays } from './strangers/strays.ts'
import { lockFolder } from './results/lock.ts'
import { openWorkers, type Workers } from './workers/open-workers.ts'
import { workerPerformer } from './workers/worker-performer.ts'

/** What a run did. */
export interface Outcome {
  readonly folder: string
  readonly manifest: Manifest
  readonly trials: Counts
  readonly scores: Counts
}

/**
 * Asks every question of every method of a plan and scores the answers, into `<results>/<name>-<hash>/`.
 * What is there already is kept, so that the same call resumes. Throws UserError for what a person can mend, AbortError when
 * stopped, and SpendingLimitError when the next call would exceed a limit of the settings.
 */
export async function run(plan: Plan, settings: Settings, progress: Progress = silent): Promise<Outcome> {
  const stopHearing = hearStrays(settings.warn ?? ((line) => process.emitWarning(line)))
  try {
    return await lockAndWork(plan, settings, progress)
  } finally {
    stopHearing()
  }
}

async function lockAndWork(plan: Plan, settings: Settings, progress: Progress): Promise<Outcome> {
  const workers = settings.workers === undefined ? undefined : await openWorkers(settings.workers, settings)
  try {
    const prepared = await prepare(plan, workers ? { ...settings, shared: workers.shared } : settings)
    const folder = join(settings.results, `${plan.name}-${prepared.hash}`)
    const stop = stopOf(settings, prepared.models, { roles, scorers: prepared.scorers })
    try {
      await refuseOtherDimensions(prepared.methods, prepared.models)
      const release = await lockFolder(folder)
      try {
        await settings.begins?.(folder)
        return await work(prepared, folder, stop, progress, workers)
      } finally {
        await release()
      }
    } finally {
      await prepared.close()
    }
  } finally {
    await workers?.close()
  }
}

const roles = ['complete', 'answer', 'embed', 'judge'] as const

async function work(
  prepared: Prepared,
  folder: string,
  stop: AbortSignal,
  progress: Progress,
  workers: Workers | undefined,
): Promise<Outcome> {
  const { plan, scorers, models, survey, style } = prepared
  const methods = distinctEntries(prepared.methods)
  const { chunks, budget, repeats, indexPerRepeat, seed, judgeRuns, limits } = plan
  const concurrency = Math.max(plan.concurrency, models.togetherAtLeast())
  const offered = await workers?.offer(prepared)
  const signal = offered ? AbortSignal.any([stop, offered.over]) : stop
  const conditions = { models, budget, style, seed, limits, ended: signal }
  const performer = offered ? workerPerformer(offered, conditions) : ownPerformer(conditions, concurrency)
  const begun = await beginManifest(folder, prepared, new Date())
  progress.models?.(begun.manifest.models)
  const total = survey.questions * methods.length * repeats
  const asking = { folder, methods, corpora: prepared.corpora, chunks, repeats, indexPerRepeat, total }
  const trials = await askAll(asking, performer, progress, signal)
  const rows = new Map(begun.manifest.methods.map((method) => [method.id, method]))
  const judging = { ...files(folder), scorers, judgeRuns, concurrency, seed, limits, rows }
  const scores = await scoreAll(judging, models, progress, signal)
  return { folder, manifest: await finishManifest(folder, begun, new Date()), trials, scores }
}
