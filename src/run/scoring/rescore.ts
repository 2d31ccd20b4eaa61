import { rename, rm } from 'node:fs/promises'
import { type Plan, readConfig } from '../../config/index.ts'
import { UserError } from '../../errors.ts'
import type { OpenedModels } from '../../models/index.ts'
import type { Manifest } from '../../records.ts'
import { canonicalJson } from '../../text/hash.ts'
import { summariseTrials } from './summarise-trials.ts'
import { scoreAll } from './score-all.ts'
import { testJudges } from './test-judges.ts'
import { refuseUnknownOpponents, scorerEntriesOf, type ScorerEntry } from '../prepare/scorer-entries.ts'
import { openPlanModels } from '../prepare/open-plan-models.ts'
import { calledRoles, refuseUnableModels, requirePrices } from '../prepare/check-models.ts'
import { stopOf, type Settings } from '../prepare/settings.ts'
import { callCounts, silent } from '../progress.ts'
import { withEarlierTests } from '../results/manifest.ts'
import { configFolder, type Results, writeManifest } from '../results/results.ts'
import { modelIdentity, offlineModels, settingOf, type Fields } from '../prepare/identity.ts'
import { files } from '../results/journal.ts'
import { orderScores } from '../results/write-trials.ts'
import { lockFolder } from '../results/lock.ts'
import { openCallRecorder, type CallRecorder } from '../results/recorded-calls.ts'
import { join } from 'node:path'
import { filesOf } from '../../define.ts'
import { isObjectName, type PlugInObjects } from '../plug-ins/extract-objects.ts'
import { lenientRegistries, registries } from '../plug-ins/registries.ts'

/**
 * Scores every trial of a results folder again; only a judge is asked,
 * for what the cache does not hold. scores.jsonl is replaced whole or not
 * at all. Throws UserError where the manifest names what is not trusted.
 */
export async function rescore(results: Results, settings: Settings, trust: Trust = {}) {
  const { folder } = results
  const { scores } = files(folder)
  const part = `${scores}.part`
  const release = await lockFolder(folder)
  let recorder: CallRecorder | undefined
  try {
    recorder = await openCallRecorder(folder)
    await rm(part, { force: true })
    const recordingSettings = { ...settings, onCall: recorder.record }
    const { counts, trialSummary, manifest } = await scoreInto(part, results, recordingSettings, trust)
    await orderScores(part, trialSummary.places, manifest.scorers)
    await rename(part, scores)
    // a checksum mismatch of the manifest is preserved
    const isChanged = (await results.changedFiles()).includes('manifest.json')
    const { scores: _scores, manifest: digest, ...otherChecksums } = manifest.checksums ?? {}
    await writeManifest(folder, manifest, {
      ...otherChecksums,
      ...(isChanged && digest !== undefined && { manifest: digest }),
    })
    return counts
  } finally {
    await recorder?.close()
    await release()
  }
}

/** Scores every trial of a run into a new file; the manifest that is returned names the scorers. */
export async function scoreInto(scores: string, results: Results, settings: Omit<Settings, 'results'>, trust: Trust) {
  const { manifest } = results
  const plan = await rescoringPlan(manifest, results.folder, trust)
  const objects = trust.recordedModels?.objects ?? settings.objects
  const { models, close } = await openPlanModels(plan, { ...settings, ...(objects && { objects }) })
  try {
    const scorers = await scorerEntriesOf(plan.scorers ?? [], models, manifest.dataset.language)
    refuseUnscorable(scorers, manifest, models, trust)
    const roles = calledRoles(scorers).filter((role) => role === 'embed' || role === 'judge')
    requirePrices(roles, models, settings)
    const rows = new Map(manifest.methods.map((method) => [method.id, method]))
    const trialSummary = summariseTrials(scorers, rows)
    for await (const line of results.trials()) trialSummary.add(line)
    const data = { trials: () => results.trials(), trialSummary, rows, scores, counts: callCounts() }
    const judging = { ...plan, ...data, scorers }
    const records = scorers.map(({ record }) => record)
    const earlierRecords = withEarlierTests(records, manifest.scorers)
    // a recorded judge is not tested again on known claims
    const scorerRecords = trust.recordedModels ? earlierRecords : await testJudges(judging, earlierRecords, models)
    const counts = await scoreAll(judging, models, settings.progress ?? silent, stopOf(settings, models, roles))
    const rescoredManifest = trust.plan ? withJudge(manifest, plan, models) : manifest
    return { counts, trialSummary, manifest: { ...rescoredManifest, scorers: scorerRecords } }
  } finally {
    await close()
  }
}

/** Throws UserError where the scorers cannot score the answers or rows of the run. */
function refuseUnscorable(
  scorers: readonly ScorerEntry[],
  manifest: Manifest,
  models: OpenedModels,
  { plan }: Trust,
): void {
  const { embed } = models.describe()
  if (plan && canonicalJson(modelIdentity(manifest.models.embed)) !== canonicalJson(modelIdentity(embed)))
    throw new UserError(
      'models.embed of the config is not the embedder of the run; give the config that the run was made with',
    )
  const answerScorer = scorers.find(({ scorer }) => scorer.readsAnswer !== false)
  if (manifest.answers === 'none' && answerScorer)
    throw new UserError(`the run asked for no answer (answers: none), and the scorer "${answerScorer.label}" reads it`)
  refuseUnableModels(models, [], scorers)
  refuseUnknownOpponents(scorers, manifest.methods)
}

function withJudge(manifest: Manifest, { record }: Plan, models: OpenedModels) {
  const config = manifest.config as Readonly<Record<string, object>>
  const { judge } = record['models'] as Fields
  const scorers = record['scorers'] === undefined ? {} : { scorers: record['scorers'] }
  return {
    ...manifest,
    config: { ...config, models: { ...config['models'], judge }, ...scorers },
    models: { ...manifest.models, judge: models.describe().judge },
  }
}

/** Recorded models for a plan, and the provider objects behind them. */
export type RecordedModels = Pick<Plan, 'models'> & { readonly objects: PlugInObjects }

/** The source of scorers and models for scoring again, and what of it is trusted. */
export interface Trust {
  /** The config of the run from --config. */
  readonly plan?: Plan
  /** Files, addresses and variables of the manifest may be used. */
  readonly isTrusted?: boolean
  /** Models with recorded responses, which use no file or address. */
  readonly recordedModels?: RecordedModels
  /** Where relative paths of the manifest begin, if not at its own folder. */
  readonly base?: string
}

/**
 * The models and scorers that score a run again. Throws UserError for a file, address or variable of the manifest that
 * is not trusted. A missing key matters only to a judge that must be asked.
 */
async function rescoringPlan(
  manifest: Manifest,
  folder: string,
  { plan, isTrusted = false, recordedModels, base = configFolder(folder) }: Trust,
): Promise<Plan> {
  const { name, seed, judgeRuns } = manifest
  if (plan?.scorers) return { ...plan, name, seed, judgeRuns }
  const file = join(folder, 'manifest.json')
  const objects = manifest.scorers.filter(({ use }) => isObjectName(use)).map(({ scorer }) => `"${scorer}"`)
  if (objects.length > 0)
    throw new UserError(
      `${file}: of the program that made the run, and cannot be replayed without it: ${objects.join(', ')}`,
    )
  const { models, chunks, prompts, concurrency, limits } = manifest.config as Fields
  const scorers = manifest.scorers.map(({ use, scorer: label, options }) => ({ use, label, ...(options as object) }))
  // only a judge needs models
  const asksJudge = !plan && !recordedModels && manifest.scorers.some(({ judge }) => judge)
  const { embed = 'fake', judge = 'extractive' } = asksJudge ? (models as Fields) : {}
  if (!isTrusted) await refuseUntrusted(file, scorers, [judge, embed])
  const value = {
    name,
    seed,
    judgeRuns,
    chunks,
    concurrency,
    ...(prompts !== undefined && { prompts }),
    ...(limits !== undefined && { limits }),
    scorers,
    models: { embed, judge },
    // required keys of a config, without effect on scores
    dataset: 'sample',
    methods: ['closed-book'],
  }
  const placeholders = Object.fromEntries(variablesIn(value).map((variable) => [variable, 'not-set']))
  const environment = isTrusted ? { ...placeholders, ...process.env } : {}
  const parsedPlan = await readConfig({ value, name: file }, { cwd: base, environment }, lenientRegistries)
  if (plan) return { ...plan, name, seed, judgeRuns, ...(parsedPlan.scorers && { scorers: parsedPlan.scorers }) }
  return { ...parsedPlan, ...(recordedModels && { models: recordedModels.models }) }
}

async function refuseUntrusted(file: string, scorers: readonly Fields[], models: readonly unknown[]) {
  const names: string[] = []
  for (const { use, label: _label, ...options } of scorers) {
    const scorer = await registries.scorers.load(String(use))
    const paths = scorer ? filesOf(scorer.options, options).map(([, path]) => path) : [use]
    names.push(...paths.map((path) => `the file ${JSON.stringify(path)}`))
  }
  for (const model of models) {
    const { use, baseUrl, path, model: name } = settingOf(model)
    if (!offlineModels.includes(use))
      names.push(`the model ${JSON.stringify(use)} at ${JSON.stringify(baseUrl ?? path ?? name ?? use)}`)
  }
  names.push(...variablesIn([scorers, models]).map((variable) => `the variable ${variable}`))
  if (names.length > 0)
    throw new UserError(
      `${file} names ${[...new Set(names)].join(', ')}: a results folder's references need trust; ` +
        'give the config of the run with --config FILE, or --trust where you know who made the folder',
    )
}

const variablesIn = (value: unknown) =>
  [...JSON.stringify(value ?? null).matchAll(/(?<!\$)\$\{(\w+)\}/g)].map(([, variable = '']) => variable)
