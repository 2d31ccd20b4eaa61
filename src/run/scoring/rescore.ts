import { rename, rm } from 'node:fs/promises'
import { type Plan, readConfigValue } from '../../config/index.ts'
import { UserError } from '../../errors.ts'
import type { OpenedModels } from '../../models/index.ts'
import type { Manifest, ScorerRecord } from '../../records.ts'
import { canonicalJson } from '../../text/hash.ts'
import { unknownOpponents } from './gather-needs.ts'
import { scoreAll } from './score-all.ts'
import { testJudges, testsIn, withTests } from './test-judges.ts'
import { scorerRecords, scorerEntriesOf } from '../prepare/scorer-entries.ts'
import { openPlanModels } from '../prepare/open-plan-models.ts'
import { refuseUnableModels, refuseUnpriced } from '../prepare/prepare.ts'
import { stopOf, type Settings, silent, type Progress, type ScoreCounts } from '../settings.ts'
import { callCounts } from '../asking/call-counts.ts'
import { configFolder, type Results, writeManifest } from '../results/results.ts'
import { modelIdentity, remainingOptions } from '../results/identity.ts'
import { files } from '../results/journal.ts'
import { orderScores } from '../results/write-trials.ts'
import { lockFolder } from '../results/lock.ts'
import { usedCalls } from '../results/used-calls.ts'
import { join } from 'node:path'
import { filesOf } from '../../define.ts'
import { isObjectName } from '../plug-ins/take-objects.ts'
import { menus } from '../plug-ins/menus.ts'
import { modelKnownTo, ownModels, type RecordedModels } from '../replay/recorded-models.ts'

/**
 * Scores every trial of a results folder anew with the scorers that its manifest or the config given again names, as
 * they are now; no method and no answerer is asked, and a judge only for what the cache does not hold. scores.jsonl is
 * replaced whole or not at all. Throws UserError where the manifest names what is not trusted.
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
  const objects = trust.recorded?.objects ?? settings.objects
  const opening = { ...settings, used: used.note, ...(objects && { objects }) }
  const { models, close } = await openPlanModels(plan, opening)
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
        trust,
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
  results: Results,
  plan: Plan,
  models: OpenedModels,
  settings: Settings,
  progress: Progress,
  { keepsTests }: Pick<Trust, 'keepsTests'>,
): Promise<ScoreCounts> {
  const { folder, manifest, changed } = results
  const { scores } = files(folder)
  const part = `${scores}.part`
  await rm(part, { force: true })
  const scorers = await scorerEntriesOf(plan.scorers ?? [], models, manifest.dataset.language)
  const reading = scorers.find(({ scorer }) => scorer.readsAnswer !== false)
  if (manifest.answers === 'none' && reading)
    throw new UserError(
      `the run asked for no answer (answers: none), and the scorer "${reading.label}" reads it: run a config with other "answers"`,
    )
  refuseUnableModels({ scorers }, models)
  const faults = unknownOpponents(scorers, manifest.methods)
  if (faults.length > 0) throw new UserError(faults.join('\n'))
  const roles = ['embed', 'judge'] as const
  refuseUnpriced(roles, scorers, models, settings)
  const { judgeRuns, concurrency, seed, limits } = plan
  const rows = new Map(manifest.methods.map((method) => [method.id, method]))
  const trials = () => results.trials()
  const fixed = { trials, scores: part, meter: null, scorers, judgeRuns, concurrency, seed, limits, rows }
  const judging = { ...fixed, counts: callCounts() }
  const tests = keepsTests ? testsIn(manifest) : await testJudges(judging, manifest.scorers, models)
  const counts = await scoreAll(judging, models, progress, stopOf(settings, models, { roles, scorers }))
  await orderScores(folder, part, scorers)
  await rename(part, scores)
  // what was changed by hand stays known as such
  const isChanged = (await changed()).includes('manifest.json')
  const { scores: _scores, manifest: own, ...others } = manifest.checksums ?? {}
  const kept = { ...others, ...(isChanged && own !== undefined && { manifest: own }) }
  await writeManifest(folder, { ...manifest, scorers: withTests(scorerRecords(scorers), tests) }, kept)
  return counts
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

/**
 * What a user says of a results folder. `plan`: its config, given again. `trusted`: what its manifest names may be
 * followed. `recorded`: its models answer from kept calls alone, so that nothing that they name is followed.
 */
export interface Trust {
  /** What judges said of known claims stays as it is recorded: they are not tried again. */
  readonly keepsTests?: true
  readonly plan?: Plan
  readonly trusted?: boolean
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
  const { models, chunks, concurrency, limits } = manifest.config as Readonly<Record<string, unknown>>
  const named: Named = {
    scorers: await Promise.all(manifest.scorers.map(namedScorer)),
    // without a judge no model is asked
    models: plan || recorded || !manifest.scorers.some(({ judge }) => judge) ? {} : { ...(models as Named['models']) },
  }
  const file = join(folder, 'manifest.json')
  const gone = manifest.scorers.filter(({ use }) => isObjectName(use)).map(({ scorer }) => `"${scorer}"`)
  if (gone.length > 0)
    throw new UserError(
      `${file}: of the program that made the run, and cannot be replayed without it: ${gone.join(', ')}`,
    )
  if (!trusted) await refuseFollowed(file, named)
  const { embed = 'fake', judge = 'extractive' } = named.models
  const value = {
    name,
    seed,
    judgeRuns,
    chunks,
    concurrency,
    ...(limits !== undefined && { limits }),
    scorers: named.scorers,
    models: { embed: await modelKnownTo(embed), judge: await modelKnownTo(judge) },
    // neither is asked
    dataset: 'sample',
    methods: ['closed-book'],
  }
  const unset = Object.fromEntries(variablesIn(value).map((variable) => [variable, 'not-set']))
  const environment = trusted ? { ...unset, ...process.env } : {}
  const read = await readConfigValue(value, file, { cwd: base, environment }, menus)
  return {
    ...(plan ?? read),
    name,
    seed,
    judgeRuns,
    ...(recorded && { models: recorded.planned }),
    ...(read.scorers && { scorers: read.scorers }),
  }
}

async function namedScorer({ use, scorer: label, options }: ScorerRecord): Promise<Named['scorers'][number]> {
  const scorer = await menus.scorers.load(use)
  const given = options as object
  return { use, label, ...(scorer ? remainingOptions(scorer, given) : given) }
}

interface Named {
  readonly scorers: readonly Readonly<Record<string, unknown>>[]
  readonly models: Readonly<Record<string, unknown>>
}

async function refuseFollowed(file: string, { scorers, models }: Named): Promise<void> {
  const files: string[] = []
  for (const { use, label: _label, ...options } of scorers) {
    const known = await menus.scorers.load(String(use))
    files.push(...(known ? filesOf(known.options, options).map(([, path]) => path) : [String(use)]))
  }
  const asked = [models['judge'], models['embed']].flatMap((model) => {
    const named: Named['models'] = typeof model === 'object' && model !== null ? { ...model } : { use: model }
    const place = named['baseUrl'] ?? named['path'] ?? named['model']
    return named['use'] === undefined || ownModels.includes(named['use'])
      ? []
      : [`the model ${JSON.stringify(named['use'])} at ${JSON.stringify(place)}`]
  })
  const named = [
    ...files.map((one) => `the file ${JSON.stringify(one)}`),
    ...asked,
    ...variablesIn([scorers, models['judge'], models['embed']]).map((variable) => `the variable ${variable}`),
  ]
  if (named.length === 0) return
  throw new UserError(
    `${file} names ${[...new Set(named)].slice(0, 5).join(', ')}: what a results folder names is not followed; ` +
      'give the config of the run with --config FILE, or --trust where you know who made the folder',
  )
}

const variablesIn = (value: unknown): readonly string[] =>
  [...JSON.stringify(value ?? null).matchAll(/(?<!\$)\$\{(\w+)\}/g)].map(([, variable = '']) => variable)
