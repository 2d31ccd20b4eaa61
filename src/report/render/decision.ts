import { rowName } from '../../text/names.ts'
import type { Decision, TakenRow, WouldTell } from '../compare/decide.ts'
import type { Cost } from '../table/costs-of-row.ts'
import { formatCount, formatDollars, plural, present } from '../../text/amounts.ts'
import type { RowComparison } from '../compare/row-comparison.ts'
import { canReach, points, shortP } from './columns.ts'
import { gridOf, type Grid } from './text-grid.ts'

/** Which row to take, in words; none where nothing is decided. `timed`: with seconds, which depend on the machine. */
export function decisionWords({ decision }: { readonly decision?: Decision }, timed = false): readonly string[] {
  if (!decision) return []
  const { metric, margin, questions, take, open, rows } = decision
  const by = `by more than ${Number((100 * margin).toFixed(2))} points`
  const on = `${metric} on ${plural(questions, 'question')}, 95 %`
  if (take)
    return [
      `Take ${rowName(take)}: no other row is better ${by} (${on}); ${costWords(take, timed)}.${cheaperWords(take)}`,
    ]
  if (open === 'rows apart') return ['No row can be chosen: some rows share no question that both have a score for.']
  const told = `Cannot tell yet which row to take: every row may be worse than another one ${by} (${on}).`
  if (open === 'too few questions') return [`${told} So few questions do not say how many would tell.`]
  if (open === 'failures' || open === null)
    return [`${told} Questions that failed leave it open: run the config again.`]
  return [`${told} ${wouldTell(open, rows)}`]
}

const wouldTell = ({ questions, costs }: WouldTell, rows: number): string =>
  `About ${formatCount(questions)} questions would tell if the rows differ as they do here: ${
    costs.usd === undefined ? `${formatCount(costs.tokens)} tokens` : `$${formatDollars(costs.usd)}`
  } for ${rows === 2 ? 'both' : `all ${rows}`} rows.`

function costWords({ index, question }: TakenRow, timed: boolean): string {
  const inAll = (cost: Cost, times: number): string =>
    cost.money === undefined
      ? `${formatCount(Math.round(times * cost.tokens))} tokens`
      : `$${formatDollars(times * cost.money)}`
  const isFree = index.money === undefined ? index.tokens === 0 : index.money === 0
  const { seconds = 0 } = question ?? {}
  const free = index.money === undefined ? 'its index asks no language model' : 'no index cost'
  return present(
    isFree ? free : `${inAll(index, 1)} for the index`,
    question && `${inAll(question, 1000)} per 1,000 questions`,
    timed && seconds > 0 && `${Number(seconds.toPrecision(2))} s a question`,
  ).join(', ')
}

function cheaperWords({ cheaper }: TakenRow): string {
  const [first, ...others] = cheaper
  if (!first) return ''
  const named = others.length === 0 ? rowName(first) : `${rowName(first)} and ${plural(others.length, 'other row')}`
  return ` Whether ${named}, which cost${others.length === 0 ? 's' : ''} less, would do cannot be told yet.`
}

/** Every pair that was compared: its questions, the means on these, the difference with both intervals, and both p. */
export function pairsGrid(comparison: RowComparison): Grid {
  const names = new Map(comparison.rows.map((row) => [row.letter, `${row.letter} ${rowName(row)}`]))
  const nameOf = (letter: string): string => names.get(letter) ?? letter
  const reaches = canReach(comparison)
  return gridOf(comparison.pairs, [
    { title: 'row', cell: ({ a }) => nameOf(a) },
    { title: 'against', cell: ({ b }) => nameOf(b) },
    { title: 'questions', cell: ({ questions }) => questions },
    { title: 'means', cell: ({ means }) => `${points(means.a)} and ${points(means.b)}` },
    { title: 'difference', cell: ({ difference }) => signed(difference) },
    { title: '95 % interval', cell: intervalText },
    { title: 'interval of all together', cell: ({ simultaneous }) => intervalText(simultaneous) },
    { title: 'p', cell: ({ p }) => (reaches ? shortP(p) : '–') },
    { title: 'p corrected', cell: ({ pAdjusted }) => (reaches ? shortP(pAdjusted) : '–') },
    comparison.pairs.some(({ labels }) => labels) && {
      title: 'difference by the judge',
      cell: ({ labels }) => (labels ? signed(labels.judge.difference) : '–'),
    },
  ])
}

/** What the grid of pairs shows, and how its two corrections differ. */
export const pairsTitle = ({ metric, pairs }: RowComparison): string =>
  `${metric}: every pair of rows, in points. The intervals of all together hold all differences at once in 95 % of runs ${pairs[0]?.test === 't' ? "(Bonferroni); the corrected p is Holm's" : '(single-step max-T); the corrected p is of the step-down test'}, and may be smaller than these intervals suggest`

const signed = (difference: number): string => `${difference < 0 ? '' : '+'}${points(difference)}`

const intervalText = ({ low, high }: { readonly low: number | null; readonly high: number | null }): string =>
  low === null || high === null ? '–' : `[${points(low)}, ${points(high)}]`
