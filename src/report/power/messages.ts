import { fewestIndexes } from '../../math/statistics/index-luck.ts'
import { alpha, usualPower } from '../compare/compare-pair.ts'
import { percent, formatCount, plural, present } from '../../text/amounts.ts'
import { toPoints } from '../render/columns.ts'
import { tableOf, type TextTable } from '../render/text-table.ts'
import { isEstimated, type EstimatedPair, type PairPower, type RunPower } from './run-power.ts'

const nameOf = ({ a, b }: PairPower): string => `${a} vs ${b}`

export const powerTitle = ({ difference }: RunPower): string =>
  `a difference of ${toPoints(difference)} points, found with a power of ${100 * usualPower} % in one comparison at p <= ${alpha}`

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
  const subject =
    needsMost && several ? `${needsMost.join(' vs ')} needs most; with these every pair finds` : 'These find'
  return `${subject} ${toPoints(difference)} points.`
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
    return `${namesOf(reasonPairs, pairs)}: cannot be estimated: ${reason}.`
  })
  if (!most) return notEstimated
  const below = estimates.filter(({ variance }) => variance.between < 0)
  const blind = estimates.filter(({ smallestDifference }) => smallestDifference === null)
  return [
    neededLine(power),
    varianceLine(most),
    ...lineOf(below, pairs, 'repeats alone vary more than questions: the variance between questions is read as 0'),
    ...lineOf(
      blind,
      pairs,
      `with so few ${blind.some(isClustered) ? 'clusters' : 'questions'} no test can reach p = ${alpha}`,
    ),
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
  const times = repeats === 1 ? '' : `, each asked ${repeats} times`
  const judgings = usesJudge && judgeRuns > 1 ? `, every answer judged ${judgeRuns} times` : ''
  return `Needed questions, with a score in both rows${times}${judgings}: by Student's t, from the variance of this pilot.`
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
    ? `; crossed components, below 0 read as 0: index ${Math.max(0, components.index).toPrecision(3)}, question × index ${Math.max(0, components.questionIndex).toPrecision(3)}, judge run ${Math.max(0, components.judge).toPrecision(3)}`
    : ''
  const judgeText = ofJudge === null ? '' : ` of ${plural(judgeRuns, 'judge run')}`
  return `${nameOf(pair)}: variance of the difference of a question ${parts.join(', ')}; the pilot has ${plural(repeats, 'repeat')}${judgeText}${crossedText}.`
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
      `${most.name}: the luck of an index is ${toPoints(most.deviation)} points of the difference (standard deviation, of only ${most.indexes} indexes); ${toPoints(difference)} points take at least ${most.needed} indexes (repeats), however many questions are asked.`,
    variances.some(({ deviation }) => deviation === null) &&
      `${plural(repeats, 'repeat')} with indexes of their own say too little of the luck of an index: what is needed is for these very indexes; ask every row with repeats: ${fewestIndexes} for more.`,
  )
}

/** Components that the pilot is too small to estimate. */
function unknownLines(pairs: readonly EstimatedPair[], usesJudge: boolean): readonly string[] {
  const isUnknown = (noise: 'repeats' | 'judgeRuns'): boolean => pairs.some(({ variance }) => variance[noise] === null)
  return present(
    isUnknown('repeats') && 'What repeats would save is not known: ask every row with repeats: 3 for that.',
    usesJudge &&
      isUnknown('judgeRuns') &&
      'What more judge runs would save is not known: judge with judgeRuns: 3 for that.',
  )
}
