import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfigValue, type Plan } from '../../config/index.ts'
import type { OpenedModels } from '../../models/index.ts'
import type { Manifest } from '../../records.ts'
import { scoreAll } from './score-all.ts'
import { scorerRecords } from '../results/scorer-records.ts'
import { menus } from '../plug-ins/menus.ts'
import { openPlanModels } from '../prepare/open-plan-models.ts'
import { refuseUnableModels } from '../prepare/refuse-unable-models.ts'
import { refuseUnpriced } from '../prepare/refuse-unpriced.ts'
import { scorerEntriesOf } from '../prepare/scorer-entries.ts'
import { stopOf, type Settings } from '../settings.ts'
import { silent, type Counts, type Progress } from '../progress.ts'
import type { Results } from '../results/results.ts'
import { files } from '../results/journal.ts'
import { lockFolder } from '../results/lock.ts'
import { replaceFile } from '../results/replace-file.ts'

/**
 * Scores every trial of a results folder anew with the scorers that its manifest names, as they are now; no method and no
 * answerer is asked, and a judge only for what the cache does not hold. scores.jsonl is replaced whole or not at all.
 */
export async function rescore(results: Results, settings: Settings, progress: Progress = silent): Promise<Counts> {
  const { folder, manifest } = results
  const plan = await planOf(manifest, folder)
  const { models, close } = await openPlanModels(plan, settings)
  try {
    const release = await lockFolder(folder)
    try {
      return await replaceScores(results, plan, models, settings, progress)
    } finally {
      await release()
    }
  } finally {
    await close()
  }
}

async function replaceScores(
  { folder, manifest }: Results,
  plan: Plan,
  models: OpenedModels,
  settings: Settings,
  progress: Progress,
): Promise<Counts> {
  const { trials, scores } = files(folder)
  const part = `${scores}.part`
  await rm(part, { force: true })
  const scorers = await scorerEntriesOf(plan.scorers ?? [], models)
  refuseUnableModels({ scorers }, models)
  refuseUnpriced(['embed', 'judge'], scorers, models, settings)
  const { judgeRuns, concurrency, seed, limits } = plan
  const rows = new Map(manifest.methods.map((method) => [method.id, method]))
  const judging = { trials, scores: part, meter: null, scorers, judgeRuns, concurrency, seed, limits, rows }
  const counts = await scoreAll(judging, models, progress, stopOf(settings))
  await rename(part, scores)
  await replaceFile(
    join(folder, 'manifest.json'),
    `${JSON.stringify({ ...manifest, scorers: scorerRecords(scorers) }, null, 2)}\n`,
  )
  return counts
}

/** The models and scorers of a manifest, read as a config is. A key that is not set now matters only to a judge that must be asked. */
async function planOf({ name, seed, judgeRuns, scorers, config }: Manifest, folder: string): Promise<Plan> {
  const { models, chunks, concurrency, limits } = config as Readonly<Record<string, unknown>>
  const value = {
    ...{ name, seed, judgeRuns, models, chunks, concurrency, ...(limits !== undefined && { limits }) },
    // neither is asked
    ...{ dataset: 'sample', methods: ['closed-book'] },
    scorers: scorers.map(({ use, scorer, options }) => ({ use, label: scorer, ...(options as object) })),
  }
  const names = JSON.stringify(value).matchAll(/\$\{(\w+)\}/g)
  const unset = Object.fromEntries([...names].map(([, variable = '']) => [variable, 'not-set']))
  const settings = { cwd: process.cwd(), environment: { ...unset, ...process.env } }
  return readConfigValue(value, join(folder, 'manifest.json'), settings, menus)
}
