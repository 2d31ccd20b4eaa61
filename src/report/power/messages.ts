import { groupBy } from '../../basics/collections.ts'
import { fewestIndexes } from '../../math/statistics/between-index-variance.ts'
import { alpha, usualPower } from '../compare/compare-pair.ts'
import { percent, formatCount, plural, present } from '../../text/amounts.ts'
import { toPoints } from '../render/columns.ts'
import { messagesOf, type NoteText } from '../render/rows.ts'
import { tableOf, type TextTable } from '../render/text-table.ts'
import type { EstimatedPair, PairPower, RunPower } from './run-power.ts'

export const powerTitle = ({ difference }: RunPower): string =>
  `detects ${toPoints(difference)} points with ${100 * usualPower} % power, in one comparison at p <= ${alpha}`

/** One line per pair: what the pilot detects, and the questions that the target needs. */
export function pairsTable(power: RunPower): TextTable {
  const hasClusters = estimatesIn(power).some(isClustered)
  const count = (value: number, otherwise: string) => (Number.isFinite(value) ? formatCount(value) : otherwise)
  return tableOf(estimatesIn(power), [
    { title: 'pair', cell: nameOf },
    { title: 'questions', cell: ({ questions }) => formatCount(questions) },
    hasClusters && { title: 'clusters', cell: ({ clusters }) => formatCount(clusters) },
    { title: 'difference', cell: (pair) => toPoints(pair.difference) },
    { title: 'detects', cell: ({ smallestDifference: least }) => (least === null ? 'none' : toPoints(least)) },
    { title: `power for ${toPoints(power.difference)}`, cell: (pair) => percent(pair.power) },
    { title: 'needs questions', cell: ({ needed }) => count(needed.questions, 'more indexes') },
    hasClusters && { title: 'needs clusters', cell: ({ needed }) => count(needed.clusters, '–') },
  ])
}

export const plansTitle = ({ needsMost, difference }: RunPower): string =>
  `${needsMost ? `${needsMost.join(' vs ')} needs most. ` : ''}These runs detect ${toPoints(difference)} points in every pair.`

export const plansTable = (power: RunPower): TextTable =>
  tableOf(
    power.plans,
    [
      { title: 'questions', cell: ({ questions }) => formatCount(questions) },
      estimatesIn(power).some(isClustered) && { title: 'clusters', cell: ({ clusters }) => formatCount(clusters) },
      { title: 'repeats', cell: ({ repeats }) => formatCount(repeats) },
    ],
    0,
  )

const estimatesIn = ({ pairs }: RunPower): readonly EstimatedPair[] =>
  pairs.flatMap((pair) => (pair.reason === null ? [pair] : []))

const nameOf = ({ a, b }: Pick<PairPower, 'a' | 'b'>) => `${a} vs ${b}`

const isClustered = ({ clusters, questions }: EstimatedPair) => clusters < questions

/** Notes below the tables, one line each. */
export const powerNotes = (power: RunPower): readonly string[] =>
  messagesOf(notes, { ...power, estimates: estimatesIn(power) })

interface Facts extends RunPower {
  readonly estimates: readonly EstimatedPair[]
}

const notes: readonly NoteText<Facts>[] = [
  ({ repeats, judgeRuns, estimates }) => {
    const runs = present(plural(repeats, 'repeat'), judgeRuns > 1 && `${judgeRuns} judge runs`).join(' and ')
    return estimates.length > 0 && `Questions needed: scored in both rows, in ${runs}; by Student's t.`
  },
  ({ estimates, needsMost }) =>
    estimates.filter(({ a, b }) => needsMost?.[0] === a && needsMost[1] === b).map(varianceNote),
  ({ pairs }) => {
    const flaws = pairs.flatMap((pair) => flawsOf(pair).map((flaw) => ({ name: nameOf(pair), flaw })))
    return Array.from(
      groupBy(flaws, ({ flaw }) => flaw),
      ([flaw, members]) => {
        const names = members.map(({ name }) => name).join(', ')
        const count = `${members.length} of ${plural(pairs.length, 'pair')}`
        return `${members.length > 3 ? count : names}: ${flaw}.`
      },
    )
  },
  // between-index variance, and the indexes that the target needs
  ({ estimates, difference }) => {
    const withIndexes = estimates.flatMap(({ a, b, luck }) => (luck?.needed ? [{ a, b, ...luck }] : []))
    const most = withIndexes.toSorted((x, y) => Number(y.needed) - Number(x.needed))[0]
    if (!most) return undefined
    const spread = toPoints(Number(most.deviation))
    return present(
      `${nameOf(most)}: indexes vary the difference by ${spread} points.`,
      `Detecting ${toPoints(difference)} points takes ${most.needed} indexes (repeats) or more.`,
    ).join(' ')
  },
  ({ estimates }) =>
    estimates.some(({ luck, variance }) => luck?.deviation === null || variance.repeats === null) &&
    `The variance between repeats or indexes is unknown: run the pilot with repeats: ${fewestIndexes}.`,
]

/** What a pair has no estimate of, and why. */
function flawsOf(pair: PairPower) {
  if (pair.reason !== null) return [`no estimate: ${pair.reason}`]
  return present(
    pair.variance.between < 0 && 'the variance between questions counts as 0, since repeats vary more',
    pair.smallestDifference === null && `too few ${isClustered(pair) ? 'clusters' : 'questions'} for p = ${alpha}`,
  )
}

function varianceNote(pair: EstimatedPair) {
  const { between, repeats, judgeRuns, crossed } = pair.variance
  const text = (variance: number) => Math.max(0, variance).toPrecision(3)
  const parts = present(
    `${text(between)} between questions${repeats === null ? ' (repeats included)' : ''}`,
    repeats !== null && `${text(repeats)} between repeats`,
    judgeRuns !== null && `${text(judgeRuns)} between judge runs`,
    crossed && [
      `crossed components: index ${text(crossed.index)}`,
      `question × index ${text(crossed.questionIndex)}`,
      `judge run ${text(crossed.judge)}`,
    ],
  )
  const runs = judgeRuns === null ? '' : ` of ${plural(pair.judgeRuns, 'judge run')}`
  const size = `${plural(pair.repeats, 'repeat')}${runs}`
  return `${nameOf(pair)}: variance of a question's difference in ${size}: ${parts.join(', ')}.`
}
