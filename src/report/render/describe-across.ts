import { itemAt } from '../../basics/collections.ts'
import { alpha } from '../compare/compare-pair.ts'
import type { AcrossRuns } from '../compare/across-runs.ts'
import { plural } from '../../text/amounts.ts'
import { toPoints } from './columns.ts'
import { messagesOf, type NoteText } from './rows.ts'
import { tableOf } from './text-table.ts'
import { pText } from './notes-on-runs.ts'

export type AcrossDescription = ReturnType<typeof describeAcross>

/** Mean ranks and pairwise tests of rows over several runs, as text. */
export function describeAcross(across: AcrossRuns) {
  const { metrics, runs, rows, pairs } = across
  const [metric] = new Set(metrics).size === 1 ? metrics : []
  const ranks = tableOf(rows, [
    { title: 'row', cell: ({ row }) => row },
    { title: 'mean rank', cell: ({ rank }) => rank.toFixed(2) },
    ...runs.map((run, index) => ({
      title: metric === undefined ? `${run}: ${itemAt(metrics, index)}` : run,
      cell: ({ means }: AcrossRuns['rows'][number]) => toPoints(itemAt(means, index)),
    })),
  ])
  const tests = tableOf(pairs, [
    { title: 'a above b', cell: ({ a, b }) => `${a} above ${b}` },
    { title: 'p', cell: ({ p }) => pText(p) },
    { title: 'p, Holm', cell: ({ pAdjusted }) => pText(pAdjusted) },
  ])
  return {
    title: `${metric ?? 'Rows'} over ${plural(runs.length, 'run')}`,
    tables: [ranks, tests],
    notes: messagesOf(notes, across),
  }
}

const notes: readonly NoteText<AcrossRuns>[] = [
  rankNote,
  ({ metrics }) =>
    new Set(metrics).size > 1 && 'The runs compare rows on different metrics: --metric names one that all have.',
  ({ sharedQuestions }) =>
    sharedQuestions && 'Runs share their questions, so ranks are not independent and do not extend to other questions.',
  // a varied option that a row ignores gives identical scores in several runs
  ({ runs, rows, sharedQuestions }) => {
    const sizes = rows.map(({ means }) => new Set(means.map((mean) => mean.toFixed(9))).size)
    const counts = rows.map(({ row }, i) => `${row} ${itemAt(sizes, i)}`)
    return (
      sharedQuestions &&
      sizes.some((size) => size < runs.length) &&
      `Different means of a row over the ${runs.length} runs: ${counts.join(', ')}. ${unusedKey}`
    )
  },
  ({ leftOut }) => leftOut.length > 0 && `Not in every run: ${leftOut.join(', ')}.`,
  ({ dropped }) => dropped > 0 && `Ranks and means omit ${plural(dropped, 'question')} without a score in every row.`,
]

const unusedKey = 'A key that a row does not use leaves its scores as they are; such runs are counted all the same.'

function rankNote({ runs, rows, friedman, pairs }: AcrossRuns) {
  const all = friedman
    ? `Friedman chi-squared ${friedman.chiSquared.toFixed(2)}, p ${pText(friedman.p)}`
    : 'all rows rank alike everywhere'
  const significantPairs = pairs.filter(({ pAdjusted }) => pAdjusted <= alpha)
  const significant = significantPairs.map(({ a, b }) => `${a} above ${b}`)
  const conclusion = significant.length === 0 ? 'no significant difference' : `significant: ${significant.join(', ')}`
  const test = `Pairs by the difference of their mean ranks, two-sided, with Holm over ${plural(pairs.length, 'pair')}`
  return [
    `Mean ranks of ${rows.length} rows over ${plural(runs.length, 'run')}, 1 is best: ${all}.`,
    `${test} (Demšar 2006): ${conclusion} (p <= ${alpha}).`,
  ].join(' ')
}
