import type { Manifest } from '../../records.ts'
import type { Journals, Table } from '../table/table.ts'
import { checkJudge, type JudgeCheck } from './judge-check.ts'
import { judgedMetric, judgedScorer } from './judged-metric.ts'
import type { Labels } from './read-labels.ts'

/** A table whose cells of the labelled scorer, in the columns that it shows of all questions, say what the labels say of them. */
export async function withLabels(
  table: Table,
  manifest: Manifest,
  journals: Pick<Journals, 'trials' | 'scores'>,
  labels: Labels,
): Promise<Table> {
  const scorer = judgedScorer(manifest, labels.scorer)
  const shown = scorer.columns.flatMap(({ metric, subset = 'all' }) => (subset === 'all' ? [metric] : []))
  const checks: JudgeCheck[] = []
  for (const metric of new Set(shown))
    checks.push(await checkJudge(manifest, journals, judgedMetric(scorer, metric), labels))
  const idOf = new Map(manifest.methods.map(({ method, variant, id }) => [JSON.stringify([method, variant]), id]))
  const cells = table.cells.map((cell) => {
    if (cell.scorer !== scorer.scorer || cell.subset !== 'all') return cell
    // rows that differ in their labels alone share their answers
    const id = idOf.get(JSON.stringify([cell.method, cell.variant]))
    const found = checks
      .find(({ metric }) => metric === cell.metric)
      ?.rows.find(({ method, variant }) => idOf.get(JSON.stringify([method, variant])) === id)
    if (!found) return cell
    const { labelled, human, corrected } = found
    return { ...cell, people: { labelled, human, corrected } }
  })
  return { ...table, cells }
}
