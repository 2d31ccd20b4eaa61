import type { Command } from 'commander'
import { cacheOption, commaList, examples, wholeNumber, withLimits } from '../../flags.ts'
import { relative } from 'node:path'
import pc from 'picocolors'
import { writeTables } from '../../../library/write-tables.ts'
import { groupBy, valueOf } from '../../../basics/collections.ts'
import type { Plan } from '../../../config/index.ts'
import { tasksOf } from '../../../define.ts'
import { messageOf, UserError } from '../../../errors.ts'
import { compare, tokenNotes, type RunResult } from '../../../report/paper/compare.ts'
import {
  claimTables,
  comparisons,
  contextTables,
  latencyTables,
  reasonsOf,
  type TitledTable,
  judgeTests,
  testTables,
  verdictNote,
} from '../../../report/paper/comparison.ts'
import { judgeClaims, scoresOfRun } from '../../../report/paper/judge-claims.ts'
import { type PaperRun, type PaperTable, methodsOf, partOfPaper } from '../../../report/paper/paper-table.ts'
import { plural } from '../../../text/amounts.ts'
import { offlineProviders } from '../../../report/render/notes-on-data.ts'
import { trendText } from '../../../report/render/notes-on-trends.ts'
import { questionNumbers, type QuestionNumbers } from '../../../report/table/estimate.ts'
import { openResults, prepare, run, type Settings } from '../../../run/index.ts'
import { plain } from '../../../text/characters.ts'
import { exitCodes, interruptible } from '../../ending.ts'
import { settingsOf, type PlanFlags, type SpendingFlags } from '../../plan.ts'
import { printNotice, print, printJson, type JsonFlag } from '../../terminal/print.ts'
import { progressBars } from '../../terminal/progress-bars.ts'
import { formatTable } from '../../terminal/terminal-grid.ts'
import { paperNames, readPaper } from './read-paper.ts'
import { printPlans, readiness, trainAll, type Readiness, type ReadinessRequest } from './readiness.ts'

interface ReproduceFlags
  extends JsonFlag, SpendingFlags, Pick<PlanFlags, 'cache' | 'cacheFolder' | 'limit' | 'results'> {
  readonly offline: boolean
  /** Rows and runs of the table to make, in place of all. */
  readonly only?: readonly string[]
  readonly plan: boolean
}

/** What became of a run, and where its results lie. */
type Done = RunResult & { readonly folder?: string; readonly failed?: number }

export const setUp = (command: Command): Command =>
  withLimits(command)
    .argument('[name]', 'name of a table, or a JSON file of the same form; without a name, the tables are listed')
    .option('--offline', 'run the offline variants, which need no key and no download', false)
    .option('--plan', 'print what the runs are expected to cost, and run nothing', false)
    .option('--only <names>', 'only these rows of the paper, or runs (datasets), separated by commas', commaList)
    .option('--limit <questions>', 'ask only the first questions', wholeNumber)
    .addOption(cacheOption())
    .option('--no-cache', 'do not use the call cache on disk')
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option('--json', 'print JSON only', false)
    .action(reproduceCommand)
    .addHelpText('after', examples('gembench reproduce', 'gembench reproduce unweaver-table-1 --offline'))

/** `gembench reproduce`: runs the configs of a paper's table and sets our cells beside the paper's. */
async function reproduceCommand(name: string | undefined, flags: ReproduceFlags): Promise<void> {
  if (name === undefined) return list(flags)
  const { file, paper: whole } = await readPaper(name)
  const { offline, limit, only } = flags
  const paper = only ? partOfPaper(whole, only) : whole
  const settings = settingsOf(flags, interruptible())
  const methods = only ? methodsOf(paper) : undefined
  const asking: ReadinessRequest = {
    file,
    offline,
    settings,
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
  if (!flags.json) sayWhatIsMissing(new Map([...done].filter(([label]) => 'plan' in valueOf(ready, label))))
  const cells = compare(paper, done)
  process.exitCode = exitCodeOf([...done.values()])
  const claims = judgeClaims(paper, done)
  const tests = judgeTests(paper, done)
  if (flags.json) printJson({ ...headOf(paper), runs: runsOf(done), cells, claims, tests })
  else {
    report([
      ...comparisons(paper, cells),
      ...latencyTables(paper, done),
      ...contextTables(paper, done),
      ...claimTables(claims),
      ...testTables(tests),
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

async function list({ json }: JsonFlag): Promise<void> {
  const names = await paperNames()
  const tables = await Promise.all(names.map(async (name) => ({ name, ...headOf((await readPaper(name)).paper) })))
  if (json) printJson(tables)
  else for (const { name, table, paper } of tables) print(`${pc.bold(name)}  ${table}  ${pc.dim(paper)}`)
}

const headOf = ({ paper, table }: PaperTable) => ({ paper, table })

/** Runs that lack the same are named together. */
function sayWhatIsMissing(runs: ReadonlyMap<string, Readiness | RunResult>): void {
  const lacking = [...runs].flatMap(([label, one]) =>
    'missing' in one ? [{ label: plain(label), lines: one.missing.map((line) => `  ${plain(line)}\n`).join('') }] : [],
  )
  for (const [lines, same] of groupBy(lacking, (one) => one.lines))
    print(`${pc.bold(same.map(({ label }) => label).join('; '))} cannot run:\n${lines}`)
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
    const { dataset, statistics: survey, models, style, methods, scorers } = prepared
    const isAsked =
      style !== 'none' ||
      methods.some(({ method, options }) => tasksOf(method, options).length > 0) ||
      scorers.some(({ scorer }) => scorer.judge)
    return { dataset: dataset.name, questions: survey.questions, offline: isAsked ? models.offline() : [] }
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
    const { dataset } = manifest
    const incomparable = incomparableBecause(
      { dataset: dataset.name, questions: dataset.questions, offline: offlineProviders(manifest, table) },
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

function report(found: readonly TitledTable[]): void {
  for (const { title, table: grid } of found)
    print(`${pc.bold(plain(title))}\n${grid.rows.length === 0 ? '' : `${formatTable(grid)}\n`}`)
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
