import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { groupBy, itemAt } from '../../../basics/collections.ts'
import { type Plan, readConfig } from '../../../config/index.ts'
import { messageOf, UserError } from '../../../errors.ts'
import type { PaperRun, Experiment } from '../../../report/paper/schema.ts'
import { plural } from '../../../text/amounts.ts'
import {
  registries,
  missingRequirements,
  replaceFile,
  train,
  type Settings,
  rowToTrain,
  withoutNetworks,
} from '../../../run/index.ts'
import { plain } from '../../../text/characters.ts'
import { hashOf } from '../../../text/hash.ts'
import { readSettingsOf } from '../../plan.ts'
import { print, printJson, type JsonFlag } from '../../terminal/print.ts'
import { progressBars } from '../../terminal/progress-bars.ts'
import pc from 'picocolors'
import { costsOfPlans } from '../../../library/plan.ts'
import { exitCodes } from '../../ending.ts'
import { reportPlan, reportSum } from '../plan.ts'

/** A run that can start, or what is missing: one line each, with the remedy. */
export type Readiness =
  { readonly plan: Plan; readonly trainings?: readonly Training[] } | { readonly missing: readonly string[] }

/** The settings of a paper's run besides its configs. */
export interface ReadinessRequest {
  /** The file of the paper's table; paths of configs are relative to it. */
  readonly file: string
  readonly offline: boolean
  readonly limit?: number
  readonly methods?: readonly string[]
  readonly settings: Settings
}

/** Whether a run can start; offline, the first offline variant that can, or undefined without variants. */
export async function readiness(run: PaperRun, asking: ReadinessRequest): Promise<Readiness | undefined> {
  const results: Readiness[] = []
  for (const experiment of asking.offline ? run.offline : [run]) {
    const result = await check(experiment, asking)
    if ('plan' in result) return result
    results.push(run.needs === undefined || asking.offline ? result : { missing: [...result.missing, run.needs] })
  }
  return results[0]
}

interface Training {
  readonly plan: Plan
  readonly name: string
  readonly file: string
}

/** The trainings of an experiment; their folder is named after plan and limit. */
async function trainingsOf(experiment: Experiment, asking: ReadinessRequest): Promise<readonly Training[]> {
  const { set = [], files = {} } = experiment.train ?? {}
  const plans = await Promise.all(
    Object.entries(files).map(async ([name, settings]) => ({
      name,
      plan: await readExperiment(experiment, asking, { set: [...set, ...settings], weights: '.' }),
    })),
  )
  const identity = hashOf(
    plans.map(({ name, plan }) => ({ name, train: plan.train, seed: plan.seed, record: plan.record })),
  )
  const folder = join(asking.settings.results, 'weights', identity.slice(0, 8))
  return plans.map(({ name, plan }) => ({ name, plan, file: resolve(folder, `${name}.json`) }))
}

/** The plan of an experiment with additional settings and its folder of weights. */
function readExperiment(
  { configs, set }: Experiment,
  { file, limit }: Pick<ReadinessRequest, 'file' | 'limit'>,
  more: { readonly set: readonly string[]; readonly weights: string | undefined },
): Promise<Plan> {
  const home = readSettingsOf([...set, ...more.set])
  const environment =
    more.weights === undefined ? home.environment : { ...home.environment, [weightsFolder]: more.weights }
  const settings = { ...home, environment, ...(limit !== undefined && { limit }) }
  const files = configs.map((config) => join(dirname(file), config))
  return readConfig(files, settings, registries)
}

/** The environment variable for the folder of weights in configs. */
const weightsFolder = 'GOR_WEIGHTS'

/** Trains the networks without weights. */
export async function trainAll(trainings: readonly Training[], settings: Settings, quiet: boolean): Promise<void> {
  for (const { plan, name, file } of trainings) {
    if (existsSync(file)) continue
    const progress = quiet ? undefined : progressBars()
    const result = await train(plan, undefined, settings, progress).finally(() => progress?.close())
    await mkdir(dirname(file), { recursive: true })
    await replaceFile(file, result.weights)
    if (!quiet) print(messages.trained(name, result))
  }
}

async function check(experiment: Experiment, asking: ReadinessRequest): Promise<Readiness> {
  const { methods, settings } = asking
  const trainings = experiment.train && (await trainingsOf(experiment, asking).catch(unlessUserError))
  const weights = trainings?.[0] && dirname(trainings[0].file)
  const read = async (set: readonly string[] = []): Promise<Plan> => {
    const plan = await readExperiment(experiment, asking, { set, weights })
    const labels = new Set(plan.methods.map(({ label }) => label).filter((label) => methods?.includes(label)))
    return labels.size > 0 ? { ...plan, selectedLabels: [...labels] } : plan
  }
  try {
    const plan = await read()
    const missing = await missingRequirements(plan, settings)
    if (missing.length > 0) return { missing }
    return trainings ? { plan, trainings } : { plan }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    // report missing data even if models are missing
    const elsewhere = await read(offlineModels).then(
      (plan) => missingRequirements(plan, settings),
      () => [],
    )
    return { missing: [...error.message.split('\n'), ...elsewhere].map(messageOf) }
  }
}

/** User errors are reported when the run itself is read. */
function unlessUserError(error: unknown): undefined {
  if (error instanceof UserError) return undefined
  throw error
}

const offlineModels = ['complete', 'answer', 'judge']
  .map((role) => `models.${role}=extractive`)
  .concat('models.embed=minilm')

/** Prints the expected cost of each runnable run, and of the record graphs for its trainings. */
export async function printPlans(
  ready: ReadonlyMap<string, Readiness>,
  settings: Settings,
  { json }: JsonFlag,
): Promise<void> {
  const costPlans: { readonly label: string; readonly plan: Plan; readonly isTraining: boolean }[] = []
  let missingNetworks = 0
  // several columns of a paper may share one run
  const runnable = [...ready].flatMap(([label, run]) => ('plan' in run ? [{ label, ...run }] : []))
  for (const [{ label: first, ...state }, ...duplicates] of groupBy(runnable, ({ plan }) =>
    hashOf(plan.record),
  ).values()) {
    const label = duplicates.length > 0 ? messages.sameRuns(first, duplicates.length) : first
    const missing = (state.trainings ?? []).filter(({ file }) => !existsSync(file))
    missingNetworks += missing.length
    // trainings that differ only in the key `train` share their record graphs
    const graphs = new Map(missing.map(({ plan }) => [hashOf({ ...plan.record, train: null }), plan]))
    for (const plan of graphs.values()) {
      const methods = [rowToTrain(plan, undefined)]
      costPlans.push({
        label: messages.graphsOf(label, missing.length),
        plan: withoutNetworks({ ...plan, selectedLabels: null, methods, scorers: [] }),
        isTraining: true,
      })
    }
    costPlans.push({ label, plan: missing.length > 0 ? withoutNetworks(state.plan) : state.plan, isTraining: false })
  }
  const costs = await costsOfPlans(
    costPlans.map(({ plan }) => plan),
    { ...settings, cache: false },
    { cached: settings.cache },
  )
  const runs = costs.runs.map((run, index) => {
    const { label, isTraining } = itemAt(costPlans, index)
    return isTraining
      ? { ...run, label, trials: 0, rows: run.rows.filter(isOfIndex), together: run.together.filter(isOfIndex) }
      : { ...run, label }
  })
  const together = runs.some(({ trials }) => trials === 0) ? undefined : costs.together
  if (json) printJson({ runs, ...(together && { together }) })
  else {
    for (const { label, trials, ...run } of runs) reportPlan(trials === 0 ? label : messages.run(label, trials), run)
    if (together && runs.length > 1) reportSum(together)
    if (missingNetworks > 0) print(pc.dim(messages.missingNetworks))
  }
  process.exitCode = costPlans.length === 0 ? exitCodes.usage : exitCodes.done
}

const isOfIndex = ({ phase }: { readonly phase: string }): boolean => phase === 'index'

const messages = {
  trained: (name: string, { graphs, steps, lossCurve }: Awaited<ReturnType<typeof train>>) =>
    `trained ${plain(name)}: ${plural(graphs, 'record graph')}, ${plural(steps, 'step')}, loss ${itemAt(lossCurve, 0).total.toFixed(4)} to ${itemAt(lossCurve, -1).total.toFixed(4)}`,
  sameRuns: (first: string, duplicates: number) => `${first} and ${plural(duplicates, 'other')} that are the same run`,
  graphsOf: (label: string, networks: number) => `${label}: record graphs to train ${plural(networks, 'network')} on`,
  run: (label: string, trials: number) => `${label}: ${plural(trials, 'trial')}`,
  missingNetworks:
    'Networks that are not trained yet are left out: rows that differ in these alone are summed up as one.',
}
