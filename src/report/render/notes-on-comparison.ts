import { fewestDegrees } from '../../math/statistics/cr2.ts'
import { listing, plural, present, questionsIn } from '../../text/amounts.ts'
import { rowName } from '../../text/names.ts'
import type { Pair, RowComparison } from '../compare/row-comparison.ts'
import { isRow, isOfMetric } from '../compare/rows-to-compare.ts'
import type { Cell } from '../gather/estimate.ts'
import { closedBookWrong, contamination, gapToOracle } from '../table/reference-cells.ts'
import type { TableRow } from '../table/table.ts'
import { baselineOf, canReach, toPoints } from './columns.ts'
import type { Facts, Note } from './note.ts'
import { trendText } from './notes-on-runs.ts'

/** A note on the comparison of rows, if there is one. */
const comparisonNote = (text: (comparison: RowComparison) => ReturnType<Note['text']>, priority = 11): Note => ({
  priority,
  text: ({ table: { comparison } }) => comparison && text(comparison),
})

/** Significance, reference rows and label correction. */
export const comparisonNotes: readonly Note[] = [
  {
    priority: 11,
    text: ({ table: { notCompared } }) => notCompared !== undefined && `Rows are not compared: ${notCompared}.`,
  },
  comparisonNote(differenceNote, 9),
  comparisonNote((comparison) => canReach(comparison) && `${comparison.metric}: ${detectableDifference(comparison)}.`),
  comparisonNote(sharedQuestionsNote),
  comparisonNote(equivalenceNote),
  comparisonNote(
    ({ metric, apart: count }) =>
      count !== undefined && `${metric}: ${plural(count, 'pair')} not compared: no common scored question.`,
  ),
  comparisonNote(
    ({ metric, unscored }) => unscored && `${metric}: not compared, every score failed: ${listing(unscored)}.`,
  ),
  comparisonNote(({ metric, pairs }) => {
    const differences = pairs.flatMap(({ a, b, difference, labels }) =>
      labels ? [`${a} and ${b} ${toPoints(difference)} (judge ${toPoints(labels.judge.difference)})`] : [],
    )
    return (
      differences.length > 0 &&
      `${metric}: label-corrected differences in points (judge alone): ${firstOf(differences, 'more in table.json')}. They are estimated from paired differences, not from the corrected means.`
    )
  }),
  comparisonNote(
    ({ metric, unlabelled }) => unlabelled && `${metric}: not compared, too few labels: ${listing(unlabelled)}.`,
  ),
  { priority: 12, text: ({ table: { trends = [] } }) => trends.map((trend) => `${trendText(trend)}.`) },
  {
    priority: 12,
    text: ({ table: { notAcross } }) => notAcross !== undefined && `Rows are not compared over runs: ${notAcross}.`,
  },
  { text: referenceNotes },
  {
    // scores that the contexts do not explain suggest leaked answers
    priority: 7,
    text({ table: { cells } }) {
      const above = cells.flatMap((cell) =>
        cell.metric === gapToOracle && cell.high !== null && cell.high < 0
          ? [`${rowName(cell)} by ${toPoints(-(cell.mean ?? 0))}`]
          : [],
      )
      return (
        above.length > 0 &&
        `Significantly above the oracle (95 % interval): ${listing(above)}. Check for leaked answers or incomplete evidence.`
      )
    },
  },
  {
    priority: 7,
    text({ table: { rows } }) {
      const counts = rows.flatMap(({ withoutEvidence: count, ...row }) =>
        count ? [`${rowName(row)} ${count.right} of ${count.of}`] : [],
      )
      return (
        counts.length > 0 &&
        `Right answers without evidence in the context: ${listing(counts)}. The model may know the answers, or they leaked.`
      )
    },
  },
  { text: failureCauseNotes },
  {
    text({ table: { cells } }) {
      const counts = cells.flatMap(({ people }) => people?.labelled ?? [])
      return (
        counts.length > 0 &&
        `Corrected (PPI++): the mean as people would score, from judge scores and labels of ${formatRange(counts)} questions per row. Letters use it. A dash: too few labels.`
      )
    },
  },
]

/** Number of significant differences, the test, and the legend. */
function differenceNote(comparison: RowComparison): string {
  const { metric, alpha, pairs } = comparison
  const baseline = baselineOf(comparison)
  if (!canReach(comparison)) {
    const { questions, clusters } = comparison
    const all = plural(questions, 'question')
    const units = clusters < questions ? `${plural(clusters, 'cluster')} of ${all}` : all
    return `${metric}: too few questions (${units}) for a test to reach p = ${alpha}. No row is marked as better.${baseline ? ` ${differenceLegend('')}` : ''}${onePairSentence(comparison)}`
  }
  const differ = pairs.filter(({ pAdjusted }) => pAdjusted <= alpha).length
  const isSingle = pairs.length === 1
  const pairCount = `${differ} of ${plural(pairs.length, baseline ? 'row' : 'pair')} ${isSingle ? 'differs' : 'differ'}`
  const test = `${testName(comparison)}, p <= ${alpha}, on ${comparedOn(comparison)}`
  const legend = 'Letters after a score: rows that it is better than'
  if (!baseline) {
    const opponents = `every other row${comparison.unscored || comparison.unlabelled ? ' that was compared' : ''}`
    return `${metric}: ${pairCount} (${test}). ${legend}; bold: better than ${opponents}.${onePairSentence(comparison)}`
  }
  const name = rowName(baseline)
  return `${metric}: ${pairCount} from ${name} (${test}). ${legend}; bold: better than ${name}. ${differenceLegend(' and corrected p')}`
}

const differenceLegend = (p: string): string =>
  `Differences in points, with 95 % interval${p}; won, tied and lost count questions.`

function testName({ pairs, baseline }: RowComparison): string {
  const over = `over ${pairs.length} ${baseline === null ? 'pairs' : 'rows'}`
  const [first] = pairs
  if (first?.test === 't') {
    const labels = pairs.flatMap((pair) => pair.labels?.questions ?? [])
    const subject =
      labels.length > 0
        ? `of differences corrected by labels of ${formatQuestionRange(labels)} (PPI++)`
        : 'with between-index variance in the error'
    return `t test ${subject}${pairs.length === 1 ? '' : `, Holm ${over}`}`
  }
  if (pairs.length === 1) return first?.test === 'McNemar' ? "McNemar's exact test" : 'paired sign flips'
  return `paired sign flips, Westfall–Young ${over}`
}

/** Wins, ties and losses if there is a single pair. */
function onePairSentence({ baseline, pairs }: RowComparison): string {
  const [pair, ...rest] = pairs
  if (!pair || pair.labels || baseline !== null || rest.length > 0) return ''
  return ` Against ${pair.b}, ${pair.a} won ${pair.win}, tied ${pair.tie} and lost ${plural(pair.loss, 'question')}.`
}

function comparedOn({ questions, clusters, fewest }: RowComparison): string {
  const units = clusters < questions ? ` in ${plural(clusters, 'cluster')}` : ''
  return fewest < questions
    ? `the ${fewest} to ${plural(questions, 'question')}${units} that a pair shares`
    : questionsIn({ questions, clusters })
}

/** The minimum detectable difference; shared by the notes and the page's headline. */
export const detectableDifference = ({ smallestDifference, pairs }: RowComparison): string =>
  smallestDifference === null
    ? `minimum detectable difference unknown${pairs.some(({ luck }) => luck && luck.deviation !== null) ? ' (needs ten indexes)' : ''}`
    : `minimum detectable difference ${toPoints(smallestDifference)} points (80 % power${pairs.length > 1 ? ', median over pairs' : ''})`

/** Pairs that were compared on fewer questions than the table's means, with their means there. */
function sharedQuestionsNote({ metric, rows, pairs }: RowComparison): string | false {
  const questionCounts = new Map(rows.map(({ letter, questions }) => [letter, questions]))
  const fewer = pairs.filter(
    ({ a, b, questions, labels }) => !labels && [a, b].some((letter) => (questionCounts.get(letter) ?? 0) > questions),
  )
  const means = fewer.map(
    (pair) =>
      `${pair.a} ${toPoints(pair.means.a)} and ${pair.b} ${toPoints(pair.means.b)} on ${plural(pair.questions, 'question')}`,
  )
  return (
    fewer.length > 0 &&
    `${metric}: pairs are compared on shared scored questions, with these means: ${firstOf(means, 'more with "gembench table --pairs"')}.`
  )
}

/** The first six texts, and a count of the rest. */
function firstOf(texts: readonly string[], suffix: string): string {
  const most = 6
  const more = texts.length > most ? `; ${texts.length - most} ${suffix}` : ''
  return `${texts.slice(0, most).join('; ')}${more}`
}

/** Pairs shown to be equivalent within the margin, or that there are none. */
function equivalenceNote(comparison: RowComparison): string | false {
  const { metric, alpha, margin, pairs, rows } = comparison
  if (margin === null) return false
  const baseline = baselineOf(comparison)
  const pairName = ({ a, b }: Pair): string =>
    baseline
      ? rows
          .filter(({ letter }) => letter === a)
          .map(rowName)
          .join()
      : `${a} and ${b}`
  const name = baseline ? ` to ${rowName(baseline)}` : ''
  const within = `equivalent${name} within ±${toPoints(margin)} points (TOST, Holm, p <= ${alpha})`
  const equivalent = pairs.filter(({ equivalence }) => (equivalence?.pAdjusted ?? Infinity) <= alpha)
  const undetermined = pairs.filter(({ degrees }) => degrees !== null && degrees < fewestDegrees)
  const result = `${within}: ${equivalent.length === 0 ? 'none' : listing(equivalent.map(pairName))}`
  return `${metric}: ${result}.${undetermined.length > 0 ? ` Not determined for ${listing(undetermined.map(pairName))}: fewer than two degrees of freedom, since one text holds most questions.` : ''}`
}

/** Explains the columns of reference rows and the closed-book score. */
function referenceNotes({ table: { cells, rows } }: Facts): readonly string[] {
  const gapCells = cells.filter(({ metric }) => metric === gapToOracle)
  const wrongCells = cells.filter(({ subset, n }) => subset === closedBookWrong && n > 0)
  const contaminationCells = cells.filter(({ metric }) => metric === contamination)
  return present(
    gapCells.length > 0 &&
      `${gapToOracle}: gap to oracle, the oracle's score minus the row's, on ${questionsOf(gapCells)}.`,
    contaminationCells.flatMap(({ scorer, mean, error, n, ...row }) =>
      present(
        mean !== null &&
          `${contamination}${row.variant === '' ? '' : ` (${row.variant})`}: ${toPoints(mean)}${error === null ? '' : ` ±${toPoints(error)}`} % of ${plural(n, 'question')} are right without context (${scorer} >= .5)${chanceOf(rows.find((candidate) => isRow(candidate, row)))}${wrongCells.length > 0 ? `. "${closedBookWrong}": score on the other ${questionsOf(wrongCells)}` : ''}.`,
      ),
    ),
  )
}

const chanceOf = (row: TableRow | undefined): string =>
  row?.chance === undefined ? '' : `; guessing: ${toPoints(row.chance)} % of those with options`

const questionsOf = (cells: readonly Cell[]): string => formatQuestionRange(cells.map(({ n }) => n))

/** `15 questions` or `12 to 15 questions`. */
const formatQuestionRange = (counts: readonly number[]): string =>
  `${formatRange(counts)} ${Math.max(...counts) === 1 ? 'question' : 'questions'}`

function formatRange(counts: readonly number[]): string {
  const [least, most] = [Math.min(...counts), Math.max(...counts)]
  return least === most ? String(most) : `${least} to ${most}`
}

/** Failure causes that could not be determined. */
function failureCauseNotes({ manifest: { scorers }, table: { cells } }: Facts): readonly string[] {
  return scorers.flatMap(({ scorer, failures }) => {
    const rowsWith = (metric: string): string =>
      cells
        .filter((cell) => isOfMetric(cell, { scorer, metric }))
        .flatMap(({ method, variant, mean, n }) =>
          mean ? [`${[method, variant].filter(Boolean).join(' ')} ${Math.round(mean * n)}`] : [],
        )
        .join(', ')
    const [answererCauses, budgetCauses] = failures ? [rowsWith('answererUntold'), rowsWith('beyondUntold')] : ['', '']
    return present(
      answererCauses !== '' &&
        `${scorer}: without the oracle's answer, errors despite evidence are not determined; questions: ${answererCauses}.`,
      budgetCauses !== '' &&
        `${scorer}: "beyond the budget" and "not in the ranking" are indistinguishable in short rankings; questions: ${budgetCauses}.`,
    )
  })
}
