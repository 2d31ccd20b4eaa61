import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { packageFolder } from '../../../basics/files.ts'
import { readConfig, readData, type Plan } from '../../../config/index.ts'
import { tasksOf } from '../../../define.ts'
import { UserError } from '../../../errors.ts'
import { paperTable } from '../../../report/paper/paper-table.ts'
import type { Experiment, PaperRun, PaperTable } from '../../../report/paper/schema.ts'
import {
  missingRequirements,
  prepare,
  registries,
  replaceFile,
  train,
  withoutNetworks,
  type Settings,
} from '../../../run/index.ts'
import { plural, present } from '../../../text/amounts.ts'
import { hashOf } from '../../../text/hash.ts'
import { unknownName } from '../../../text/names.ts'
import { readSettingsOf } from '../../plan.ts'
import { withProgress } from '../../terminal/progress-bars.ts'

const tablesFolder = join(packageFolder, 'configs', 'paper')

/** The names of the tables in this package. */
export async function paperNames(): Promise<readonly string[]> {
  const files = await readdir(tablesFolder).catch(() => [])
  return files
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort()
}

/**
 * Reads a table by name or file; `file` is relative to the working directory. Throws UserError for an unknown name or
 * an invalid file.
 */
export async function readPaper(name: string): Promise<{ readonly file: string; readonly paper: PaperTable }> {
  if (!name.endsWith('.json') && !(await paperNames()).includes(name))
    throw new UserError(unknownName('table', name, await paperNames()))
  const file = name.endsWith('.json') ? name : relative(process.cwd(), join(tablesFolder, `${name}.json`))
  return { file, paper: await readData(file, process.cwd(), paperTable) }
}

/**
 * A run of a paper that can start, with the trainings of the networks that it reads, or what it lacks: one line each,
 * with the remedy. `incomparable`: why the run is not comparable with the paper's.
 */
export type Readiness = Awaited<ReturnType<typeof check>>

type Training = Awaited<ReturnType<typeof trainingsOf>>[number]

/** The settings of a paper's runs besides their configs. */
export interface ReproduceRequest {
  /** The file of the paper's table; paths of configs are relative to it. */
  readonly file: string
  readonly offline: boolean
  /** Whether only costs are requested, for which nothing is compared. */
  readonly plan: boolean
  readonly limit?: number
  readonly methods?: readonly string[]
  readonly settings: Settings
}

/**
 * What can be wrong with the runs of a paper, before any of them is paid for. Offline, the first variant that can run
 * counts, and runs without a variant are left out.
 */
export async function readyRuns({ runs }: PaperTable, request: ReproduceRequest) {
  const ready = new Map<string, Readiness>()
  for (const [label, run] of Object.entries(runs))
    for (const experiment of request.offline ? run.offline : [run]) {
      const readiness = await check(experiment, run, request)
      const canRun = 'plan' in readiness
      if (canRun || !ready.has(label)) ready.set(label, readiness)
      if (canRun) break
    }
  return ready
}

async function check(experiment: Experiment, run: PaperRun, request: ReproduceRequest) {
  const needs = request.offline ? undefined : run.needs
  try {
    const trainings = await trainingsOf(experiment, request)
    const weights = trainings[0] && dirname(trainings[0].file)
    const plan = await readExperiment(experiment, request, [], weights)
    const missing = await missingRequirements(plan, request.settings)
    if (missing.length > 0) return { missing: present(missing, needs) }
    const isUntrained = trainings.some(({ file }) => !existsSync(file))
    const incomparable = request.plan
      ? undefined
      : await incomparableBecause(isUntrained ? withoutNetworks(plan) : plan, run, request)
    return { plan, trainings, ...(incomparable && { incomparable }) }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    // report missing data even if models are missing
    const rest = await readExperiment(experiment, request, offlineModels, '.').then(
      (plan) => missingRequirements(plan, request.settings),
      () => [],
    )
    return { missing: present(error.message.split('\n'), rest, needs) }
  }
}

const offlineModels = [
  ...['complete', 'answer', 'judge'].map((role) => `models.${role}=extractive`),
  'models.embed=minilm',
]

async function readExperiment(
  { configs, set }: Experiment,
  { file, limit, methods }: ReproduceRequest,
  more: readonly string[],
  weights?: string,
): Promise<Plan> {
  const { environment, ...home } = readSettingsOf([...set, ...more])
  const settings = {
    ...home,
    // configs name the folder of weights by this variable
    environment: weights === undefined ? environment : { ...environment, GOR_WEIGHTS: weights },
    ...(limit !== undefined && { limit }),
  }
  const files = configs.map((config) => join(dirname(file), config))
  const plan = await readConfig(files, settings, registries)
  const labels = plan.methods.flatMap(({ label }) => (methods?.includes(label) ? [label] : []))
  return labels.length > 0 ? { ...plan, selectedLabels: [...new Set(labels)] } : plan
}

/** The trainings of an experiment; their folder is named after plan and limit. */
async function trainingsOf(experiment: Experiment, request: ReproduceRequest) {
  const { set = [], files = {} } = experiment.train ?? {}
  const plans = await Promise.all(
    Object.entries(files).map(async ([name, settings]) => {
      const plan = await readExperiment(experiment, { ...request, methods: [] }, [...set, ...settings], '.')
      return { name, plan }
    }),
  )
  const identity = plans.map(({ name, plan }) => {
    const { train, seed, record } = plan
    return { name, train, seed, record }
  })
  const folder = join(request.settings.results, 'weights', hashOf(identity).slice(0, 8))
  return plans.map(({ name, plan }) => ({ name, plan, file: resolve(folder, `${name}.json`) }))
}

/** Why a run is not compared with the paper, every reason; empty where it is. */
async function incomparableBecause(
  plan: Plan,
  { questions: paperQuestions }: PaperRun,
  { offline, limit, settings }: ReproduceRequest,
): Promise<string> {
  const prepared = await prepare(plan, settings)
  await prepared.close()
  const { dataset, statistics, models, style, methods, scorers } = prepared
  const { questions } = statistics
  const usesModel =
    style !== 'none' ||
    methods.some(({ method, options }) => tasksOf(method, options).length > 0) ||
    scorers.some(({ scorer }) => scorer.judge)
  const otherQuestions =
    paperQuestions !== undefined && questions !== paperQuestions
      ? `this run has ${plural(questions, 'question')}, the paper asked ${paperQuestions}`
      : limit !== undefined && `only the first ${plural(questions, 'question')}`
  return present(
    offline ? `an offline variant on ${dataset.name}` : otherQuestions,
    usesModel && models.offline().map((provider) => `"${provider}" is not a language model`),
  ).join('; ')
}

/** Trains the networks without weights. */
export async function trainAll(trainings: readonly Training[], settings: Settings, isQuiet: boolean): Promise<void> {
  for (const { plan, file } of trainings.filter((training) => !existsSync(training.file))) {
    const { weights } = await withProgress(!isQuiet, (progress) => train(plan, undefined, { ...settings, ...progress }))
    await mkdir(dirname(file), { recursive: true })
    await replaceFile(file, weights)
  }
}
