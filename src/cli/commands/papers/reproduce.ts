import type { Command } from 'commander'
import { basename, relative } from 'node:path'
import pc from 'picocolors'
import { groupBy } from '../../../basics/collections.ts'
import { memoise } from '../../../basics/memoise.ts'
import { messageOf, UserError } from '../../../errors.ts'
import { writeTables } from '../../../library/write-tables.ts'
import { questionNumbers, type QuestionNumbers } from '../../../report/gather/observations.ts'
import { compare, type Compared, judgeTests } from '../../../report/paper/compare-cells.ts'
import { judgeClaims } from '../../../report/paper/judge-claims.ts'
import {
  cellTables,
  claimLines,
  claimTables,
  latencyTables,
  outcomeNotes,
  reasonsOf,
  testTables,
  type TitledTable,
} from '../../../report/paper/messages.ts'
import type { RunResult } from '../../../report/paper/our-cells.ts'
import { partOfPaper, partOfRuns } from '../../../report/paper/paper-table.ts'
import type { PaperTable } from '../../../report/paper/schema.ts'
import { latexFloat } from '../../../report/render/latex.ts'
import { scoredTableOf } from '../../../report/table/table.ts'
import { openResults, run } from '../../../run/index.ts'
import { plural, present } from '../../../text/amounts.ts'
import { plain } from '../../../text/characters.ts'
import { exitCodes, interruptible } from '../../ending.ts'
import { cacheOption, commaList, examples, wholeNumber, withLimits } from '../../flags.ts'
import { settingsOf, type PlanFlags, type UsageLimitFlags } from '../../plan.ts'
import { formatTable } from '../../terminal/format-table.ts'
import { print, printJson, type JsonFlag } from '../../terminal/print.ts'
import { withProgress } from '../../terminal/progress-bars.ts'
import { printPlans } from './print-plans.ts'
import { paperNames, readPaper, readyRuns, trainAll, type Readiness, type ReproduceRequest } from './ready-runs.ts'

interface ReproduceFlags
  extends JsonFlag, UsageLimitFlags, Pick<PlanFlags, 'cache' | 'cacheFolder' | 'limit' | 'results'> {
  readonly offline: boolean
  /** Rows and runs of the paper; default: all. */
  readonly only?: readonly string[]
  readonly plan: boolean
  readonly full: boolean
  readonly latex: boolean
}

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
    .option('--full', 'print the pairs of claims, latency and all notes, too', false)
    .option('--latex', 'print LaTeX tables only', false)
    .option('--json', 'print JSON only', false)
    .action(reproduceCommand)
    .addHelpText('after', examples('gembench reproduce', 'gembench reproduce unweaver-table-1 --offline'))

async function reproduceCommand(name: string | undefined, flags: ReproduceFlags) {
  if (name === undefined) return list(flags)
  const { file, paper: allOfPaper } = await readPaper(name)
  const { offline, limit, only, plan } = flags
  const selection = only ? partOfPaper(allOfPaper, only) : allOfPaper
  const request: ReproduceRequest = {
    file,
    offline,
    plan,
    settings: settingsOf(flags, interruptible()),
    ...(limit !== undefined && { limit }),
    ...(only && { methods: selection.cells.flatMap(({ row }) => selection.rows[row]?.method ?? []) }),
  }
  const ready = await readyRuns(selection, request)
  const paper = partOfRuns(selection, [...ready.keys()])
  const isText = !flags.json && !flags.latex
  if (isText) {
    if (!plan) print(plain(comparability(ready)))
    for (const line of remedies(ready)) print(plain(line))
  }
  if (plan) return printPlans(ready, request.settings, flags)
  const canRun = [...ready.values()].some((run) => 'plan' in run)
  if (isText && !canRun) {
    if (Object.values(paper.runs).some((run) => !offline && run.offline.length > 0))
      print(plain(`Without models: gembench reproduce ${name} --offline (not comparable with the paper)`))
    process.exitCode = exitCodes.usage
    return
  }
  const results = new Map<string, Done>()
  const numbersOf = memoise((_checksum: string) => questionNumbers())
  for (const [label, run] of ready) results.set(label, await carryOut(run, request, numbersOf, !isText))
  process.exitCode = exitCodeOf([...results.values()])
  if (flags.json) printJsonOf(paper, results)
  else if (flags.latex) printLatex(name, paper, compare(paper, results), comparability(ready))
  else printResults(paper, ready, results, flags.full)
}

async function list({ json }: JsonFlag) {
  const names = await paperNames()
  const readHead = async (name: string) => {
    const { paper } = await readPaper(name)
    return { name, ...headOf(paper) }
  }
  const tables = await Promise.all(names.map(readHead))
  if (json) printJson(tables)
  else for (const { name, table, paper } of tables) print(`${pc.bold(name)}  ${table}  ${pc.dim(paper)}`)
}

const headOf = ({ paper, table }: PaperTable) => ({ paper, table })

/** Line 1 of `reproduce`: which runs are comparable with the paper, which are not and why, and which cannot run. */
function comparability(ready: ReadonlyMap<string, Readiness>) {
  const byReason = groupBy(ready, ([, run]) => {
    if ('missing' in run) return null
    return run.incomparable ?? ''
  })
  const sentences = Array.from(byReason, ([reason, runs]) => {
    const labels = runs.map(([label]) => label)
    const names = labels.length > 3 ? plural(labels.length, 'run') : labels.join(', ')
    if (reason === null) return `Cannot run: ${names}.`
    const selection = labels.length === ready.size ? '' : ` (${names})`
    return reason === ''
      ? `Comparable with the paper${selection}.`
      : `Not comparable with the paper${selection}: ${reason}.`
  })
  return sentences.join(' ')
}

/** What is missing and how to get it: variables, downloads, anything else. */
function remedies(ready: ReadonlyMap<string, Readiness>) {
  const runs = [...ready.values()]
  const lines = [...new Set(runs.flatMap((run) => ('missing' in run ? run.missing : [])))]
  const matches = (pattern: RegExp) => new Set(lines.flatMap((line) => pattern.exec(line)?.[1] ?? []))
  const variables = [...matches(unsetVariable)].join(', ')
  const downloads = [...matches(download)].join('; ')
  return present(
    variables !== '' && `Set ${variables} in the environment or in .env.`,
    downloads !== '' && `Download the data: ${downloads}`,
    lines.filter((line) => !unsetVariable.test(line) && !download.test(line)),
  )
}

/** The message of a config whose variable is not set; one with a hint at another variable stays as it is. */
const unsetVariable = /environment variable (\S+) is not set(?!.*did you mean)/
const download = /no such file or folder; download it with "([^"]+)"/

/** A run's result with its folder. */
type Done = RunResult & { readonly folder?: string; readonly failed?: number }

/** Runs on the same data share the numbers of their questions. */
async function carryOut(
  ready: Readiness,
  { settings }: ReproduceRequest,
  numbersOf: (checksum: string) => QuestionNumbers,
  isQuiet: boolean,
): Promise<Done> {
  if (!('plan' in ready)) return ready
  const { plan, trainings, incomparable } = ready
  try {
    await trainAll(trainings, settings, isQuiet)
    const { folder, manifest } = await withProgress(!isQuiet, (progress) => run(plan, { ...settings, ...progress }))
    await writeTables(folder)
    const questions = numbersOf(manifest.dataset.checksum)
    const { table, scores } = await scoredTableOf(manifest, await openResults(folder, ''), { questions })
    const failed = table.rows.reduce((sum, row) => sum + row.failed + row.failedScores, 0)
    return {
      table,
      runScores: { manifest, scores },
      folder,
      failed,
      ...(incomparable !== undefined && { incomparable }),
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { missing: [messageOf(error)] }
  }
}

function exitCodeOf(results: readonly Done[]) {
  if (results.every((result) => 'missing' in result)) return exitCodes.usage
  return results.every(({ failed }) => failed === 0) ? exitCodes.done : exitCodes.incomplete
}

function printJsonOf(paper: PaperTable, results: ReadonlyMap<string, Done>) {
  const runs = Array.from(results, ([name, result]) => {
    if ('missing' in result) return { name, missing: result.missing }
    return { name, folder: result.folder, failed: result.failed, incomparable: result.incomparable }
  })
  const cells = compare(paper, results)
  const claims = judgeClaims(paper, results)
  printJson({ ...headOf(paper), runs, cells, claims, tests: judgeTests(paper, results) })
}

function printLatex(name: string, paper: PaperTable, cells: readonly Compared[], comparable: string) {
  for (const [index, { title, table }] of cellTables(paper, cells).entries()) {
    const label = `tab:${basename(name, '.json')}-${index + 1}`
    print(latexFloat(table, `${paper.table}: ${title}. ${comparable}`, label, [paper.paper]))
  }
}

function printResults(
  paper: PaperTable,
  ready: ReadonlyMap<string, Readiness>,
  results: ReadonlyMap<string, Done>,
  isFull: boolean,
): void {
  for (const [label, result] of results)
    if ('missing' in result && ready.get(label) !== result) print(plain(`${label}: ${result.missing.join('; ')}`))
  const cells = compare(paper, results)
  const claims = judgeClaims(paper, results)
  print(`\n${pc.bold(plain(paper.table))}  ${pc.dim(plain(paper.paper))}\n`)
  printTables(cellTables(paper, cells))
  for (const claim of claims) print(`${claimLines(claim).map(plain).join('\n')}\n`)
  printTables(testTables(judgeTests(paper, results)))
  if (isFull) printTables([...claimTables(claims), ...latencyTables(paper, results)])
  const notes = isFull ? [...outcomeNotes, ...paper.notes] : [more]
  for (const note of [...reasonsOf([...cells, ...claims]), ...notes]) print(pc.dim(plain(note)))
  for (const [label, { folder, failed = 0 }] of results) {
    if (folder === undefined) continue
    const losses = plural(failed, 'failed trial or score is', 'failed trials or scores are')
    const rest = failed > 0 ? `, ${losses} left out of the means` : ''
    print(plain(`${label}: ${relative(process.cwd(), folder) || '.'}/${rest}`))
  }
}

function printTables(tables: readonly TitledTable[]) {
  for (const { title, table } of tables) print(`${pc.bold(plain(title))}\n${formatTable(table)}\n`)
}

const more = 'Pairs of claims, latency and all notes: --full. LaTeX: --latex.'
