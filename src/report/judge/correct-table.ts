import { itemAt, valueOf } from '../../basics/collections.ts'
import type { Manifest, Row } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { betterThan, type Pair, type RowComparison } from '../compare/row-comparison.ts'
import { equivalences, testByT } from '../compare/t-tests.ts'
import type { Journals } from '../gather/trials.ts'
import type { Table } from '../table/table.ts'
import { fewestQuestions, judgedMetric, judgedScorer } from './judged-rows.ts'
import { checkJudge, type CheckedPair, type JudgeCheck } from './judge-check.ts'
import type { Labels } from './read-labels.ts'

/** Adds human means to the cells of the labelled scorer, and compares rows by the corrected differences. */
export async function withLabels(
  table: Table,
  manifest: Manifest,
  journals: Pick<Journals, 'trials' | 'scores'>,
  labels: Labels,
): Promise<Table> {
  const scorer = judgedScorer(manifest, labels.scorer)
  // the decision rests on the uncorrected judge
  const { comparison, decision: _decision, ...withoutDecision } = table
  const tableComparison = comparison?.scorer === scorer.scorer ? comparison : undefined
  const metrics = scorer.columns.flatMap(({ metric, subset = 'all', shown: isShown }) =>
    subset === 'all' && isShown !== false ? [metric] : [],
  )
  const checks: JudgeCheck[] = []
  for (const metric of new Set([...metrics, ...(tableComparison ? [tableComparison.metric] : [])]))
    checks.push(await checkJudge(manifest, journals, judgedMetric(scorer, metric), labels))
  const idOf = idsIn(manifest)
  const cells = table.cells.map((cell) => {
    if (cell.scorer !== scorer.scorer || cell.subset !== 'all') return cell
    const check = checks.find(({ metric }) => metric === cell.metric)
    const match = check?.rows.find((row) => idOf(row) === idOf(cell))
    if (!match) return cell
    const { labelled, human, corrected } = match
    return { ...cell, people: { labelled, human, corrected } }
  })
  const comparedCheck = checks.find(({ metric }) => metric === tableComparison?.metric)
  if (!tableComparison || !comparedCheck) return { ...table, cells }
  const result = labelledComparison(tableComparison, idOf, comparedCheck)
  return {
    ...withoutDecision,
    cells,
    ...(typeof result === 'string' ? { notCompared: result } : { comparison: result }),
  }
}

/** Row ids by name; rows that differ only in their labels share answers. */
function idsIn({ methods }: Pick<Manifest, 'methods'>): (row: Row) => string | undefined {
  const ids = new Map(methods.map((row) => [rowName(row), row.id]))
  return (row) => ids.get(rowName(row))
}

/**
 * Repeats the comparison on paired differences corrected by labels (PPI++): Student's t with CR2, Holm over pairs
 * (specification of statistics, section 7). Returns a text that says why no rows are compared.
 */
function labelledComparison(
  comparison: RowComparison,
  idOf: (row: Row) => string | undefined,
  check: JudgeCheck,
): RowComparison | string {
  const { alpha, margin } = comparison
  const ids = new Map(comparison.rows.map((row) => [row.letter, idOf(row)]))
  const correctedOf = (row: Row) => check.rows.find((candidate) => idOf(candidate) === idOf(row))?.corrected?.mean
  const pairsWithLabels = comparison.pairs.flatMap((pair) => {
    const between = (first: Row, second: Row): boolean =>
      idOf(first) === ids.get(pair.a) && idOf(second) === ids.get(pair.b)
    const inOrder = check.pairs.find(({ first, second }) => between(first, second))
    const inReverse = check.pairs.find(({ first, second }) => between(second, first))
    const difference = inOrder ? differenceOf(inOrder, 1) : inReverse && differenceOf(inReverse, -1)
    return difference ? [{ pair, difference }] : []
  })
  if (pairsWithLabels.length === 0) return `fewer than ${fewestQuestions} questions have labels of two rows`
  const differences = pairsWithLabels.map(({ difference }) => difference)
  const tests = testByT(differences)
  const equivalenceTests = equivalences(differences, margin)
  const rows = comparison.rows.flatMap((row) => {
    const mean = correctedOf(row)
    return mean === undefined ? [] : [{ ...row, mean }]
  })
  const means = new Map(rows.map((row) => [row.letter, row.mean]))
  const pairs = pairsWithLabels.map(
    ({ pair: { midP: _midP, equivalence: _equivalence, ...pair }, difference }, i): Pair => {
      const { difference: byJudge, low, high } = pair
      const { p, pAdjusted, simultaneous } = itemAt(tests.pairs, i)
      const { labelled, ...corrected } = difference
      return {
        ...pair,
        ...corrected,
        test: 't',
        p,
        pAdjusted,
        simultaneous,
        // labels come from one index
        ...(pair.luck && { luck: { ...pair.luck, deviation: null } }),
        means: { a: valueOf(means, pair.a), b: valueOf(means, pair.b) },
        ...(equivalenceTests[i] && { equivalence: equivalenceTests[i] }),
        labels: { questions: labelled, judge: { difference: byJudge, low, high } },
      }
    },
  )
  const unlabelledRows = comparison.rows.filter((row) => correctedOf(row) === undefined).map(rowName)
  return {
    ...comparison,
    rows: rows.map((row) => ({ ...row, better: pairs.flatMap((pair) => betterThan(row.letter, pair, alpha)) })),
    pairs,
    smallestP: 0,
    smallestDifference: tests.smallestDifference,
    ...(unlabelledRows.length > 0 && { unlabelled: unlabelledRows }),
  }
}

/** The corrected difference with the sign of the pair; undefined for too few labels. */
function differenceOf({ labelled, corrected }: CheckedPair, sign: 1 | -1) {
  if (!corrected) return undefined
  const { mean, error, degrees, low, high } = corrected
  const ends = sign === 1 || low === null || high === null ? { low, high } : { low: -high, high: -low }
  return { labelled, difference: sign * mean, error, degrees, ...ends }
}
