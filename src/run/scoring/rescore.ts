import { rename, rm } from 'node:fs/promises'
import type { Plan } from '../../config/index.ts'
import { UserError } from '../../errors.ts'
import type { OpenedModels } from '../../models/index.ts'
import type { Manifest } from '../../records.ts'
import { canonicalJson } from '../../text/hash.ts'
import { unknownOpponents } from './gather-needs.ts'
import { rescoringPlan, type Trust } from './rescoring-plan.ts'
import { scoreAll } from './score-all.ts'
import { scorerRecords } from '../results/scorer-records.ts'
import { openPlanModels } from '../prepare/open-plan-models.ts'
import { refuseUnableModels } from '../prepare/refuse-unable-models.ts'
import { refuseUnpriced } from '../prepare/refuse-unpriced.ts'
import { scorerEntriesOf } from '../prepare/scorer-entries.ts'
import { stopOf, type Settings } from '../settings.ts'
import { silent, type Progress, type ScoreCounts } from '../progress.ts'
import type { Results } from '../results/results.ts'
import { modelIdentity } from '../results/identity.ts'
import { files } from '../results/journal.ts'
import { orderScores } from '../results/write-trials.ts'
import { lockFolder } from '../results/lock.ts'
import { usedCalls } from '../results/used-calls.ts'
import { writeManifest } from '../results/checksums.ts'

/**
 * Scores every trial of a results folder anew with the scorers that its manifest or the config given again names, as they are now; no method
 * and no answerer is asked, and a judge only for what the cache does not hold. scores.jsonl is replaced whole or not at all. Throws UserError
 * where the manifest names what is not trusted.
 */
export async function rescore(
  results: Results,
  settings: Settings,
  progress: Progress = silent,
  trust: Trust = {},
): Promise<ScoreCounts> {
  const { folder, manifest } = results
  const plan = await rescoringPlan(manifest, folder, trust)
  const used = usedCalls()
  const { models, close } = await openPlanModels(plan, { ...settings, used: used.note })
  try {
    const release = await lockFolder(folder)
    try {
      await used.keepIn(folder)
      if (trust.plan) refuseOtherEmbedder(manifest, models)
      return await replaceScores(
        { ...results, manifest: trust.plan ? judgedBy(manifest, plan, models) : manifest },
        plan,
        models,
        settings,
        progress,
      )
    } finally {
      await release()
    }
  } finally {
    await close()
    await used.close()
  }
}

async function replaceScores(
  { folder, manifest, changed }: Results,
  plan: Plan,
  models: OpenedModels,
  settings: Settings,
  progress: Progress,
): Promise<ScoreCounts> {
  const { scores } = files(folder)
  const part = `${scores}.part`
  await rm(part, { force: true })
  const scorers = await scorerEntriesOf(plan.scorers ?? [], models)
  refuseUnableModels({ scorers }, models)
  const strangers = unknownOpponents(scorers, manifest.methods)
  if (strangers.length > 0) throw new UserError(strangers.join('\n'))
  const roles = ['embed', 'judge'] as const
  refuseUnpriced(roles, scorers, models, settings)
  const { judgeRuns, seed, limits } = plan
  const concurrency = Math.max(plan.concurrency, models.togetherAtLeast())
  const rows = new Map(manifest.methods.map((method) => [method.id, method]))
  const judging = { folder, scores: part, meter: null, scorers, judgeRuns, concurrency, seed, limits, rows }
  const counts = await scoreAll(judging, models, progress, stopOf(settings, models, { roles, scorers }))
  await orderScores(folder, part, scorers)
  await rename(part, scores)
  // what was changed by hand stays known as such
  const isChanged = (await changed()).includes('manifest.json')
  const { scores: _scores, manifest: own, ...others } = manifest.checksums ?? {}
  const kept = { ...others, ...(isChanged && own !== undefined && { manifest: own }) }
  await writeManifest(folder, { ...manifest, scorers: scorerRecords(scorers) }, kept)
  return counts
}

/** Scores from vectors of another embedder than the manifest names would look like its own. */
function refuseOtherEmbedder({ models: { embed } }: Manifest, models: OpenedModels): void {
  if (canonicalJson(modelIdentity(embed)) === canonicalJson(modelIdentity(models.describe().embed))) return
  throw new UserError(
    'models.embed of the config is not the embedder of the run; give the config that the run was made with',
  )
}

/** A manifest that names the judge of a plan. */
function judgedBy(manifest: Manifest, { record }: Plan, models: OpenedModels): Manifest {
  const config = manifest.config as Readonly<Record<string, object>>
  const { judge } = record['models'] as Readonly<Record<string, unknown>>
  const scorers = record['scorers'] === undefined ? {} : { scorers: record['scorers'] }
  return {
    ...manifest,
    config: { ...config, models: { ...config['models'], judge }, ...scorers },
    models: { ...manifest.models, judge: models.describe().judge },
  }
}
