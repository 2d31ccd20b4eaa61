import { fewestDegrees } from '../../math/statistics/cr2.ts'
import type { Manifest } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import type { Pair, RowComparison } from '../compare/row-comparison.ts'
import type { Cell } from '../table/estimate.ts'
import { closedBookWrong, contamination, headroom } from '../table/reference-cells.ts'
import type { Table, TableRow } from '../table/table.ts'
import { listing, plural, present, questionsIn } from '../../text/amounts.ts'
import { baselineOf, canReach, points } from './columns.ts'
import { isRow, isOfMetric } from '../compare/rows-to-compare.ts'

/** What differs, after which test, what is the same, and what could have been seen; or why rows are not compared. */
export function comparisonNotes({ comparison, notCompared }: Table): readonly string[] {
  if (notCompared !== undefined) return [`Rows are not compared: ${notCompared}.`]
  if (!comparison) return []
  return [
    ...(canReach(comparison)
      ? [
          differing(comparison),
          `${comparison.metric}: ${letterDifference(comparison)}${comparison.smallestDifference === null ? '' : '; smaller ones are easily missed'}.`,
        ]
      : [unreachable(comparison)]),
    ...sharedQuestions(comparison),
    ...sameness(comparison),
    ...apart(comparison),
    ...unscored(comparison),
    ...byJudge(comparison),
  ]
}

/** How many rows differ, how that was tested, and what bold means. */
function differing(comparison: RowComparison): string {
  const { metric, alpha, pairs } = comparison
  const baseline = baselineOf(comparison)
  const differ = pairs.filter(({ pAdjusted }) => pAdjusted <= alpha).length
  const found = `${differ} of ${plural(pairs.length, baseline ? 'row' : 'pair')}`
  const how = `${testName(comparison)}, p <= ${alpha}, on ${askedOn(comparison)}`
  const letters = 'letters after a score name the rows that it is better than'
  if (!baseline) {
    const others = `every other row${comparison.unscored || comparison.unlabelled ? ' that was compared' : ''}`
    return `${metric}: ${found} of rows differ (${how}); ${letters}, bold is better than ${others}.${onePair(comparison)}`
  }
  const name = rowName(baseline)
  return `${metric}: ${found} differ from ${name} (${how}); ${letters}, bold is better than ${name}. ${columns(', and p after the correction')}`
}

function testName({ pairs, baseline }: RowComparison): string {
  if (pairs[0]?.test === 't') {
    const labels = pairs.flatMap((pair) => pair.labels?.questions ?? [])
    const holm = pairs.length === 1 ? '' : `, Holm over ${pairs.length} ${baseline === null ? 'pairs' : 'rows'}`
    const what =
      labels.length > 0
        ? `of differences that labels of ${fromTo(labels)} correct (PPI++)`
        : 'with the luck of indexes in the error'
    return `t test ${what}${holm}`
  }
  if (pairs.length === 1) return pairs[0]?.test === 'McNemar' ? "McNemar's exact test" : 'paired sign flips'
  return `paired sign flips, Westfall–Young over ${pairs.length} ${baseline === null ? 'pairs' : 'rows'}`
}

const columns = (p: string): string =>
  `Differences are in points, with their 95 % interval${p}; won, tied and lost count questions.`

/** Of two rows alone the questions can be told in a line. */
function onePair({ baseline, pairs }: RowComparison): string {
  const [pair, ...others] = pairs
  if (!pair || pair.labels || baseline !== null || others.length > 0) return ''
  return ` Against ${pair.b}, ${pair.a} won ${pair.win}, tied ${pair.tie} and lost ${plural(pair.loss, 'question')}.`
}

function askedOn({ questions, clusters, fewest }: RowComparison): string {
  const units = clusters < questions ? ` in ${plural(clusters, 'cluster')}` : ''
  return fewest < questions
    ? `the ${fewest} to ${plural(questions, 'question')}${units} that both rows of a pair have a score for`
    : questionsIn({ questions, clusters })
}

function unreachable(comparison: RowComparison): string {
  const { metric, alpha, questions, clusters } = comparison
  const asked = plural(questions, 'question')
  const units = clusters < questions ? `${plural(clusters, 'cluster')} of ${asked}` : asked
  return `${metric}: a test cannot reach p = ${alpha} with ${units}: no row is marked as better, and no difference could have earned a letter.${baselineOf(comparison) ? ` ${columns('')}` : ''}${onePair(comparison)}`
}

/** What the run could have seen, in the words that the report's headline, the notes and the README share. */
export const letterDifference = ({ smallestDifference, pairs }: RowComparison): string =>
  smallestDifference === null
    ? `the difference that would have earned a letter is not known${pairs.some(({ luck }) => luck && luck.deviation !== null) ? ': that takes ten indexes' : ''}`
    : `a true difference of ${points(smallestDifference)} points would have earned a letter with 80 % power${pairs.length > 1 ? ' (median over pairs)' : ''}`

/** Pairs on fewer questions than a mean of the table has, with their means on these. */
function sharedQuestions({ metric, rows, pairs }: RowComparison): readonly string[] {
  const asked = new Map(rows.map(({ letter, questions }) => [letter, questions]))
  const fewer = pairs.filter(
    ({ a, b, questions, labels }) => !labels && [a, b].some((letter) => (asked.get(letter) ?? 0) > questions),
  )
  if (fewer.length === 0) return []
  const said = fewer
    .slice(0, mostNamed)
    .map(
      ({ a, b, questions, means }) =>
        `${a} ${points(means.a)} and ${b} ${points(means.b)} on ${plural(questions, 'question')}`,
    )
  const more = fewer.length > mostNamed ? `; ${fewer.length - mostNamed} more with "gembench table --pairs"` : ''
  return [
    `${metric}: pairs are compared on the questions that both rows have a score for, where these means are: ${said.join('; ')}${more}.`,
  ]
}

const mostNamed = 6

/** Pairs that no question joins. */
const apart = ({ metric, apart: count }: RowComparison): readonly string[] =>
  present(
    count !== undefined &&
      `${metric}: ${plural(count, 'pair')} of rows without a question that both have a score for ${count === 1 ? 'is' : 'are'} not compared.`,
  )

const unscored = ({ metric, unscored: rows }: RowComparison): readonly string[] =>
  rows ? [`${metric}: not compared, because every score failed: ${listing(rows)}.`] : []

/** What the judge alone says where labels decide, and which rows these leave out. */
function byJudge({ metric, pairs, unlabelled }: RowComparison): readonly string[] {
  const said = pairs.flatMap(({ a, b, difference, labels }) =>
    labels ? [`${a} and ${b} ${points(difference)} (judge ${points(labels.judge.difference)})`] : [],
  )
  const more = said.length > mostNamed ? `; ${said.length - mostNamed} more in table.json` : ''
  return present(
    said.length > 0 &&
      `${metric}, differences in points as labels correct them, and by the judge alone: ${said.slice(0, mostNamed).join('; ')}${more}. A corrected difference is estimated from paired differences; it need not be that of the corrected means.`,
    unlabelled && `${metric}: not compared, because too few answers have labels: ${listing(unlabelled)}.`,
  )
}

/** Which rows are the same within the margin; where none is, that it was looked for. */
function sameness(comparison: RowComparison): readonly string[] {
  const { metric, alpha, margin, pairs, rows } = comparison
  if (margin === null) return []
  const isSame = ({ equivalence }: Pair): boolean => equivalence?.pAdjusted != null && equivalence.pAdjusted <= alpha
  const baseline = baselineOf(comparison)
  const same = pairs.filter(isSame)
  const shown = ({ a, b }: Pair): string =>
    baseline
      ? rows
          .filter(({ letter }) => letter === a)
          .map(rowName)
          .join()
      : `${a} and ${b}`
  const name = baseline ? ` as ${rowName(baseline)}` : ''
  const within = `the same${name} within ±${points(margin)} points (TOST, Holm, p <= ${alpha})`
  const named = listing(same.map(shown))
  const untold = pairs.filter(({ degrees }) => degrees !== null && degrees < fewestDegrees)
  const said = same.length === 0 ? `no rows are shown to be ${within}` : `${within}: ${named}`
  return [
    `${metric}: ${said}.${untold.length > 0 ? ` It cannot be told of ${listing(untold.map(shown))}: one text holds so many of the questions that fewer than two degrees of freedom are left.` : ''}`,
  ]
}

/** What the columns of reference rows mean, what the closed-book row knows, and which causes could not be told. */
export const notesOnReferences = (
  manifest: Pick<Manifest, 'scorers'>,
  table: Pick<Table, 'cells' | 'rows'>,
): readonly string[] => [...ofReferences(table), ...tooGood(table), ...ofCauses(manifest, table)]

/** Rows that score what their contexts do not explain: they may have seen the answers. */
export function tooGood({ cells, rows }: Pick<Table, 'cells' | 'rows'>): readonly string[] {
  const above = cells.filter(({ metric, high }) => metric === headroom && high !== null && high < 0)
  const without = rows.flatMap((row) =>
    row.withoutEvidence ? [`${rowName(row)} ${row.withoutEvidence.right} of ${row.withoutEvidence.of}`] : [],
  )
  return present(
    above.length > 0 &&
      `Above the oracle by more than chance (95 % interval of the paired difference), which has all evidence: ${listing(above.map((cell) => `${rowName(cell)} by ${percent(-(cell.mean ?? 0))}`))}. See whether the row has seen the answers, or the evidence is incomplete.`,
    without.length > 0 &&
      `Most questions answered right without any of their evidence in the context: ${listing(without)}. The model may know the answers, or the row may have seen them.`,
  )
}

function ofReferences({ cells, rows }: Pick<Table, 'cells' | 'rows'>): readonly string[] {
  const above = cells.filter(({ metric }) => metric === headroom)
  const wrong = cells.filter(({ subset, n }) => subset === closedBookWrong && n > 0)
  const known = cells.filter(({ metric }) => metric === contamination)
  return present(
    above.length > 0 && `${headroom}: the oracle's score minus the row's, on the ${asked(above)} that both have.`,
    known.flatMap(({ scorer, mean, error, n, ...row }) =>
      present(
        mean !== null &&
          `${contamination}${row.variant === '' ? '' : ` (${row.variant})`}: without a context ${percent(mean)}${error === null ? '' : ` ±${percent(error)}`} % of ${plural(n, 'question')} are answered right (${scorer} .5 or more)${chanceOf(rows.find((one) => isRow(one, row)))}${wrong.length > 0 ? `; "${closedBookWrong}" is the score on the other ${asked(wrong)}` : ''}.`,
      ),
    ),
  )
}

const chanceOf = (row: TableRow | undefined): string =>
  row?.chance === undefined ? '' : `, where guessing gives ${percent(row.chance)} % of those with options`

const asked = (cells: readonly Cell[]): string => fromTo(cells.map(({ n }) => n))

/** 15 questions, or 12 to 15. */
function fromTo(counts: readonly number[]): string {
  const [least, most] = [Math.min(...counts), Math.max(...counts)]
  return least === most ? plural(most, 'question') : `${least} to ${plural(most, 'question')}`
}

const percent = (fraction: number): string => (100 * fraction).toFixed(1)

/** The rows of which the scorer failure-cause could not tell every cause. */
function ofCauses({ scorers }: Pick<Manifest, 'scorers'>, { cells }: Pick<Table, 'cells'>): readonly string[] {
  return scorers
    .filter(({ failures }) => failures)
    .flatMap(({ scorer }) => {
      const rowsWith = (metric: string): string =>
        cells
          .filter((cell) => isOfMetric(cell, { scorer, metric }))
          .flatMap(({ method, variant, mean, n }) =>
            mean ? [`${[method, variant].filter(Boolean).join(' ')} ${Math.round(mean * n)}`] : [],
          )
          .join(', ')
      const [answerer, beyond] = [rowsWith('answererUntold'), rowsWith('beyondUntold')]
      return present(
        answerer !== '' &&
          `${scorer}: without the oracle's answer to the same question it cannot be told whether the answerer is wrong even with the evidence; questions: ${answerer}.`,
        beyond !== '' &&
          `${scorer}: where a method gives no more passages than the budget has, "beyond the budget" cannot be told from "not in the ranking"; questions: ${beyond}.`,
      )
    })
}
