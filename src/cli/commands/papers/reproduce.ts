import type { Command } from 'commander'
import { cacheOption, commaList, examples, wholeNumber, withLimits } from '../../flags.ts'
import { basename, relative } from 'node:path'
import pc from 'picocolors'
import { valueOf } from '../../../basics/collections.ts'
import { writeTables } from '../../../library/write-tables.ts'
import { messageOf, UserError } from '../../../errors.ts'
import { compare, type Compared } from '../../../report/paper/compare-cells.ts'
import { judgeClaims, type JudgedClaim } from '../../../report/paper/judge-claims.ts'
import {
  cellTables,
  claimLines,
  claimTables,
  contextNotes,
  latencyTables,
  outcomeNotes,
  reasonsOf,
  testTables,
  type TitledTable,
} from '../../../report/paper/messages.ts'
import { scoresOfRun, type RunResult } from '../../../report/paper/our-cells.ts'
import { partOfPaper } from '../../../report/paper/paper-table.ts'
import { judgeTests, type JudgedTest } from '../../../report/paper/run-tests.ts'
import type { PaperTable } from '../../../report/paper/schema.ts'
import { latexFloat } from '../../../report/render/latex.ts'
import { plural } from '../../../text/amounts.ts'
import { offlineProviders } from '../../../report/render/notes-on-data.ts'
import { trendText } from '../../../report/render/notes-on-runs.ts'
import { questionNumbers, type QuestionNumbers } from '../../../report/gather/estimate.ts'
import { openResults, run } from '../../../run/index.ts'
import { plain } from '../../../text/characters.ts'
import { exitCodes, interruptible } from '../../ending.ts'
import { settingsOf, type PlanFlags, type UsageLimitFlags } from '../../plan.ts'
import { printNotice, print, printJson, type JsonFlag } from '../../terminal/print.ts'
import { progressBars } from '../../terminal/progress-bars.ts'
import { formatTable } from '../../terminal/format-table.ts'
import { comparability, incomparableBecause, reasonsNotToCompare, remedies } from './comparability.ts'
import { paperNames, readPaper } from './read-paper.ts'
import { printPlans, readiness, trainAll, type Readiness, type ReadinessRequest } from './readiness.ts'

interface ReproduceFlags
  extends JsonFlag, UsageLimitFlags, Pick<PlanFlags, 'cache' | 'cacheFolder' | 'limit' | 'results'> {
  readonly offline: boolean
  /** Rows and runs of the paper; default: all. */
  readonly only?: readonly string[]
  readonly plan: boolean
  readonly full: boolean
  readonly latex: boolean
}

/** A run's result with its folder. */
type Done = RunResult & { readonly folder?: string; readonly failed?: number }

export const setUp = (command: Command): Command =>
  withLimits(command)
    .argument('[name]', 'name of a table, or a JSON file of the same form; without a name, the tables are listed')
    .option('--offline', 'run the offline variants, without a key or download', false)
    .option('--plan', 'print the expected cost and run nothing', false)
    .option('--only <names>', 'only these rows of the paper, or runs (datasets), separated by commas', commaList)
    .option('--limit <questions>', 'ask only the first questions', wholeNumber)
    .addOption(cacheOption())
    .option('--no-cache', 'do not use the call cache on disk')
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option('--full', 'print the pairs of claims, nearer rows, latency and all notes, too', false)
    .option('--latex', 'print LaTeX tables only', false)
    .option('--json', 'print JSON only', false)
    .action(reproduceCommand)
    .addHelpText('after', examples('gembench reproduce', 'gembench reproduce unweaver-table-1 --offline'))

/** `gembench reproduce`: runs the configs of a paper's table and sets our cells beside the paper's. */
async function reproduceCommand(name: string | undefined, flags: ReproduceFlags): Promise<void> {
  if (name === undefined) return list(flags)
  const { file, paper: allOfPaper } = await readPaper(name)
  const { offline, limit, only } = flags
  const paper = only ? partOfPaper(allOfPaper, only) : allOfPaper
  const settings = settingsOf(flags, interruptible())
  const methods = only && paper.cells.flatMap(({ row }) => paper.rows[row]?.method ?? [])
  const request: ReadinessRequest = {
    file,
    offline,
    settings,
    ...(limit !== undefined && { limit }),
    ...(methods && { methods }),
  }
  const ready = new Map<string, Readiness>()
  for (const [label, run] of Object.entries(paper.runs)) {
    const readyRun = await readiness(run, request)
    if (readyRun) ready.set(label, readyRun)
  }
  const isText = !flags.json && !flags.latex
  const reasons = flags.plan ? new Map<string, string>() : await reasonsNotToCompare(paper, ready, request)
  const canRun = [...ready.values()].some((run) => 'plan' in run)
  if (isText) {
    if (!flags.plan) print(plain(comparability(ready, reasons)))
    for (const line of remedies(ready, canRun ? { runs: {} } : paper, name, offline)) print(plain(line))
  } else if (!offline)
    for (const [label, reason] of reasons)
      printNotice(`note: the numbers of the run "${plain(label)}" will not be comparable with the paper's: ${reason}`)
  if (flags.plan) return printPlans(ready, settings, flags)
  if (!canRun && isText) {
    process.exitCode = exitCodes.usage
    return
  }

  const outcomes = new Map<string, Done>()
  const numberings = new Map<string, QuestionNumbers>()
  for (const [label, run] of ready)
    outcomes.set(label, await carryOut(run, { paper, label, numberings }, request, { ...flags, json: !isText }))
  process.exitCode = exitCodeOf([...outcomes.values()])
  if (isText)
    for (const [label, run] of outcomes)
      if ('missing' in run && 'plan' in valueOf(ready, label)) print(plain(`${label}: ${run.missing.join('; ')}`))
  const results = {
    cells: compare(paper, outcomes),
    claims: judgeClaims(paper, outcomes),
    tests: judgeTests(paper, outcomes),
  }
  if (flags.json) printJson({ ...headOf(paper), runs: runsOf(outcomes), ...results })
  else if (flags.latex) printLatex(name, paper, results.cells, comparability(ready, reasons))
  else printResults(paper, outcomes, results, flags.full)
}

interface Results {
  readonly cells: readonly Compared[]
  readonly claims: readonly JudgedClaim[]
  readonly tests: readonly JudgedTest[]
}

function printResults(
  paper: PaperTable,
  outcomes: ReadonlyMap<string, Done>,
  { cells, claims, tests }: Results,
  isFull: boolean,
): void {
  print(`\n${pc.bold(plain(paper.table))}  ${pc.dim(plain(paper.paper))}\n`)
  printTables(cellTables(paper, cells, isFull))
  for (const claim of claims) print(`${claimLines(claim).map(plain).join('\n')}\n`)
  printTables(testTables(tests))
  if (isFull) {
    printTables([...claimTables(claims), ...latencyTables(paper, outcomes)])
    for (const { table } of [...outcomes.values()].filter((run) => 'table' in run))
      for (const trend of table.trends ?? []) print(plain(trendText(trend)))
  }
  const notes = isFull
    ? [...outcomeNotes, ...paper.notes]
    : ['Pairs of claims, nearer rows, latency and all notes: --full. LaTeX: --latex.']
  const reasons = reasonsOf([...cells, ...claims])
  for (const note of [...reasons, ...contextNotes(paper, outcomes), ...notes]) print(pc.dim(plain(note)))
  printFolders(outcomes)
}

function printLatex(name: string, paper: PaperTable, cells: readonly Compared[], comparable: string): void {
  for (const [index, { title, table }] of cellTables(paper, cells, false).entries())
    print(
      latexFloat(table, `${paper.table}: ${title}. ${comparable}`, `tab:${basename(name, '.json')}-${index + 1}`, [
        paper.paper,
      ]),
    )
}

async function list({ json }: JsonFlag): Promise<void> {
  const names = await paperNames()
  const tables = await Promise.all(names.map(async (name) => ({ name, ...headOf((await readPaper(name)).paper) })))
  if (json) printJson(tables)
  else for (const { name, table, paper } of tables) print(`${pc.bold(name)}  ${table}  ${pc.dim(paper)}`)
}

const headOf = ({ paper, table }: PaperTable) => ({ paper, table })

async function carryOut(
  ready: Readiness,
  {
    paper,
    label,
    numberings,
  }: { readonly paper: PaperTable; readonly label: string; readonly numberings: Map<string, QuestionNumbers> },
  request: ReadinessRequest,
  { json }: JsonFlag,
): Promise<Done> {
  if ('missing' in ready) return ready
  const progress = json ? undefined : progressBars()
  try {
    await trainAll(ready.trainings ?? [], request.settings, json)
    const { folder, manifest } = await run(ready.plan, request.settings, progress).finally(() => progress?.close())
    const { table } = await writeTables(folder)
    const failed = table.rows.reduce((sum, row) => sum + row.failed + row.failedScores, 0)
    const { dataset } = manifest
    const incomparable = incomparableBecause(
      { dataset: dataset.name, questions: dataset.questions, offline: offlineProviders(manifest, table) },
      paper.runs[label],
      request,
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

function printTables(tables: readonly TitledTable[]): void {
  for (const { title, table } of tables) print(`${pc.bold(plain(title))}\n${formatTable(table)}\n`)
}

function printFolders(outcomes: ReadonlyMap<string, Done>): void {
  for (const [label, { folder, failed = 0 }] of outcomes) {
    if (folder === undefined) continue
    const failures =
      failed > 0
        ? `, ${plural(failed, 'failed trial or score is', 'failed trials or scores are')} left out of the means`
        : ''
    print(`${plain(label)}: ${relative(process.cwd(), folder) || '.'}/${failures}`)
  }
}
