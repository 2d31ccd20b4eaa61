import { rename, rm } from 'node:fs/promises'
import { type Plan, readConfigValue } from '../../config/index.ts'
import { UserError } from '../../errors.ts'
import type { OpenedModels } from '../../models/index.ts'
import type { Manifest, ScorerRecord } from '../../records.ts'
import { canonicalJson } from '../../text/hash.ts'
import { type CollectedTrials, collectTrials, unknownOpponents } from './collect-trials.ts'
import { scoreAll } from './score-all.ts'
import { testJudges, testsIn, withTests } from './test-judges.ts'
import { scorerRecords, scorerEntriesOf, type ScorerEntry } from '../prepare/scorer-entries.ts'
import { openPlanModels } from '../prepare/open-plan-models.ts'
import { refuseUnableModels, requirePrices } from '../prepare/prepare.ts'
import { stopOf, type Settings, silent, type Progress, type ScoreCounts } from '../settings.ts'
import { callCounts } from '../execute/call-counts.ts'
import { configFolder, type Results, writeManifest } from '../results/results.ts'
import { modelIdentity, ownModels, remainingModel, remainingOptions } from '../results/identity.ts'
import { files } from '../results/journal.ts'
import { orderScores } from '../results/write-trials.ts'
import { lockFolder } from '../results/lock.ts'
import { usedCalls } from '../results/used-calls.ts'
import { join } from 'node:path'
import { filesOf } from '../../define.ts'
import { isObjectName, type PlugInObjects } from '../plug-ins/extract-objects.ts'
import { registries } from '../plug-ins/registries.ts'

/**
 * Scores every trial of a results folder again with the scorers that its manifest or the config given again names; no
 * method and no answerer is asked, and a judge only for what the cache does not hold. scores.jsonl is replaced whole or
 * not at all. Throws UserError where the manifest names what is not trusted.
 */
export async function rescore(
  results: Results,
  settings: Settings,
  progress: Progress = silent,
  trust: Trust = {},
): Promise<ScoreCounts> {
  const { folder } = results
  const { scores } = files(folder)
  const part = `${scores}.part`
  const used = usedCalls()
  const release = await lockFolder(folder)
  try {
    await used.keepIn(folder)
    await rm(part, { force: true })
    const noting = { ...settings, onCall: used.note }
    const { counts, collected, manifest } = await scoreInto(part, results, noting, progress, trust)
    await orderScores(part, collected.places, manifest.scorers)
    await rename(part, scores)
    // what was changed by hand stays known as such
    const isChanged = (await results.changed()).includes('manifest.json')
    const { scores: _scores, manifest: digest, ...others } = manifest.checksums ?? {}
    await writeManifest(folder, manifest, { ...others, ...(isChanged && digest !== undefined && { manifest: digest }) })
    return counts
  } finally {
    await used.close()
    await release()
  }
}

/** Scores every trial of a run into a new file; the manifest that is returned names the scorers. */
export async function scoreInto(
  scores: string,
  results: Pick<Results, 'folder' | 'manifest' | 'trials'>,
  settings: Omit<Settings, 'results'>,
  progress: Progress,
  trust: Trust,
): Promise<{ readonly counts: ScoreCounts; readonly collected: CollectedTrials; readonly manifest: Manifest }> {
  const { manifest } = results
  const plan = await rescoringPlan(manifest, results.folder, trust)
  const objects = trust.recorded?.objects ?? settings.objects
  const { models, close } = await openPlanModels(plan, { ...settings, ...(objects && { objects }) })
  try {
    if (trust.plan) refuseOtherEmbedder(manifest, models)
    const scorers = await scorerEntriesOf(plan.scorers ?? [], models, manifest.dataset.language)
    refuseUnfit(scorers, manifest, models)
    const roles = ['embed', 'judge'] as const
    requirePrices(roles, scorers, models, settings)
    const { judgeRuns, concurrency, seed, limits } = plan
    const rows = new Map(manifest.methods.map((method) => [method.id, method]))
    const collected = collectTrials(scorers, rows)
    for await (const line of results.trials()) collected.add(line)
    const data = { trials: () => results.trials(), collected, rows, scores, meter: null }
    const judging = { ...data, scorers, judgeRuns, concurrency, seed, limits, counts: callCounts() }
    // a recorded judge is not tried again on known claims
    const tests = trust.recorded ? testsIn(manifest) : await testJudges(judging, manifest.scorers, models)
    const counts = await scoreAll(judging, models, progress, stopOf(settings, models, { roles, scorers }))
    const judged = trust.plan ? judgedBy(manifest, plan, models) : manifest
    return { counts, collected, manifest: { ...judged, scorers: withTests(scorerRecords(scorers), tests) } }
  } finally {
    await close()
  }
}

/** Throws UserError where the scorers cannot score the answers, models or rows of the run. */
function refuseUnfit(scorers: readonly ScorerEntry[], manifest: Manifest, models: OpenedModels): void {
  const reading = scorers.find(({ scorer }) => scorer.readsAnswer !== false)
  if (manifest.answers === 'none' && reading)
    throw new UserError(
      `the run asked for no answer (answers: none), and the scorer "${reading.label}" reads it: run a config with other "answers"`,
    )
  refuseUnableModels({ scorers }, models)
  const faults = unknownOpponents(scorers, manifest.methods)
  if (faults.length > 0) throw new UserError(faults.join('\n'))
}

/** Scores from vectors of another embedder than the manifest names would look like its own. */
function refuseOtherEmbedder({ models: { embed } }: Manifest, models: OpenedModels): void {
  if (canonicalJson(modelIdentity(embed)) === canonicalJson(modelIdentity(models.describe().embed))) return
  throw new UserError(
    'models.embed of the config is not the embedder of the run; give the config that the run was made with',
  )
}

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

/** The models of a run for a plan, and the objects that stand for them there. */
export interface RecordedModels {
  readonly planned: Plan['models']
  readonly objects: PlugInObjects
}

/** Where the scorers and models of a run that is scored again come from, and whether what they name is followed. */
export interface Trust {
  /** The config of the run, given again. */
  readonly plan?: Plan
  /** What the manifest names may be followed. */
  readonly trusted?: boolean
  /** Its models give recorded responses alone, so that nothing that they name is followed. */
  readonly recorded?: RecordedModels
  /** Where relative paths of the manifest begin, if not at its own folder. */
  readonly base?: string
}

/**
 * The models and scorers that score a run again. Throws UserError for a file, address or variable that a manifest names
 * and that is not trusted. Of a trusted one, a missing key matters only to a judge that must be asked.
 */
async function rescoringPlan(
  manifest: Manifest,
  folder: string,
  { plan, trusted = false, recorded, base = configFolder(folder) }: Trust,
): Promise<Plan> {
  const { name, seed, judgeRuns } = manifest
  if (plan?.scorers) return { ...plan, name, seed, judgeRuns }
  const file = join(folder, 'manifest.json')
  const objects = manifest.scorers.filter(({ use }) => isObjectName(use)).map(({ scorer }) => `"${scorer}"`)
  if (objects.length > 0)
    throw new UserError(
      `${file}: of the program that made the run, and cannot be replayed without it: ${objects.join(', ')}`,
    )
  const { models, chunks, prompts, concurrency, limits } = manifest.config as Config
  const scorers = await Promise.all(manifest.scorers.map(scorerSetting))
  // without a judge no model is asked
  const asksJudge = !plan && !recorded && manifest.scorers.some(({ judge }) => judge)
  const { embed = 'fake', judge = 'extractive' } = asksJudge ? (models as Config) : {}
  if (!trusted) await refuseFollowed(file, scorers, [judge, embed])
  const value = {
    name,
    seed,
    judgeRuns,
    chunks,
    concurrency,
    ...(prompts !== undefined && { prompts }),
    ...(limits !== undefined && { limits }),
    scorers,
    models: { embed: await remainingModel(embed), judge: await remainingModel(judge) },
    // neither is asked
    dataset: 'sample',
    methods: ['closed-book'],
  }
  const unset = Object.fromEntries(variablesIn(value).map((variable) => [variable, 'not-set']))
  const environment = trusted ? { ...unset, ...process.env } : {}
  const read = await readConfigValue(value, file, { cwd: base, environment }, registries)
  if (plan) return { ...plan, name, seed, judgeRuns, ...(read.scorers && { scorers: read.scorers }) }
  return { ...read, ...(recorded && { models: recorded.planned }) }
}

type Config = Readonly<Record<string, unknown>>

/** A scorer of a manifest as a config of this version has it. */
async function scorerSetting({ use, scorer: label, options }: ScorerRecord): Promise<Config> {
  const scorer = await registries.scorers.load(use)
  const given = options as object
  return { use, label, ...(scorer ? remainingOptions(scorer, given) : given) }
}

async function refuseFollowed(file: string, scorers: readonly Config[], models: readonly unknown[]): Promise<void> {
  const files: unknown[] = []
  for (const { use, label: _label, ...options } of scorers) {
    const scorer = await registries.scorers.load(String(use))
    files.push(...(scorer ? filesOf(scorer.options, options).map(([, path]) => path) : [use]))
  }
  const followed = models.flatMap((model) => {
    const { use, baseUrl, path, model: name } = (typeof model === 'string' ? { use: model } : Object(model)) as Config
    return ownModels.includes(use)
      ? []
      : [`the model ${JSON.stringify(use)} at ${JSON.stringify(baseUrl ?? path ?? name)}`]
  })
  const names = [
    ...files.map((path) => `the file ${JSON.stringify(path)}`),
    ...followed,
    ...variablesIn([scorers, models]).map((variable) => `the variable ${variable}`),
  ]
  if (names.length === 0) return
  throw new UserError(
    `${file} names ${[...new Set(names)].slice(0, 5).join(', ')}: what a results folder names is not followed; ` +
      'give the config of the run with --config FILE, or --trust where you know who made the folder',
  )
}

const variablesIn = (value: unknown): readonly string[] =>
  [...JSON.stringify(value ?? null).matchAll(/(?<!\$)\$\{(\w+)\}/g)].map(([, variable = '']) => variable)
