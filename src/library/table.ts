import { itemAt } from '../basics/collections.ts'
import { UserError } from '../errors.ts'
import { acrossRuns } from '../report/compare/across-runs.ts'
import { comparedAs, type CompareSettings } from '../report/compare/rows-to-compare.ts'
import { conflictBetween, differences } from '../report/differences.ts'
import { judgedMetric, judgedScorer } from '../report/judge/judged-rows.ts'
import { runsIn } from '../report/synthetic.ts'
import { scoredTableOf } from '../report/table/table.ts'
import { openRun, type OpenedRun, type ResultsPlace } from '../run/open-run.ts'
import { resultOf, type Result } from '../report/result.ts'

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
  return itemAt((await readTables([run], settings)).runs, 0)
}

export const tables = (runs: readonly string[], settings: Omit<TableSettings, 'labels'> = {}): Promise<Tables> =>
  readTables(runs, settings)

/** As `tables`; `labels` are those of a single run. */
export async function readTables(names: readonly string[], settings: TableSettings): Promise<Tables> {
  const openedRuns = []
  for (const name of names) openedRuns.push({ name, ...(await openRun(name, settings)) })
  const manifests = openedRuns.map(({ name, results }) => ({ name, manifest: results.manifest }))
  const refusal = conflictBetween(manifests)
  if (refusal !== undefined) throw new UserError(refusal)
  const labelledRuns = []
  for (const { name, results, notes } of openedRuns) {
    const context = names.length > 1 ? { name } : {}
    labelledRuns.push({ results, notes, ...(await applyLabels(results, settings, context)) })
  }
  const runScores = labelledRuns.flatMap((run) => run.runScores)
  const sharedColumns = names.length > 1 ? acrossRuns(runScores) : {}
  return {
    runs: labelledRuns.map(({ results, notes, manifest, table }) =>
      resultOf(results.folder, manifest, { ...table, ...sharedColumns }, notes),
    ),
    // the runs of one series differ on purpose
    notes: names.length > 1 ? differences(manifests.flatMap(({ manifest }) => runsIn(manifest))) : [],
  }
}

async function applyLabels(
  results: OpenedRun['results'],
  { labels: file, ...compare }: TableSettings,
  context: { readonly name?: string },
) {
  const manifest = comparedAs(results.manifest, compare)
  const { table, runScores } = await scoredTableOf(manifest, results, context)
  if (file === undefined) return { manifest, table, runScores }
  const { withLabels } = await import('../report/judge/correct-table.ts')
  const { openLabels } = await import('../report/judge/read-labels.ts')
  const labels = await openLabels(file, (scorer) => judgedMetric(judgedScorer(manifest, scorer)).range)
  return { manifest, table: await withLabels(table, manifest, results, labels), runScores }
}
