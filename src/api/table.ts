import { readFile } from 'node:fs/promises'
import { messageOf, UserError } from '../errors.ts'
import { comparedAs, type CompareSettings } from '../report/compare/rows-to-compare.ts'
import { clash, differences } from '../report/diff/run-differences.ts'
import { judgedMetric, judgedScorer } from '../report/judge/judged-rows.ts'
import type { Labels } from '../report/judge/read-labels.ts'
import { runsIn } from '../report/synthetic.ts'
import { questionNumbers, type QuestionNumbers } from '../report/table/estimate.ts'
import { acrossOf, scoredTableOf, type RunAmongOthers } from '../report/table/table.ts'
import { openRun, type OpenedRun, type ResultsPlace } from './open-run.ts'
import { resultOf, type Result } from './result.ts'

/** What a table is to show otherwise than the config says. */
export interface TableSettings extends ResultsPlace, CompareSettings {
  /** A file of human labels (`gembench judge sample` writes it): rows are compared by scores that they correct. */
  readonly labels?: string
}

/** Results folders beside each other. */
export interface Tables {
  /** In the order given. */
  readonly runs: readonly Result[]
  /** How the runs differ, so that their rows are not directly comparable, a line each. */
  readonly notes: readonly string[]
}

export async function table(run: string, settings: TableSettings = {}): Promise<Result> {
  const { results, notes } = await openRun(run, settings)
  const { manifest, table: own } = await labelled(results, settings, '')
  return resultOf(results.folder, manifest, own, notes)
}

export async function tables(runs: readonly string[], settings: Omit<TableSettings, 'labels'> = {}): Promise<Tables> {
  const opened = await openTables(runs, settings)
  return { ...opened, runs: opened.runs.map(({ result }) => result) }
}

/** Results folders under the names that they were asked for by, with what must be known of their files. */
export interface OpenedTables extends Pick<Tables, 'notes'> {
  readonly runs: readonly { readonly name: string; readonly result: Result; readonly warnings: readonly string[] }[]
}

/** `mark` stands before the name of a setting in messages. */
export async function openTables(names: readonly string[], settings: TableSettings, mark = ''): Promise<OpenedTables> {
  const opened = []
  for (const name of names) opened.push({ name, ...(await openRun(name, settings)) })
  const found = opened.map(({ name, results }) => ({ name, manifest: results.manifest }))
  const refusal = clash(found)
  if (refusal !== undefined) throw new UserError(refusal)
  const numbers = new Map<string, QuestionNumbers>()
  const read = []
  for (const { name, results, notes } of opened) {
    const data = results.manifest.dataset.checksum
    const questions = numbers.get(data) ?? questionNumbers()
    numbers.set(data, questions)
    read.push({ name, results, notes, ...(await labelled(results, settings, mark, { name, data, questions })) })
  }
  const across = names.length > 1 ? acrossOf(read.flatMap(({ compared }) => compared)) : {}
  const runs = read.map(({ name, results, notes, manifest, table: own }) => ({
    name,
    result: resultOf(results.folder, manifest, { ...own, ...across }, notes),
    warnings: notes,
  }))
  // the runs of one series differ on purpose
  return { runs, notes: found.length > 1 ? differences(found.flatMap(({ manifest }) => runsIn(manifest))) : [] }
}

async function labelled(
  results: OpenedRun['results'],
  { labels: file, ...compare }: TableSettings,
  mark: string,
  among?: RunAmongOthers,
) {
  const manifest = comparedAs(results.manifest, compare, mark)
  const { table: plain, compared } = await scoredTableOf(manifest, results, among)
  if (file === undefined) return { manifest, table: plain, compared }
  const { withLabels } = await import('../report/judge/with-labels.ts')
  const labels = await openLabels(file, (scorer) => judgedMetric(judgedScorer(manifest, scorer)).range)
  return { manifest, table: await withLabels(plain, manifest, results, labels), compared }
}

/** Reads a file of human labels; `rangeFor` gives the range of a scorer by its label. Throws UserError. */
export async function openLabels(
  file: string,
  rangeFor: (scorer: string) => readonly [number, number],
): Promise<Labels> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UserError(`cannot read ${file}: ${messageOf(error)}`, { cause: error })
  })
  const { readLabels } = await import('../report/judge/read-labels.ts')
  return readLabels(file, text, rangeFor)
}
