import { join } from 'node:path'
import type { Plan } from '../config/index.ts'
import type { Manifest } from '../records.ts'
import { distinctEntries } from './asking/method-entry.ts'
import { askAll } from './asking/ask-all.ts'
import { scoreAll } from './scoring/score-all.ts'
import { beginManifest, finishManifest } from './results/manifest.ts'
import { prepare, type Prepared } from './prepare/prepare.ts'
import { stopOf, type Settings } from './settings.ts'
import { silent, type Counts, type Progress } from './progress.ts'
import { files } from './results/journal.ts'
import { tellStrays } from './strangers/current-call.ts'
import { lockFolder } from './results/lock.ts'

/** What a run did. */
export interface Outcome {
  readonly folder: string
  readonly manifest: Manifest
  readonly trials: Counts
  readonly scores: Counts
  /** Errors that strangers' code threw outside every call; no row is changed by them. */
  readonly strays: number
}

/**
 * Asks every question of every method of a plan and scores the answers, into `<results>/<name>-<hash>/`.
 * What is there already is kept, so that the same call resumes. Throws UserError for what a person can mend, AbortError when
 * stopped, and SpendingLimitError when the next call would exceed a limit of the settings.
 */
export async function run(plan: Plan, settings: Settings, progress: Progress = silent): Promise<Outcome> {
  const strays = tellStrays(settings.warn ?? (() => undefined))
  const prepared = await prepare(plan, settings)
  const folder = join(settings.results, `${plan.name}-${prepared.hash}`)
  try {
    const release = await lockFolder(folder)
    try {
      const done = await work(prepared, folder, stopOf(settings), progress)
      return { ...done, strays: strays() }
    } finally {
      await release()
    }
  } finally {
    await prepared.close()
  }
}

async function work(
  prepared: Prepared,
  folder: string,
  signal: AbortSignal,
  progress: Progress,
): Promise<Omit<Outcome, 'strays'>> {
  const { plan, scorers, models, survey, style } = prepared
  const methods = distinctEntries(prepared.methods)
  const manifest = await beginManifest(folder, prepared, new Date())
  const { chunks, budget, repeats, indexPerRepeat, concurrency, seed, judgeRuns, limits } = plan
  const total = survey.questions * methods.length * repeats
  const asking = { folder, methods, corpora: prepared.corpora, chunks, repeats, indexPerRepeat, concurrency, total }
  const trials = await askAll(asking, { models, budget, style, seed, limits }, progress, signal)
  const rows = new Map(manifest.methods.map((method) => [method.id, method]))
  const judging = { ...files(folder), scorers, judgeRuns, concurrency, seed, limits, rows }
  const scores = await scoreAll(judging, models, progress, signal)
  return { folder, manifest: await finishManifest(folder, manifest, new Date()), trials, scores }
}
