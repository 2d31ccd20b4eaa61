import { itemAt, valueOf } from '../../basics/collections.ts'
import type { Manifest, Row } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { betterThan, type Pair, type RowComparison } from '../compare/row-comparison.ts'
import { equivalences, testByT } from '../compare/t-tests.ts'
import { isOfMetric } from '../compare/rows-to-compare.ts'
import type { Journals } from '../gather/trials.ts'
import type { Table } from '../table/table.ts'
import { fewestQuestions, humanMean } from './judge-check.ts'
import { judgedMetric, judgedScorer, labelledRows, type Unit } from './judged-rows.ts'
import type { Labels } from './read-labels.ts'

/** Adds human means to the cells of the labelled metric, and compares rows by the corrected differences. */
export async function withLabels(
  table: Table,
  manifest: Manifest,
  journals: Pick<Journals, 'trials' | 'scores'>,
  labels: Labels,
): Promise<Table> {
  const scorer = judgedScorer(manifest, labels.scorer)
  const comparison = table.comparison?.scorer === scorer.scorer ? table.comparison : undefined
  // labels are verdicts in one metric: that of the comparison, else the first
  const { metric } = judgedMetric(scorer, comparison?.metric)
  const { rows } = await labelledRows(manifest, journals, { scorer, metric }, labels)
  const units = new Map(rows.map(({ row, units: unitsOfRow }) => [row.id, unitsOfRow]))
  // rows that differ only in their labels share answers
  const ids = new Map(manifest.methods.map((row) => [rowName(row), row.id]))
  const idOf = (row: Row) => valueOf(ids, rowName(row))
  const cells = table.cells.map((cell) => {
    const isLabelled = isOfMetric(cell, { scorer: scorer.scorer, metric })
    const unitsOfRow = isLabelled && units.get(idOf(cell))
    return unitsOfRow ? { ...cell, people: humanMean([...unitsOfRow.values()]) } : cell
  })
  if (!comparison) return { ...table, cells }
  // the decision rests on the uncorrected judge
  const { comparison: _comparison, decision: _decision, ...rest } = table
  const comparisonByLabels = labelledComparison(comparison, idOf, units)
  return comparisonByLabels
    ? { ...rest, cells, comparison: comparisonByLabels }
    : { ...rest, cells, notCompared: `fewer than ${fewestQuestions} questions have labels of two rows` }
}

type UnitsOfRows = ReadonlyMap<string, ReadonlyMap<string, Unit>>

/**
 * Repeats the comparison on paired differences corrected by labels (PPI++): Student's t with CR2, Holm over pairs
 * (specification of statistics, section 7). Undefined for too few labels.
 */
function labelledComparison(
  comparison: RowComparison,
  idOf: (row: Row) => string,
  units: UnitsOfRows,
): RowComparison | undefined {
  const { alpha, margin } = comparison
  const unitsOf = new Map(comparison.rows.map((row) => [row.letter, valueOf(units, idOf(row))]))
  const pairsWithLabels = comparison.pairs.flatMap((pair) => {
    const first = valueOf(unitsOf, pair.a)
    const second = valueOf(unitsOf, pair.b)
    const estimate = humanMean(differencesOf(first, second))
    if (!estimate.corrected) return []
    const { mean: difference, lambda: _lambda, ...error } = estimate.corrected
    return [{ pair, questions: estimate.labelled, difference: { difference, ...error } }]
  })
  if (pairsWithLabels.length === 0) return undefined
  const differences = pairsWithLabels.map(({ difference }) => difference)
  const tests = testByT(differences)
  const equivalenceTests = equivalences(differences, margin)
  const rows = comparison.rows.flatMap((row) => {
    const mean = humanMean([...valueOf(unitsOf, row.letter).values()]).corrected?.mean
    return mean === undefined ? [] : [{ ...row, mean }]
  })
  const means = new Map(rows.map((row) => [row.letter, row.mean]))
  const pairs = pairsWithLabels.map(
    ({ pair: { midP: _midP, equivalence: _equivalence, ...pair }, questions, difference }, i): Pair => ({
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

/** First minus second, by common question. */
const differencesOf = (first: ReadonlyMap<string, Unit>, second: ReadonlyMap<string, Unit>) =>
  Array.from(first).flatMap(([id, a]): readonly Unit[] => {
    const b = second.get(id)
    if (!b) return []
    const x = a.labelled
    const y = b.labelled
    const label = x && y && { human: x.human - y.human, judge: x.judge - y.judge }
    return [{ cluster: a.cluster, judge: a.judge - b.judge, labelled: label }]
  })
