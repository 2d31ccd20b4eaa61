import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { groupBy, itemAt } from '../../../basics/collections.ts'
import { type Plan, readConfig } from '../../../config/index.ts'
import { messageOf, UserError } from '../../../errors.ts'
import type { PaperRun, Experiment } from '../../../report/paper/paper-table.ts'
import { plural } from '../../../text/amounts.ts'
import {
  menus,
  missingRequirements,
  replaceFile,
  train,
  type Settings,
  rowToTrain,
  withoutNetworks,
} from '../../../run/index.ts'
import { plain } from '../../../text/characters.ts'
import { hashOf } from '../../../text/hash.ts'
import { atHome } from '../../plan.ts'
import { print, printJson, type JsonFlag } from '../../terminal/print.ts'
import { progressBars } from '../../terminal/progress-bars.ts'
import pc from 'picocolors'
import { costsOfPlans } from '../../../library/plan.ts'
import { exitCodes } from '../../ending.ts'
import { reportPlan, reportSum } from '../plan.ts'

/** A run that can begin, or what it lacks, a line each with the remedy. */
export type Readiness =
  { readonly plan: Plan; readonly trainings?: readonly Training[] } | { readonly missing: readonly string[] }

/** What a paper's run is asked with besides its configs. */
export interface ReadinessRequest {
  /** The file of the paper's table: its configs are seen from there. */
  readonly file: string
  readonly offline: boolean
  readonly limit?: number
  readonly methods?: readonly string[]
  readonly settings: Settings
}

/** Whether a run can begin; offline, its first offline variant that can, and nothing where it has none. */
export async function readiness(run: PaperRun, asking: ReadinessRequest): Promise<Readiness | undefined> {
  const found: Readiness[] = []
  for (const experiment of asking.offline ? run.offline : [run]) {
    const one = await check(experiment, asking)
    if ('plan' in one) return one
    found.push(run.needs === undefined || asking.offline ? one : { missing: [...one.missing, run.needs] })
  }
  return found[0]
}

interface Training {
  readonly plan: Plan
  readonly name: string
  readonly file: string
}

/** The folder of the weights is named after what is trained, on the first `limit` questions where that is given. */
async function trainingsOf(experiment: Experiment, asking: ReadinessRequest): Promise<readonly Training[]> {
  const { set = [], files = {} } = experiment.train ?? {}
  const plans = await Promise.all(
    Object.entries(files).map(async ([name, own]) => ({
      name,
      plan: await readExperiment(experiment, asking, { set: [...set, ...own], weights: '.' }),
    })),
  )
  const made = hashOf(
    plans.map(({ name, plan }) => ({ name, train: plan.train, seed: plan.seed, record: plan.record })),
  )
  const folder = join(asking.settings.results, 'weights', made.slice(0, 8))
  return plans.map(({ name, plan }) => ({ name, plan, file: resolve(folder, `${name}.json`) }))
}

/** The plan of an experiment with more settings, and with the folder of weights that its configs name. */
function readExperiment(
  { configs, set }: Experiment,
  { file, limit }: Pick<ReadinessRequest, 'file' | 'limit'>,
  more: { readonly set: readonly string[]; readonly weights: string | undefined },
): Promise<Plan> {
  const home = atHome([...set, ...more.set])
  const environment =
    more.weights === undefined ? home.environment : { ...home.environment, [weightsFolder]: more.weights }
  const settings = { ...home, environment, ...(limit !== undefined && { limit }) }
  const files = configs.map((config) => join(dirname(file), config))
  return readConfig(files, settings, menus)
}

/** The variable of the environment that configs name the folder of weights by. */
const weightsFolder = 'GOR_WEIGHTS'

/** Trains the networks whose weights are not there yet. */
export async function trainAll(trainings: readonly Training[], settings: Settings, quiet: boolean): Promise<void> {
  for (const { plan, name, file } of trainings) {
    if (existsSync(file)) continue
    const progress = quiet ? undefined : progressBars()
    const trained = await train(plan, undefined, settings, progress).finally(() => progress?.close())
    await mkdir(dirname(file), { recursive: true })
    await replaceFile(file, trained.weights)
    const [first, last] = [itemAt(trained.lossCurve, 0).total, itemAt(trained.lossCurve, -1).total]
    if (!quiet)
      print(
        `trained ${plain(name)}: ${plural(trained.graphs, 'record graph')}, ${plural(trained.steps, 'step')}, loss ${first.toFixed(4)} to ${last.toFixed(4)}`,
      )
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
    // the data is looked for whatever the models lack
    const elsewhere = await read(offlineModels).then(
      (plan) => missingRequirements(plan, settings),
      () => [],
    )
    return { missing: [...error.message.split('\n'), ...elsewhere].map(messageOf) }
  }
}

/** What a person can mend is told when the run itself is read. */
function unlessUserError(error: unknown): undefined {
  if (error instanceof UserError) return undefined
  throw error
}

const offlineModels = ['complete', 'answer', 'judge']
  .map((role) => `models.${role}=extractive`)
  .concat('models.embed=minilm')

/** What each run that can begin is expected to cost, and the record graphs that networks are trained on before it. */
export async function printPlans(
  ready: ReadonlyMap<string, Readiness>,
  settings: Settings,
  { json }: JsonFlag,
): Promise<void> {
  const planned: { readonly label: string; readonly plan: Plan; readonly isTraining: boolean }[] = []
  let untrained = 0
  // several columns of a paper may be one run: it is made once
  const runnable = [...ready].flatMap(([label, one]) => ('plan' in one ? [{ label, ...one }] : []))
  for (const [{ label: first, ...one }, ...others] of groupBy(runnable, ({ plan }) => hashOf(plan.record)).values()) {
    const label = others.length > 0 ? `${first} and ${plural(others.length, 'other')} that are the same run` : first
    const missing = (one.trainings ?? []).filter(({ file }) => !existsSync(file))
    untrained += missing.length
    // trainings that differ in how they train alone share their record graphs
    const graphs = new Map(missing.map(({ plan }) => [hashOf({ ...plan.record, train: null }), plan]))
    for (const plan of graphs.values()) {
      const methods = [rowToTrain(plan, undefined)]
      planned.push({
        label: `${label}: record graphs to train ${plural(missing.length, 'network')} on`,
        plan: withoutNetworks({ ...plan, selectedLabels: null, methods, scorers: [] }),
        isTraining: true,
      })
    }
    planned.push({ label, plan: missing.length > 0 ? withoutNetworks(one.plan) : one.plan, isTraining: false })
  }
  const costs = await costsOfPlans(
    planned.map(({ plan }) => plan),
    { ...settings, cache: false },
    { cached: settings.cache },
  )
  const runs = costs.runs.map((run, index) => {
    const { label, isTraining } = itemAt(planned, index)
    return isTraining
      ? { ...run, label, trials: 0, rows: run.rows.filter(isOfIndex), together: run.together.filter(isOfIndex) }
      : { ...run, label }
  })
  const together = runs.some(({ trials }) => trials === 0) ? undefined : costs.together
  if (json) printJson({ runs, ...(together && { together }) })
  else {
    for (const { label, trials, ...run } of runs)
      reportPlan(trials === 0 ? label : `${label}: ${plural(trials, 'trial')}`, run)
    if (together && runs.length > 1) reportSum(together)
    if (untrained > 0)
      print(
        pc.dim('Networks that are not trained yet are left out: rows that differ in these alone are summed up as one.'),
      )
  }
  process.exitCode = planned.length === 0 ? exitCodes.usage : exitCodes.done
}

const isOfIndex = ({ phase }: { readonly phase: string }): boolean => phase === 'index'
