import { relative } from 'node:path'
import pc from 'picocolors'
import type { Plan } from '../config/index.ts'
import { messageOf, UserError } from '../errors.ts'
import { compare, type Compared, type Ran } from '../report/paper/compare.ts'
import { comparisons, reasonsOf } from '../report/paper/comparison.ts'
import type { PaperRun, PaperTable } from '../report/paper/paper-table.ts'
import { prepare, run, type Settings } from '../run/index.ts'
import { bars } from './bars.ts'
import { exitCodes } from './fail.ts'
import { interruptible } from './interrupt.ts'
import { paperNames, readPaper } from './paper-tables.ts'
import { settingsOf, type PlanFlags } from './plan.ts'
import { complain, print, printJson, type JsonFlag } from './print.ts'
import { readiness, type Asking, type Readiness } from './ready.ts'
import { plain, terminalGrid } from './terminal-grid.ts'
import { writeTables } from './write-tables.ts'

export interface ReproduceFlags extends JsonFlag, Pick<PlanFlags, 'cache' | 'cacheFolder' | 'limit' | 'results'> {
  readonly offline: boolean
}

/** What became of a run, and where its results lie. */
type Done = Ran & { readonly folder?: string; readonly failed?: number }

/** `gembench reproduce`: runs the configs of a paper's table and sets our cells beside the paper's. */
export async function reproduceCommand(name: string | undefined, flags: ReproduceFlags): Promise<void> {
  if (name === undefined) return list(flags)
  const { file, paper } = await readPaper(name)
  const { offline, limit } = flags
  const settings = settingsOf(flags, interruptible())
  const asking: Asking = { file, offline, settings, ...(limit !== undefined && { limit }) }
  if (!flags.json) print(`${pc.bold(plain(paper.table))}  ${pc.dim(plain(paper.paper))}\n`)

  const ready = new Map<string, Readiness>()
  for (const [label, one] of Object.entries(paper.runs)) {
    const found = await readiness(one, asking)
    if (found) ready.set(label, found)
  }
  if (!flags.json) sayWhatIsMissing(ready)
  await sayWhatWillNotCompare(paper, ready, asking)

  const done = new Map<string, Done>()
  for (const [label, one] of ready) done.set(label, await carryOut(one, paper.runs[label], asking, flags))
  // what shows only when a run begins, such as a line of its dataset that cannot be read
  if (!flags.json) sayWhatIsMissing(new Map([...done].filter(([label]) => 'plan' in (ready.get(label) ?? {}))))
  const cells = compare(paper, done)
  process.exitCode = exitCodeOf([...done.values()])
  if (flags.json) printJson({ ...headOf(paper), runs: runsOf(done), cells })
  else report(paper, done, cells)
}

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

/** Runs whose dataset holds other questions than the paper asked, said before any of them is paid for. */
async function sayWhatWillNotCompare(
  { runs }: PaperTable,
  ready: ReadonlyMap<string, Readiness>,
  { offline, limit, settings }: Asking,
): Promise<void> {
  if (offline) return
  for (const [label, one] of ready) {
    const wanted = runs[label]?.questions
    if ('missing' in one || wanted === undefined) continue
    const questions = await countQuestions(one.plan, settings)
    const reason = questions === undefined ? undefined : incomparableBecause(questions, wanted, limit)
    if (reason !== undefined) complain(`note: ${plain(label)} will not be comparable: ${reason}`)
  }
}

/** Undefined for a dataset that cannot be read: its run says so. */
async function countQuestions(plan: Plan, settings: Settings): Promise<number | undefined> {
  try {
    const prepared = await prepare(plan, settings)
    await prepared.close()
    return prepared.survey.questions
  } catch (error) {
    if (error instanceof UserError) return undefined
    throw error
  }
}

async function carryOut(
  ready: Readiness,
  wanted: PaperRun | undefined,
  { offline, limit, settings }: Asking,
  { json }: JsonFlag,
): Promise<Done> {
  if ('missing' in ready) return ready
  const progress = json ? undefined : bars()
  try {
    const { folder, manifest } = await run(ready.plan, settings, progress).finally(() => progress?.close())
    const { table } = await writeTables(folder)
    const failed = table.rows.reduce((sum, row) => sum + row.failed + row.failedScores, 0)
    const incomparable = offline
      ? `an offline twin, on ${manifest.dataset.name} without a language model`
      : incomparableBecause(manifest.dataset.questions, wanted?.questions, limit)
    return { table, folder, failed, ...(incomparable !== undefined && { incomparable }) }
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return { missing: [messageOf(error)] }
  }
}

function incomparableBecause(asked: number, wanted: number | undefined, limit: number | undefined): string | undefined {
  if (wanted !== undefined && asked !== wanted) return `${asked} questions, the paper asked ${wanted}`
  return limit === undefined ? undefined : `the first ${asked} questions only`
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

function report(paper: PaperTable, done: ReadonlyMap<string, Done>, cells: readonly Compared[]): void {
  for (const { title, grid } of comparisons(paper, cells)) print(`${pc.bold(plain(title))}\n${terminalGrid(grid)}\n`)
  for (const note of [...reasonsOf(cells), ...paper.notes]) print(pc.dim(plain(note)))
  for (const [label, { folder, failed = 0 }] of done) {
    if (folder === undefined) continue
    const failures = failed > 0 ? `, ${failed} trials or scores failed and are in no mean` : ''
    print(`${plain(label)}: ${relative(process.cwd(), folder) || '.'}/${failures}`)
  }
}
