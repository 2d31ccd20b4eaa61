import { valueOf } from '../../basics/collections.ts'
import { rowName } from '../../text/names.ts'
import type { Decision, TakenRow, RequiredSample } from '../compare/decide.ts'
import type { Cost } from '../gather/costs-of-row.ts'
import { formatCount, formatDollars, plural, present } from '../../text/amounts.ts'
import type { RowComparison } from '../compare/row-comparison.ts'
import { canReach, pointsBetween, shortP, signedPoints, toPoints } from './columns.ts'
import { tableOf, type TextTable } from './text-table.ts'

/** The recommendation. `isTimed` adds seconds, which depend on the machine. */
export function decisionMessages({ decision }: { readonly decision?: Decision }, isTimed = false): readonly string[] {
  if (!decision) return []
  const { metric, margin, questions, take, open, rows } = decision
  const within = `${Number((100 * margin).toFixed(2))} points`
  const basis = `${metric}, ${plural(questions, 'question')}`
  if (take)
    return [
      `Take ${rowName(take)}: at most ${within} below any other method (${basis}, 95 % confidence).`,
      `Cost of ${rowName(take)}: ${costMessage(take, isTimed)}.`,
      ...cheaperMessage(take),
    ]
  if (open === 'rows apart') return ['No recommendation: some methods share no scored question.']
  const unclear = `no method is shown to be within ${within} of the best (${metric})`
  const openMessage = `No clear winner: with ${plural(questions, 'question')}, ${unclear}.`
  if (open === 'too few questions') return [openMessage]
  if (open === 'failures') return [openMessage, 'Failed questions leave it open: run the config again to repeat them.']
  return [openMessage, neededQuestions(open, rows)]
}

/** The number of questions is rounded up to two digits: fewer would not do. */
function neededQuestions({ questions, costs }: RequiredSample, rows: number) {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(questions)) - 1)
  const tokens = costs.tokens.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: 1 })
  // no language model, no cost
  const tokenCost = costs.tokens > 0 && `${tokens} tokens`
  const cost = costs.money === undefined ? tokenCost : `$${formatDollars(costs.money)}`
  const count = formatCount(Math.ceil(questions / unit) * unit)
  const methods = rows === 2 ? 'both methods' : `all ${rows} methods`
  return `About ${count} questions would separate ${methods}${cost ? ` (${cost})` : ''}.`
}

function costMessage({ index, question }: TakenRow, isTimed: boolean) {
  const inAll = (cost: Cost, times: number) =>
    cost.money === undefined
      ? `${formatCount(Math.round(times * cost.tokens))} tokens`
      : `$${formatDollars(times * cost.money)}`
  const isPriced = index.money !== undefined
  const { seconds = 0 } = question ?? {}
  const free = isPriced ? 'no index cost' : 'no language model calls for the index'
  return present(
    (index.money ?? index.tokens) === 0 ? free : `${inAll(index, 1)} for the index`,
    question && `${inAll(question, 1000)} per 1,000 questions`,
    isTimed && seconds > 0 && `${Number(seconds.toPrecision(2))} s a question`,
  ).join(', ')
}

function cheaperMessage({ cheaper }: TakenRow) {
  const [first, ...rest] = cheaper
  if (!first) return []
  const more = rest.length > 0 && plural(rest.length, 'other method')
  const names = present(rowName(first), more).join(' and ')
  return [`Cheaper, and possibly as good: ${names}. More questions would show it.`]
}

/** One line per compared pair. */
export function pairsTable(comparison: RowComparison): TextTable {
  const names = new Map(comparison.rows.map((row) => [row.letter, `${row.letter} ${rowName(row)}`]))
  const reaches = canReach(comparison)
  return tableOf(comparison.pairs, [
    { title: 'row', cell: ({ a }) => valueOf(names, a) },
    { title: 'against', cell: ({ b }) => valueOf(names, b) },
    { title: 'questions', cell: ({ questions }) => questions },
    { title: 'means', cell: ({ means }) => `${toPoints(means.a)} and ${toPoints(means.b)}` },
    { title: 'difference', cell: ({ difference }) => signedPoints(difference) },
    { title: '95 % interval', cell: pointsBetween },
    { title: 'interval of all together', cell: ({ simultaneous }) => pointsBetween(simultaneous) },
    { title: 'p', cell: ({ p }) => (reaches ? shortP(p) : '–') },
    { title: 'p corrected', cell: ({ pAdjusted }) => (reaches ? shortP(pAdjusted) : '–') },
    comparison.pairs.some(({ labels }) => labels) && {
      title: 'difference by the judge',
      cell: ({ labels }) => (labels ? signedPoints(labels.judge.difference) : '–'),
    },
  ])
}

/** Title of `pairsTable`, with the two corrections. */
export function pairsTitle({ metric, pairs }: RowComparison): string {
  const corrections = pairs[0]?.test === 't' ? 'Bonferroni, Holm' : 'Single-step max-T, step-down p'
  return `${metric}: every pair of rows, in points. ${corrections}`
}
