import type { Command } from 'commander'
import { cacheOption, commaList, examples, wholeNumber, withLimits } from '../../flags.ts'
import { relative } from 'node:path'
import pc from 'picocolors'
import { writeTables } from '../../../library/write-tables.ts'
import { groupBy, valueOf } from '../../../basics/collections.ts'
import type { Plan } from '../../../config/index.ts'
import { tasksOf } from '../../../define.ts'
import { messageOf, UserError } from '../../../errors.ts'
import { compare, tokenNotes, type RunResult } from '../../../report/paper/compare-cells.ts'
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
} from '../../../report/paper/comparison-tables.ts'
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
import { formatTable } from '../../terminal/format-table.ts'
import { paperNames, readPaper } from './read-paper.ts'
import { printPlans, readiness, trainAll, type Readiness, type ReadinessRequest } from './readiness.ts'

interface ReproduceFlags
  extends JsonFlag, SpendingFlags, Pick<PlanFlags, 'cache' | 'cacheFolder' | 'limit' | 'results'> {
  readonly offline: boolean
  /** Rows and runs to make; absent: all. */
  readonly only?: readonly string[]
  readonly plan: boolean
}

/** The outcome of a run, and its results folder. */
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

/** `gembench reproduce`: runs the configs of a paper's table and compares our numbers with the paper's. */
async function reproduceCommand(name: string | undefined, flags: ReproduceFlags): Promise<void> {
  if (name === undefined) return list(flags)
  const { file, paper: fullPaper } = await readPaper(name)
  const { offline, limit, only } = flags
  const paper = only ? partOfPaper(fullPaper, only) : fullPaper
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
  for (const [label, paperRun] of Object.entries(paper.runs)) {
    const state = await readiness(paperRun, asking)
    if (state) ready.set(label, state)
  }
  if (!flags.json) sayWhatIsMissing(ready)
  if (flags.plan) return printPlans(ready, settings, flags)
  await sayWhatWillNotCompare(paper, ready, asking)

  const outcomes = new Map<string, Done>()
  const numberings = new Map<string, QuestionNumbers>()
  for (const [label, state] of ready)
    outcomes.set(label, await carryOut(state, { paper, label, numberings }, asking, flags))
  // errors found only when a run starts, such as a malformed line of its dataset
  if (!flags.json) sayWhatIsMissing(new Map([...outcomes].filter(([label]) => 'plan' in valueOf(ready, label))))
  const cells = compare(paper, outcomes)
  process.exitCode = exitCodeOf([...outcomes.values()])
  const claims = judgeClaims(paper, outcomes)
  const tests = judgeTests(paper, outcomes)
  if (flags.json) printJson({ ...headOf(paper), runs: runsOf(outcomes), cells, claims, tests })
  else {
    report([
      ...comparisons(paper, cells),
      ...latencyTables(paper, outcomes),
      ...contextTables(paper, outcomes),
      ...claimTables(claims),
      ...testTables(tests),
    ])
    for (const { table } of [...outcomes.values()].filter((outcome) => 'table' in outcome))
      for (const trend of table.trends ?? []) print(plain(trendText(trend)))
    const isJudged = cells.some(({ needed }) => needed !== undefined)
    for (const note of [
      ...reasonsOf([...cells, ...claims]),
      ...(isJudged ? [verdictNote] : []),
      ...tokenNotes(cells),
      ...paper.notes,
    ])
      print(pc.dim(plain(note)))
    sayWhereTheResultsLie(outcomes)
  }
}

async function list({ json }: JsonFlag): Promise<void> {
  const names = await paperNames()
  const tables = await Promise.all(names.map(async (name) => ({ name, ...headOf((await readPaper(name)).paper) })))
  if (json) printJson(tables)
  else for (const { name, table, paper } of tables) print(`${pc.bold(name)}  ${table}  ${pc.dim(paper)}`)
}

const headOf = ({ paper, table }: PaperTable) => ({ paper, table })

/** Groups runs that lack the same. */
function sayWhatIsMissing(runs: ReadonlyMap<string, Readiness | RunResult>): void {
  const lacking = [...runs].flatMap(([label, state]) =>
    'missing' in state
      ? [{ label: plain(label), lines: state.missing.map((line) => `  ${plain(line)}\n`).join('') }]
      : [],
  )
  for (const [lines, group] of groupBy(lacking, (entry) => entry.lines))
    print(`${pc.bold(group.map(({ label }) => label).join('; '))} cannot run:\n${lines}`)
}

/** Names runs that are not comparable with the paper, before they cost anything. */
async function sayWhatWillNotCompare(
  { runs }: PaperTable,
  ready: ReadonlyMap<string, Readiness>,
  asking: ReadinessRequest,
): Promise<void> {
  if (asking.offline) return
  for (const [label, state] of ready) {
    if ('missing' in state) continue
    const conditions = await conditionsOf(state.plan, asking.settings)
    const reason = conditions && incomparableBecause(conditions, runs[label], asking)
    if (reason !== undefined)
      printNotice(`note: the numbers of the run "${plain(label)}" will not be comparable with the paper's: ${reason}`)
  }
}

interface Conditions {
  readonly dataset: string
  readonly questions: number
  /** Providers that are not language models. */
  readonly offline: readonly string[]
}

/** Undefined for a run that cannot be opened, which is reported when it starts. */
async function conditionsOf(plan: Plan, settings: Settings): Promise<Conditions | undefined> {
  try {
    const setup = await prepare(plan, settings)
    await setup.close()
    const { dataset, statistics: survey, models, style, methods, scorers } = setup
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

/** All reasons why a run is not comparable with the paper; undefined if it is. */
function incomparableBecause(
  { dataset, questions, offline: providers }: Conditions,
  paperRun: PaperRun | undefined,
  { offline, limit }: ReadinessRequest,
): string | undefined {
  const reasons = providers.map((provider) => `"${provider}" is not a language model`)
  if (offline) reasons.unshift(`an offline variant on ${dataset}`)
  else if (paperRun?.questions !== undefined && questions !== paperRun.questions)
    reasons.push(`this run has ${plural(questions, 'question')}, the paper asked ${paperRun.questions}`)
  else if (limit !== undefined) reasons.push(`only the first ${plural(questions, 'question')}`)
  return reasons.length === 0 ? undefined : reasons.join('; ')
}

function exitCodeOf(outcomes: readonly Done[]): number {
  const ran = outcomes.filter((outcome) => 'table' in outcome)
  if (ran.length === 0) return exitCodes.usage
  return ran.length < outcomes.length || ran.some(({ failed = 0 }) => failed > 0)
    ? exitCodes.incomplete
    : exitCodes.done
}

const runsOf = (outcomes: ReadonlyMap<string, Done>) =>
  Array.from(outcomes, ([name, outcome]) =>
    'missing' in outcome
      ? { name, missing: outcome.missing }
      : { name, folder: outcome.folder, failed: outcome.failed, incomparable: outcome.incomparable },
  )

function report(sections: readonly TitledTable[]): void {
  for (const { title, table: grid } of sections)
    print(`${pc.bold(plain(title))}\n${grid.rows.length === 0 ? '' : `${formatTable(grid)}\n`}`)
}

function sayWhereTheResultsLie(outcomes: ReadonlyMap<string, Done>): void {
  for (const [label, { folder, failed = 0 }] of outcomes) {
    if (folder === undefined) continue
    const failures =
      failed > 0
        ? `, ${plural(failed, 'failed trial or score is', 'failed trials or scores are')} left out of the means`
        : ''
    print(`${plain(label)}: ${relative(process.cwd(), folder) || '.'}/${failures}`)
  }
}
