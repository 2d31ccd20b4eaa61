import { itemAt } from '../../basics/collections.ts'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { relative, dirname, join, resolve } from 'node:path'
import pc from 'picocolors'
import { type Plan, readConfig } from '../../config/index.ts'
import { messageOf, UserError } from '../../errors.ts'
import { auditClaims } from '../../report/audit/audit-claims.ts'
import { compare, tokenNotes, type Ran } from '../../report/paper/compare.ts'
import {
  claimsShown,
  comparisons,
  latenciesShown,
  reasonsOf,
  type Comparison,
  judgeTests,
  testsShown,
  verdictNote,
} from '../../report/paper/comparison.ts'
import { judgeClaims, scoresOfRun, type Tested } from '../../report/paper/judge-claims.ts'
import type { PaperRun, PaperTable, Experiment } from '../../report/paper/paper-table.ts'
import { plural } from '../../report/render/amounts.ts'
import { trendText } from '../../report/render/notes-on-trends.ts'
import { questionNumbers, type QuestionNumbers } from '../../report/table/estimate.ts'
import {
  openResults,
  prepare,
  replaceFile,
  rowToTrain,
  run,
  train,
  withoutNetworks,
  type Settings,
  missingRequirements,
  menus,
} from '../../run/index.ts'
import { progressBars } from '../terminal/progress-bars.ts'
import { costsOfPlans } from '../../api/plan.ts'
import { methodsOf, partOfPaper } from '../../report/paper/part-of-paper.ts'
import { reportPlan, reportSum } from './plan.ts'
import { exitCodes, interruptible } from '../ending.ts'
import { paperNames, readPaper } from './audit.ts'
import { atHome, settingsOf, type PlanFlags, type SpendingFlags } from '../plan.ts'
import { printNotice, print, printJson, type JsonFlag } from '../terminal/print.ts'
import { plain } from '../../text/characters.ts'
import { hashOf } from '../../text/hash.ts'
import { terminalGrid } from '../terminal/terminal-grid.ts'
import { writeTables } from '../../api/write-tables.ts'

export interface ReproduceFlags
  extends JsonFlag, SpendingFlags, Pick<PlanFlags, 'cache' | 'cacheFolder' | 'limit' | 'results'> {
  readonly offline: boolean
  /** Rows and runs of the table to make, in place of all. */
  readonly only?: readonly string[]
  readonly plan: boolean
}

/** What became of a run, and where its results lie. */
type Done = Tested & { readonly folder?: string; readonly failed?: number }

/** `gembench reproduce`: runs the configs of a paper's table and sets our cells beside the paper's. */
export async function reproduceCommand(name: string | undefined, flags: ReproduceFlags): Promise<void> {
  if (name === undefined) return list(flags)
  const { file, paper: whole } = await readPaper(name)
  const { offline, limit, only } = flags
  const paper = only ? partOfPaper(whole, only) : whole
  const settings = settingsOf(flags, interruptible())
  const methods = only ? methodsOf(paper) : undefined
  const asking: ReadinessRequest = {
    ...{ file, offline, settings },
    ...(limit !== undefined && { limit }),
    ...(methods && { methods }),
  }
  if (!flags.json) print(`${pc.bold(plain(paper.table))}  ${pc.dim(plain(paper.paper))}\n`)

  const ready = new Map<string, Readiness>()
  for (const [label, one] of Object.entries(paper.runs)) {
    const found = await readiness(one, asking)
    if (found) ready.set(label, found)
  }
  if (!flags.json) sayWhatIsMissing(ready)
  if (flags.plan) return printPlans(ready, settings, flags)
  await sayWhatWillNotCompare(paper, ready, asking)

  const done = new Map<string, Done>()
  const numberings = new Map<string, QuestionNumbers>()
  for (const [label, one] of ready) done.set(label, await carryOut(one, { paper, label, numberings }, asking, flags))
  // what shows only when a run begins, such as a line of its dataset that cannot be read
  if (!flags.json) sayWhatIsMissing(new Map([...done].filter(([label]) => 'plan' in (ready.get(label) ?? {}))))
  const cells = compare(paper, done)
  process.exitCode = exitCodeOf([...done.values()])
  const claims = judgeClaims(paper, done)
  const tests = judgeTests(paper, done)
  if (flags.json) printJson({ ...headOf(paper), runs: runsOf(done), cells, claims, ofPaper: auditClaims(paper), tests })
  else {
    report([
      ...comparisons(paper, cells),
      ...latenciesShown(paper, done),
      ...claimsShown(claims, auditClaims(paper)),
      ...testsShown(tests),
    ])
    for (const { table } of [...done.values()].filter((one) => 'table' in one))
      for (const trend of table.trends ?? []) print(plain(trendText(trend)))
    const isJudged = cells.some(({ needed }) => needed !== undefined)
    for (const note of [
      ...reasonsOf([...cells, ...claims]),
      ...(isJudged ? [verdictNote] : []),
      ...tokenNotes(cells),
      ...paper.notes,
    ])
      print(pc.dim(plain(note)))
    sayWhereTheResultsLie(done)
  }
}

/** What each run that can begin is expected to cost, and the record graphs that networks are trained on before it. */
async function printPlans(
  ready: ReadonlyMap<string, Readiness>,
  settings: Settings,
  { json }: JsonFlag,
): Promise<void> {
  const planned: { readonly label: string; readonly plan: Plan; readonly isTraining: boolean }[] = []
  let untrained = 0
  for (const [label, one] of ready) {
    if (!('plan' in one)) continue
    const missing = (one.trainings ?? []).filter(({ file }) => !existsSync(file))
    untrained += missing.length
    // trainings that differ in how they train alone share their record graphs
    const graphs = new Map(missing.map(({ plan }) => [hashOf({ ...plan.record, train: null }), plan]))
    for (const plan of graphs.values()) {
      const methods = [rowToTrain(plan, undefined)]
      planned.push({
        label: `${label}: record graphs to train ${plural(missing.length, 'network')} on`,
        ...{ plan: withoutNetworks({ ...plan, asked: null, methods, scorers: [] }), isTraining: true },
      })
    }
    planned.push({ label, plan: missing.length > 0 ? withoutNetworks(one.plan) : one.plan, isTraining: false })
  }
  const costs = await costsOfPlans(
    planned.map(({ plan }) => plan),
    { ...settings, cache: false },
  )
  const runs = costs.runs.map((run, index) => {
    const { label = run.name, isTraining = false } = planned[index] ?? {}
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

async function list({ json }: JsonFlag): Promise<void> {
  const names = await paperNames()
  const tables = await Promise.all(names.map(async (name) => ({ name, ...headOf((await readPaper(name)).paper) })))
  if (json) printJson(tables)
  else for (const { name, table, paper } of tables) print(`${pc.bold(name)}  ${table}  ${pc.dim(paper)}`)
}

const headOf = ({ paper, table }: PaperTable) => ({ paper, table })

/** Runs that lack the same are named together. */
function sayWhatIsMissing(runs: ReadonlyMap<string, Readiness | Ran>): void {
  const lacking = new Map<string, string[]>()
  for (const [label, one] of runs) {
    if (!('missing' in one)) continue
    const lines = one.missing.map((line) => `  ${plain(line)}\n`).join('')
    lacking.set(lines, [...(lacking.get(lines) ?? []), plain(label)])
  }
  for (const [lines, labels] of lacking) print(`${pc.bold(labels.join('; '))} cannot run:\n${lines}`)
}

/** Runs that the paper's numbers say nothing about, named before any of them is paid for. */
async function sayWhatWillNotCompare(
  { runs }: PaperTable,
  ready: ReadonlyMap<string, Readiness>,
  asking: ReadinessRequest,
): Promise<void> {
  if (asking.offline) return
  for (const [label, one] of ready) {
    if ('missing' in one) continue
    const conditions = await conditionsOf(one.plan, asking.settings)
    const reason = conditions && incomparableBecause(conditions, runs[label], asking)
    if (reason !== undefined)
      printNotice(`note: the numbers of the run "${plain(label)}" will not be comparable with the paper's: ${reason}`)
  }
}

interface Conditions {
  readonly dataset: string
  readonly questions: number
  /** Providers that are no language model. */
  readonly offline: readonly string[]
}

/** Undefined for a run that cannot be opened: it says so when it begins. */
async function conditionsOf(plan: Plan, settings: Settings): Promise<Conditions | undefined> {
  try {
    const prepared = await prepare(plan, settings)
    await prepared.close()
    const { dataset, survey, models } = prepared
    return { dataset: dataset.name, questions: survey.questions, offline: models.offline() }
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}

async function carryOut(
  ready: Readiness,
  {
    paper,
    label,
    numberings,
  }: { readonly paper: PaperTable; readonly label: string; readonly numberings: Map<string, QuestionNumbers> },
  asking: ReadinessRequest,
  { json }: JsonFlag,
): Promise<Done> {
  if ('missing' in ready) return ready
  const progress = json ? undefined : progressBars()
  try {
    await trainAll(ready.trainings ?? [], asking.settings, json)
    const { folder, manifest } = await run(ready.plan, asking.settings, progress).finally(() => progress?.close())
    const { table } = await writeTables(folder)
    const failed = table.rows.reduce((sum, row) => sum + row.failed + row.failedScores, 0)
    const { dataset, offline } = manifest
    const incomparable = incomparableBecause(
      { dataset: dataset.name, questions: dataset.questions, offline },
      paper.runs[label],
      asking,
    )
    const { checksum } = manifest.dataset
    const questions = numberings.get(checksum) ?? questionNumbers()
    numberings.set(checksum, questions)
    const scores = await scoresOfRun(manifest, await openResults(folder, ''), questions)
    return { table, scores, folder, failed, ...(incomparable !== undefined && { incomparable }) }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { missing: [messageOf(error)] }
  }
}

/** Why a run is not compared with the paper, every reason; undefined where it is. */
function incomparableBecause(
  { dataset, questions, offline: providers }: Conditions,
  wanted: PaperRun | undefined,
  { offline, limit }: ReadinessRequest,
): string | undefined {
  const reasons = providers.map((provider) => `"${provider}" is not a language model`)
  if (offline) reasons.unshift(`an offline variant on ${dataset}`)
  else if (wanted?.questions !== undefined && questions !== wanted.questions)
    reasons.push(`this run has ${plural(questions, 'question')}, the paper asked ${wanted.questions}`)
  else if (limit !== undefined) reasons.push(`only the first ${plural(questions, 'question')}`)
  return reasons.length === 0 ? undefined : reasons.join('; ')
}

function exitCodeOf(done: readonly Done[]): number {
  const ran = done.filter((one) => 'table' in one)
  if (ran.length === 0) return exitCodes.usage
  return ran.length < done.length || ran.some(({ failed = 0 }) => failed > 0) ? exitCodes.incomplete : exitCodes.done
}

const runsOf = (done: ReadonlyMap<string, Done>) =>
  Array.from(done, ([name, one]) =>
    'missing' in one
      ? { name, missing: one.missing }
      : { name, folder: one.folder, failed: one.failed, incomparable: one.incomparable },
  )

function report(found: readonly Comparison[]): void {
  for (const { title, grid } of found)
    print(`${pc.bold(plain(title))}\n${grid.rows.length === 0 ? '' : `${terminalGrid(grid)}\n`}`)
}

function sayWhereTheResultsLie(done: ReadonlyMap<string, Done>): void {
  for (const [label, { folder, failed = 0 }] of done) {
    if (folder === undefined) continue
    const failures =
      failed > 0
        ? `, ${plural(failed, 'failed trial or score is', 'failed trials or scores are')} left out of the means`
        : ''
    print(`${plain(label)}: ${relative(process.cwd(), folder) || '.'}/${failures}`)
  }
}

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
async function trainingsOf(
  experiment: Experiment,
  { file, limit, settings }: Pick<ReadinessRequest, 'file' | 'limit' | 'settings'>,
): Promise<readonly Training[]> {
  const { set = [], files = {} } = experiment.train ?? {}
  const plans = await Promise.all(
    Object.entries(files).map(async ([name, own]) => {
      const configs = experiment.configs.map((config) => join(dirname(file), config))
      const settled = {
        ...atHome([...experiment.set, ...set, ...own]),
        environment: { ...atHome([]).environment, [weightsFolder]: '.' },
        ...(limit !== undefined && { limit }),
      }
      return { name, plan: await readConfig(configs, settled, menus) }
    }),
  )
  const made = hashOf(
    plans.map(({ name, plan }) => ({ name, train: plan.train, seed: plan.seed, record: plan.record })),
  )
  const folder = join(settings.results, 'weights', made.slice(0, 8))
  return plans.map(({ name, plan }) => ({ name, plan, file: resolve(folder, `${name}.json`) }))
}

/** The variable of the environment that configs name the folder of weights by. */
const weightsFolder = 'GOR_WEIGHTS'

async function trainAll(trainings: readonly Training[], settings: Settings, quiet: boolean): Promise<void> {
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
  const { file, limit, methods: wanted, settings } = asking
  const trainings = experiment.train && (await trainingsOf(experiment, asking).catch(unlessUserError))
  const folder = trainings?.[0] && dirname(trainings[0].file)
  const readWith = (methods: readonly string[] | undefined, more: readonly string[]): Promise<Plan> =>
    readConfig(
      experiment.configs.map((config) => join(dirname(file), config)),
      {
        ...atHome([...experiment.set, ...more]),
        ...(folder !== undefined && { environment: { ...atHome([]).environment, [weightsFolder]: folder } }),
        ...(limit !== undefined && { limit }),
        ...(methods && { methods }),
      },
      menus,
    )
  const read = async (more: readonly string[] = []): Promise<Plan> => {
    const plan = await readWith(undefined, more)
    const labels = wanted && plan.methods.map(({ label }) => label).filter((label) => wanted.includes(label))
    return labels ? readWith(labels, more) : plan
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
