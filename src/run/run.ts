import { join } from 'node:path'
import type { Plan } from '../config/index.ts'
import type { Manifest } from '../records.ts'
import type { Contestant } from './ask.ts'
import { askAll, type Counts } from './ask-all.ts'
import { judgeAll } from './judge-all.ts'
import { beginManifest, finishManifest } from './manifest.ts'
import { prepare, type Prepared, type Settings } from './prepare.ts'
import { silent, type Progress } from './progress.ts'
import { files, lockFolder } from './store.ts'

/** What a run did. */
export interface Outcome {
  readonly folder: string
  readonly manifest: Manifest
  readonly trials: Counts
  readonly scores: Counts
}

/**
 * Asks every question of every method of a plan and scores the answers, into `<results>/<name>-<hash>/`.
 * What is there already is kept, so that the same call resumes. Throws UserError for what a person can mend, AbortError when stopped.
 */
export async function run(plan: Plan, settings: Settings, progress: Progress = silent): Promise<Outcome> {
  const prepared = await prepare(plan, settings)
  const folder = join(settings.results, `${plan.name}-${prepared.hash}`)
  try {
    const release = await lockFolder(folder)
    try {
      return await work(prepared, folder, settings.signal, progress)
    } finally {
      await release()
    }
  } finally {
    await prepared.close()
  }
}

/** Rows that differ in nothing but their labels share their lines: two sweeps that cross ask their common point once. */
const distinct = (contestants: readonly Contestant[]): readonly Contestant[] =>
  contestants.filter(({ id }, index) => contestants.findIndex((other) => other.id === id) === index)

async function work(prepared: Prepared, folder: string, signal: AbortSignal, progress: Progress): Promise<Outcome> {
  const { plan, judges, models, survey, style } = prepared
  const contestants = distinct(prepared.contestants)
  const manifest = await beginManifest(folder, prepared, new Date())
  const { chunks, budget, repeats, concurrency, seed, judgeRuns } = plan
  const total = survey.questions * contestants.length * repeats
  const asking = { folder, contestants, corpora: prepared.corpora, chunks, repeats, concurrency, total }
  const trials = await askAll(asking, { models, budget, style, seed }, progress, signal)
  const rows = new Set(manifest.methods.map(({ id }) => id))
  const judging = { ...files(folder), judges, judgeRuns, concurrency, seed, rows }
  const scores = await judgeAll(judging, models, progress, signal)
  return { folder, manifest: await finishManifest(folder, manifest, new Date()), trials, scores }
}
