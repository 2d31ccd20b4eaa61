import { fewestIndexes } from '../../math/statistics/between-index-variance.ts'
import { alpha, usualPower } from '../compare/compare-pair.ts'
import { percent, formatCount, plural, present } from '../../text/amounts.ts'
import { toPoints } from '../render/columns.ts'
import { messagesOf, type NoteText } from '../render/note.ts'
import { tableOf, type TextTable } from '../render/text-table.ts'
import { isEstimated, type EstimatedPair, type PairPower, type RunPower } from './run-power.ts'

const nameOf = ({ a, b }: PairPower): string => `${a} vs ${b}`

export const powerTitle = ({ difference }: RunPower): string =>
  `detects ${toPoints(difference)} points with ${100 * usualPower} % power, in one comparison at p <= ${alpha}`

/** One line per pair: what the pilot detects, and the questions that the target needs. */
export function pairsTable({ difference, pairs }: RunPower): TextTable {
  const estimates = pairs.filter(isEstimated)
  const hasClusters = estimates.some(isClustered)
  return tableOf(estimates, [
    { title: 'pair', cell: nameOf },
    { title: 'questions', cell: ({ questions }) => formatCount(questions) },
    hasClusters && { title: 'clusters', cell: ({ clusters }) => formatCount(clusters) },
    { title: 'difference', cell: (pair) => toPoints(pair.difference) },
    {
      title: 'detects',
      cell: ({ smallestDifference }) => (smallestDifference === null ? 'none' : toPoints(smallestDifference)),
    },
    { title: `power for ${toPoints(difference)}`, cell: ({ power }) => percent(power) },
    {
      title: 'needs questions',
      cell: ({ needed: { questions } }) => (Number.isFinite(questions) ? formatCount(questions) : 'more indexes'),
    },
    hasClusters && {
      title: 'needs clusters',
      cell: ({ needed: { clusters } }) => (Number.isFinite(clusters) ? formatCount(clusters) : '–'),
    },
  ])
}

export const plansTable = ({ pairs, plans, judged: usesJudge }: RunPower): TextTable =>
  tableOf(
    plans,
    [
      { title: 'questions', cell: ({ questions }) => formatCount(questions) },
      pairs.filter(isEstimated).some(isClustered) && {
        title: 'clusters',
        cell: ({ clusters }) => formatCount(clusters),
      },
      { title: 'repeats', cell: ({ repeats }) => formatCount(repeats) },
      usesJudge && { title: 'judge runs', cell: ({ judgeRuns }) => formatCount(judgeRuns) },
    ],
    0,
  )

export function plansTitle({ pairs, needsMost, difference }: RunPower): string {
  const several = pairs.filter(isEstimated).length > 1
  const subject = needsMost && several ? `${needsMost.join(' vs ')} needs most. These runs detect` : 'These runs detect'
  return `${subject} ${toPoints(difference)} points${several ? ' in every pair' : ''}.`
}

const isClustered = ({ clusters, questions }: EstimatedPair): boolean => clusters < questions

/** The power of a run with its estimates, and the pair that needs most questions. */
interface PowerFacts extends RunPower {
  readonly estimates: readonly EstimatedPair[]
  readonly most: EstimatedPair
}

/** Assumptions, variance components, and pairs without an estimate. */
export function powerNotes(power: RunPower): readonly string[] {
  const { pairs, needsMost } = power
  const estimates = pairs.filter(isEstimated)
  const most = estimates.find(({ a, b }) => a === needsMost?.[0] && b === needsMost[1])
  return most ? messagesOf(notes, { ...power, estimates, most }) : messagesOf([notEstimated], power)
}

const notEstimated: NoteText<Pick<RunPower, 'pairs'>> = ({ pairs }) => {
  const reasons = [...new Set(pairs.flatMap(({ reason }) => reason ?? []))]
  const pairsWith = (reason: string): readonly PairPower[] => pairs.filter((pair) => pair.reason === reason)
  return reasons.flatMap((reason) => pairsNote(pairsWith(reason), pairs, `no estimate: ${reason}`))
}

const notes: readonly NoteText<PowerFacts>[] = [
  ({ repeats, judgeRuns, judged }) => {
    const times = repeats === 1 ? '' : `, ${repeats} repeats`
    const judgings = judged && judgeRuns > 1 ? `, ${judgeRuns} judge runs` : ''
    return `Questions needed: scored in both rows${times}${judgings}; by Student's t, with the variance of this pilot.`
  },
  ({ most }) => varianceNote(most),
  ({ estimates, pairs }) =>
    pairsNote(
      estimates.filter(({ variance }) => variance.between < 0),
      pairs,
      'the variance between questions counts as 0, since repeats vary more',
    ),
  ({ estimates, pairs }) => {
    const blind = estimates.filter(({ smallestDifference }) => smallestDifference === null)
    return pairsNote(blind, pairs, `too few ${blind.some(isClustered) ? 'clusters' : 'questions'} for p = ${alpha}`)
  },
  notEstimated,
  // between-index variance, and the indexes that the target needs
  ({ estimates, difference }) => {
    const variances = estimates.flatMap((pair) => {
      const variance = pair.luck
      if (!variance || variance.deviation === null || variance.needed === null) return []
      return [{ ...variance, deviation: variance.deviation, needed: variance.needed, name: nameOf(pair) }]
    })
    const most = variances.toSorted((x, y) => y.needed - x.needed)[0]
    return (
      most &&
      `${most.name}: indexes vary the difference by ${toPoints(most.deviation)} points (standard deviation of ${most.indexes}). Detecting ${toPoints(difference)} points takes ${most.needed} indexes (repeats) or more.`
    )
  },
  ({ estimates, repeats }) =>
    estimates.some(({ luck }) => luck?.deviation === null) &&
    `${plural(repeats, 'repeat')}: too few for the variance between indexes. Estimates hold for these indexes only; run repeats: ${fewestIndexes}.`,
  ({ estimates }) =>
    estimates.some(({ variance }) => variance.repeats === null) &&
    'Savings by repeats are unknown: run the pilot with repeats: 3.',
  ({ estimates, judged }) =>
    judged &&
    estimates.some(({ variance }) => variance.judgeRuns === null) &&
    'Savings by judge runs are unknown: score the pilot with judgeRuns: 3.',
]

/** A note on some of the pairs; none without pairs. */
function pairsNote(pairs: readonly PairPower[], all: readonly PairPower[], text: string): readonly string[] {
  const names = pairs.length > 3 ? `${pairs.length} of ${plural(all.length, 'pair')}` : pairs.map(nameOf).join(', ')
  return pairs.length === 0 ? [] : [`${names}: ${text}.`]
}

function varianceNote(pair: EstimatedPair): string {
  const { repeats, judgeRuns } = pair
  const { between, repeats: ofRepeats, judgeRuns: ofJudge, crossed } = pair.variance
  const text = (variance: number): string => variance.toPrecision(3)
  const parts = present(
    `${text(Math.max(0, between))} between questions${ofRepeats === null ? ' (repeats included)' : ''}`,
    ofRepeats !== null && `${text(ofRepeats)} between repeats`,
    ofJudge !== null && `${text(ofJudge)} between judge runs`,
  )
  const crossedText = crossed
    ? `; crossed components: index ${text(Math.max(0, crossed.index))}, question × index ${text(Math.max(0, crossed.questionIndex))}, judge run ${text(Math.max(0, crossed.judge))}`
    : ''
  const judgeText = ofJudge === null ? '' : ` of ${plural(judgeRuns, 'judge run')}`
  return `${nameOf(pair)}: variance of a question's difference: ${parts.join(', ')}. Pilot: ${plural(repeats, 'repeat')}${judgeText}${crossedText}.`
}
