import { itemAt, valueOf } from '../../basics/collections.ts'
import type { Manifest, Row } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { betterThan, type Pair, type RowComparison } from '../compare/compare-rows.ts'
import { equivalences, testByT } from '../compare/t-tests.ts'
import type { Journals } from '../gather/trials.ts'
import type { Table } from '../table/table.ts'
import { fewestQuestions, checkJudge, type JudgeCheck } from './judge-check.ts'
import { judgedMetric, judgedScorer } from './judged-rows.ts'
import type { Labels } from './read-labels.ts'

/** Adds human means to the cells of the labelled scorer, and compares rows by the corrected differences. */
export async function withLabels(
  table: Table,
  manifest: Manifest,
  journals: Pick<Journals, 'trials' | 'scores'>,
  labels: Labels,
): Promise<Table> {
  const scorer = judgedScorer(manifest, labels.scorer)
  const comparison = table.comparison?.scorer === scorer.scorer ? table.comparison : undefined
  const shownMetrics = scorer.columns.flatMap(({ metric, subset = 'all', shown: isShown }) =>
    subset === 'all' && isShown !== false ? [metric] : [],
  )
  const checks = new Map<string, JudgeCheck>()
  for (const metric of new Set([...shownMetrics, ...(comparison ? [comparison.metric] : [])]))
    checks.set(metric, await checkJudge(manifest, journals, judgedMetric(scorer, metric), labels))
  // rows that differ only in their labels share answers
  const ids = new Map(manifest.methods.map((row) => [rowName(row), row.id]))
  const idOf = (row: Row): string => valueOf(ids, rowName(row))
  const cells = table.cells.map((cell) => {
    const isLabelled = cell.scorer === scorer.scorer && cell.subset === 'all'
    const row = isLabelled && checks.get(cell.metric)?.rows.find((candidate) => idOf(candidate) === idOf(cell))
    return row ? { ...cell, people: { labelled: row.labelled, human: row.human, corrected: row.corrected } } : cell
  })
  if (!comparison) return { ...table, cells }
  // the decision rests on the uncorrected judge
  const { comparison: _comparison, decision: _decision, ...rest } = table
  const comparisonByLabels = labelledComparison(comparison, idOf, valueOf(checks, comparison.metric))
  return comparisonByLabels
    ? { ...rest, cells, comparison: comparisonByLabels }
    : { ...rest, cells, notCompared: `fewer than ${fewestQuestions} questions have labels of two rows` }
}

/**
 * Repeats the comparison on paired differences corrected by labels (PPI++): Student's t with CR2, Holm over pairs
 * (specification of statistics, section 7). Undefined for too few labels.
 */
function labelledComparison(
  comparison: RowComparison,
  idOf: (row: Row) => string,
  check: JudgeCheck,
): RowComparison | undefined {
  const { alpha, margin } = comparison
  const ids = new Map(comparison.rows.map((row) => [row.letter, idOf(row)]))
  const pairsWithLabels = comparison.pairs.flatMap((pair) => {
    const a = valueOf(ids, pair.a)
    const b = valueOf(ids, pair.b)
    const difference = correctedDifference(check, idOf, [a, b])
    return difference ? [{ pair, difference }] : []
  })
  if (pairsWithLabels.length === 0) return undefined
  const differences = pairsWithLabels.map(({ difference }) => difference)
  const tests = testByT(differences)
  const equivalenceTests = equivalences(differences, margin)
  const correctedMeans = new Map(check.rows.map((row) => [idOf(row), row.corrected?.mean]))
  const rows = comparison.rows.flatMap((row) => {
    const mean = correctedMeans.get(idOf(row))
    return mean === undefined ? [] : [{ ...row, mean }]
  })
  const means = new Map(rows.map((row) => [row.letter, row.mean]))
  const pairs = pairsWithLabels.map(
    (
      { pair: { midP: _midP, equivalence: _equivalence, ...pair }, difference: { questions, ...difference } },
      i,
    ): Pair => ({
      ...pair,
      ...difference,
      ...itemAt(tests.pairs, i),
      test: 't',
      // labels come from one index
      ...(pair.luck && { luck: { ...pair.luck, deviation: null } }),
      means: { a: valueOf(means, pair.a), b: valueOf(means, pair.b) },
      ...(equivalenceTests[i] && { equivalence: equivalenceTests[i] }),
      labels: { questions, judge: { difference: pair.difference, low: pair.low, high: pair.high } },
    }),
  )
  const unlabelledRows = comparison.rows.filter((row) => !means.has(row.letter)).map(rowName)
  return {
    ...comparison,
    rows: rows.map((row) => ({ ...row, better: pairs.flatMap((pair) => betterThan(row.letter, pair, alpha)) })),
    pairs,
    smallestP: 0,
    smallestDifference: tests.smallestDifference,
    ...(unlabelledRows.length > 0 && { unlabelled: unlabelledRows }),
  }
}

/** The corrected difference of two rows, and the labelled questions; undefined for too few labels. */
function correctedDifference(check: JudgeCheck, idOf: (row: Row) => string, [a, b]: readonly [string, string]) {
  const match = check.pairs.find(({ first, second }) => [a, b].includes(idOf(first)) && [a, b].includes(idOf(second)))
  if (!match?.corrected) return undefined
  const { mean, error, degrees, low, high } = match.corrected
  const rest = { error, degrees, questions: match.labelled }
  if (idOf(match.first) === a) return { ...rest, difference: mean, low, high }
  return {
    ...rest,
    difference: -mean,
    low: high === null ? null : -high,
    high: low === null ? null : -low,
  }
}
