import { valueOf } from '../../basics/collections.ts'
import { listing, plural, present, questionsIn } from '../../text/amounts.ts'
import { rowName } from '../../text/names.ts'
import type { RowComparison } from '../compare/row-comparison.ts'
import { isRow } from '../compare/rows-to-compare.ts'
import type { Cell } from '../gather/estimate.ts'
import { closedBookWrong, contamination, gapToOracle } from '../table/reference-cells.ts'
import { baselineOf, canReach, toPoints } from './columns.ts'
import { withList, important, type Facts, type Note, type NoteText } from './rows.ts'
import { trendText } from './notes-on-runs.ts'

/** A note on the comparison of rows, if there is one. */
const comparisonNote = (text: NoteText<RowComparison>, priority = 11): Note =>
  important(priority, ({ table: { comparison } }) => comparison && text(comparison))

/** Significance, reference rows and label correction. */
export const comparisonNotes: readonly Note[] = [
  important(11, ({ table: { notCompared } }) => notCompared !== undefined && `Rows are not compared: ${notCompared}.`),
  comparisonNote(differenceNote, 9),
  comparisonNote((comparison) => canReach(comparison) && `${comparison.metric}: ${detectableDifference(comparison)}.`),
  comparisonNote(({ metric, rows, pairs }) => {
    const counts = new Map(rows.map(({ letter, questions }) => [letter, questions]))
    const fewer = pairs.filter(({ a, b, questions, labels }) => {
      const most = Math.max(counts.get(a) ?? 0, counts.get(b) ?? 0)
      return !labels && most > questions
    })
    return (
      fewer.length > 0 &&
      `${metric}: ${plural(fewer.length, 'pair')} compared on shared scored questions alone (table --pairs).`
    )
  }),
  comparisonNote(equivalenceNote),
  comparisonNote(
    ({ metric, apart: count }) =>
      count !== undefined && `${metric}: ${plural(count, 'pair')} not compared: no common scored question.`,
  ),
  comparisonNote(
    ({ metric, unscored }) => unscored && `${metric}: not compared, every score failed: ${listing(unscored)}.`,
  ),
  comparisonNote(
    ({ metric, pairs }) =>
      pairs.some(({ labels }) => labels) &&
      `${metric}: differences are corrected by labels; table --pairs shows those of the judge.`,
  ),
  comparisonNote(
    ({ metric, unlabelled }) => unlabelled && `${metric}: not compared, too few labels: ${listing(unlabelled)}.`,
  ),
  important(12, ({ table: { trends = [] } }) => trends.map((trend) => `${trendText(trend)}.`)),
  important(
    12,
    ({ table: { notAcross } }) => notAcross !== undefined && `Rows are not compared over runs: ${notAcross}.`,
  ),
  referenceNotes,
  // scores that the contexts do not explain suggest leaked answers
  important(7, ({ table: { cells } }) => {
    const above = cells.filter(({ metric, high }) => metric === gapToOracle && high !== null && high < 0)
    return withList(
      above.map((cell) => `${rowName(cell)} by ${toPoints(-(cell.mean ?? 0))}`),
      (rows) =>
        `Significantly above the oracle (95 % interval): ${rows}. Check for leaked answers or incomplete evidence.`,
    )
  }),
  ({ table: { cells } }) => {
    const counts = cells.flatMap(({ people }) => people?.labelled ?? [])
    return (
      counts.length > 0 &&
      `Corrected (PPI++): the mean as people would score, from judge scores and labels of ${formatRange(counts)} questions per row. A dash: too few labels.`
    )
  },
]

/** Number of significant differences, the test, and the legend. */
function differenceNote(comparison: RowComparison) {
  const { metric, alpha, pairs, questions, clusters } = comparison
  const baseline = baselineOf(comparison)
  if (!canReach(comparison)) {
    const all = plural(questions, 'question')
    const units = clusters < questions ? `${plural(clusters, 'cluster')} of ${all}` : all
    return present(
      `${metric}: too few questions (${units}) for a test to reach p = ${alpha}. No row is marked as better.`,
      baseline && differenceLegend,
    ).join(' ')
  }
  const differ = pairs.filter(({ pAdjusted }) => pAdjusted <= alpha).length
  const verb = pairs.length === 1 ? 'differs' : 'differ'
  const pairCount = `${differ} of ${plural(pairs.length, baseline ? 'row' : 'pair')} ${verb}`
  const test = `${testName(comparison)}, p <= ${alpha}, on ${comparedOn(comparison)}`
  const legend = 'Letters after a score: rows that it is better than; bold: better than'
  const name = baseline && rowName(baseline)
  return present(
    `${metric}: ${pairCount}${name === undefined ? '' : ` from ${name}`} (${test}).`,
    `${legend} ${name ?? 'every other row'}.`,
    name !== undefined && differenceLegend,
  ).join(' ')
}

const differenceLegend =
  'Differences in points, with 95 % interval and corrected p; won, tied and lost count questions.'

function testName({ pairs, baseline }: RowComparison) {
  const over = `over ${pairs.length} ${baseline === null ? 'pairs' : 'rows'}`
  const [first] = pairs
  if (first?.test === 't') {
    const error = first.labels
      ? 'of differences corrected by labels (PPI++)'
      : 'with between-index variance in the error'
    return `t test ${error}${pairs.length === 1 ? '' : `, Holm ${over}`}`
  }
  if (pairs.length === 1) return first?.test === 'McNemar' ? "McNemar's exact test" : 'paired sign flips'
  return `paired sign flips, Westfall–Young ${over}`
}

const comparedOn = ({ questions, clusters, fewest }: RowComparison) =>
  `${fewest < questions ? `${fewest} to ` : ''}${questionsIn({ questions, clusters })}`

function detectableDifference({ smallestDifference, pairs }: RowComparison) {
  const name = 'minimum detectable difference'
  if (smallestDifference !== null) {
    const median = pairs.length > 1 ? ', median over pairs' : ''
    return `${name} ${toPoints(smallestDifference)} points (80 % power${median})`
  }
  const hasIndexes = pairs.some(({ luck }) => luck && luck.deviation !== null)
  return `${name} unknown${hasIndexes ? ' (needs ten indexes)' : ''}`
}

/** Pairs shown to be equivalent within the margin, or that there are none. */
function equivalenceNote({ metric, alpha, margin, pairs, rows }: RowComparison) {
  if (margin === null) return false
  const names = new Map(rows.map((row) => [row.letter, rowName(row)]))
  const equivalent = pairs
    .filter(({ equivalence }) => (equivalence?.pAdjusted ?? Infinity) <= alpha)
    .map(({ a, b }) => `${valueOf(names, a)} and ${valueOf(names, b)}`)
  const rule = `within ±${toPoints(margin)} points (TOST, Holm, p <= ${alpha})`
  return `${metric}: equivalent ${rule}: ${listing(equivalent) || 'none'}.`
}

/** Explains the columns of reference rows and the closed-book score. */
function referenceNotes({ table: { cells, rows } }: Facts) {
  const gapCells = cells.filter(({ metric }) => metric === gapToOracle)
  const wrongCells = cells.filter(({ subset, n }) => subset === closedBookWrong && n > 0)
  const contaminationTexts = cells
    .filter(({ metric }) => metric === contamination)
    .map((cell) => {
      const { variant, mean, error, n, scorer } = cell
      const chance = rows.find((row) => isRow(row, cell))?.chance
      const share = `${toPoints(mean ?? 0)}${error === null ? '' : ` ±${toPoints(error)}`} %`
      const guessing = chance === undefined ? '' : `; guessing: ${toPoints(chance)} % of those with options`
      const rest = wrongCells.length > 0 ? `. "${closedBookWrong}": score on the other ${questionsOf(wrongCells)}` : ''
      const name = `${contamination}${variant === '' ? '' : ` (${variant})`}`
      const count = plural(n, 'question')
      return `${name}: ${share} of ${count} are right without context (${scorer} >= .5)${guessing}${rest}.`
    })
  return present(
    gapCells.length > 0 &&
      `${gapToOracle}: gap to oracle, the oracle's score minus the row's, on ${questionsOf(gapCells)}.`,
    contaminationTexts,
  )
}

/** `15 questions` or `12 to 15 questions`. */
function questionsOf(cells: readonly Cell[]) {
  const counts = cells.map(({ n }) => n)
  return `${formatRange(counts)} ${Math.max(...counts) === 1 ? 'question' : 'questions'}`
}

function formatRange(counts: readonly number[]) {
  const least = Math.min(...counts)
  const most = Math.max(...counts)
  return least === most ? String(most) : `${least} to ${most}`
}
