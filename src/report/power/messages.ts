import { fewestIndexes } from '../../math/statistics/between-index-variance.ts'
import { alpha, usualPower } from '../compare/compare-pair.ts'
import { percent, formatCount, plural, present } from '../../text/amounts.ts'
import { toPoints } from '../render/columns.ts'
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

/** Assumptions, variance components, and pairs without an estimate. */
export function powerNotes(power: RunPower): readonly string[] {
  const { pairs, needsMost } = power
  const estimates = pairs.filter(isEstimated)
  const most = estimates.find(({ a, b }) => a === needsMost?.[0] && b === needsMost[1])
  const unknown = pairs.flatMap(({ reason }) => reason ?? [])
  const notEstimated = [...new Set(unknown)].map((reason) => {
    const reasonPairs = pairs.filter((pair) => pair.reason === reason)
    return `${namesOf(reasonPairs, pairs)}: no estimate: ${reason}.`
  })
  if (!most) return notEstimated
  const below = estimates.filter(({ variance }) => variance.between < 0)
  const blind = estimates.filter(({ smallestDifference }) => smallestDifference === null)
  return [
    neededLine(power),
    varianceLine(most),
    ...lineOf(below, pairs, 'the variance between questions counts as 0, since repeats vary more'),
    ...lineOf(blind, pairs, `too few ${blind.some(isClustered) ? 'clusters' : 'questions'} for p = ${alpha}`),
    ...notEstimated,
    ...indexVarianceLines(power, estimates),
    ...unknownLines(estimates, power.judged),
  ]
}

const namesOf = (pairs: readonly PairPower[], all: readonly PairPower[]): string =>
  pairs.length > 3 ? `${pairs.length} of ${plural(all.length, 'pair')}` : pairs.map(nameOf).join(', ')

const lineOf = (pairs: readonly PairPower[], all: readonly PairPower[], text: string): readonly string[] =>
  pairs.length === 0 ? [] : [`${namesOf(pairs, all)}: ${text}.`]

function neededLine({ repeats, judgeRuns, judged: usesJudge }: RunPower): string {
  const times = repeats === 1 ? '' : `, ${repeats} repeats`
  const judgings = usesJudge && judgeRuns > 1 ? `, ${judgeRuns} judge runs` : ''
  return `Questions needed: scored in both rows${times}${judgings}; by Student's t, with the variance of this pilot.`
}

function varianceLine(pair: EstimatedPair): string {
  const { repeats, judgeRuns } = pair
  const { between, repeats: ofRepeats, judgeRuns: ofJudge, crossed: components } = pair.variance
  const parts = present(
    `${Math.max(0, between).toPrecision(3)} between questions${ofRepeats === null ? ' (repeats included)' : ''}`,
    ofRepeats !== null && `${ofRepeats.toPrecision(3)} between repeats`,
    ofJudge !== null && `${ofJudge.toPrecision(3)} between judge runs`,
  )
  const crossedText = components
    ? `; crossed components: index ${Math.max(0, components.index).toPrecision(3)}, question × index ${Math.max(0, components.questionIndex).toPrecision(3)}, judge run ${Math.max(0, components.judge).toPrecision(3)}`
    : ''
  const judgeText = ofJudge === null ? '' : ` of ${plural(judgeRuns, 'judge run')}`
  return `${nameOf(pair)}: variance of a question's difference: ${parts.join(', ')}. Pilot: ${plural(repeats, 'repeat')}${judgeText}${crossedText}.`
}

/** Between-index variance, and the indexes that the target needs. */
function indexVarianceLines({ difference, repeats }: RunPower, pairs: readonly EstimatedPair[]): readonly string[] {
  const variances = pairs.flatMap((pair) => (pair.luck ? [{ ...pair.luck, name: nameOf(pair) }] : []))
  const estimates = variances.flatMap(({ deviation, needed, ...variance }) =>
    deviation === null || needed === null ? [] : [{ ...variance, deviation, needed }],
  )
  const most = estimates.toSorted((x, y) => y.needed - x.needed)[0]
  return present(
    most &&
      `${most.name}: indexes vary the difference by ${toPoints(most.deviation)} points (standard deviation of ${most.indexes}). Detecting ${toPoints(difference)} points takes ${most.needed} indexes (repeats) or more.`,
    variances.some(({ deviation }) => deviation === null) &&
      `${plural(repeats, 'repeat')}: too few for the variance between indexes. Estimates hold for these indexes only; run repeats: ${fewestIndexes}.`,
  )
}

/** Components that the pilot is too small to estimate. */
function unknownLines(pairs: readonly EstimatedPair[], usesJudge: boolean): readonly string[] {
  const isUnknown = (noise: 'repeats' | 'judgeRuns'): boolean => pairs.some(({ variance }) => variance[noise] === null)
  return present(
    isUnknown('repeats') && 'Savings by repeats are unknown: run the pilot with repeats: 3.',
    usesJudge && isUnknown('judgeRuns') && 'Savings by judge runs are unknown: score the pilot with judgeRuns: 3.',
  )
}
