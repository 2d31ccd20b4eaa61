import { fewestIndexes } from '../../math/statistics/between-index-variance.ts'
import { alpha, usualPower } from '../compare/compare-pair.ts'
import { percent, formatCount, plural, present } from '../../text/amounts.ts'
import { points } from '../render/columns.ts'
import { gridOf, type Grid } from '../render/text-grid.ts'
import { isEstimated, type EstimatedPair, type PairPower, type RunPower } from './run-power.ts'

const nameOf = ({ a, b }: PairPower): string => `${a} vs ${b}`

/** What is looked for, and how. */
export const powerTitle = ({ difference }: RunPower): string =>
  `a difference of ${points(difference)} points, found with a power of ${100 * usualPower} % in one comparison at p <= ${alpha}`

/** Every pair with an estimate: what the run itself could find, and the questions that the difference needs. */
export function pairsGrid({ difference, pairs }: RunPower): Grid {
  const estimated = pairs.filter(isEstimated)
  const clustered = estimated.some(isClustered)
  return gridOf(estimated, [
    { title: 'pair', cell: nameOf },
    { title: 'questions', cell: ({ questions }) => formatCount(questions) },
    clustered && { title: 'clusters', cell: ({ clusters }) => formatCount(clusters) },
    { title: 'difference', cell: (pair) => points(pair.difference) },
    {
      title: 'detects',
      cell: ({ smallestDifference }) => (smallestDifference === null ? 'none' : points(smallestDifference)),
    },
    { title: `power for ${points(difference)}`, cell: ({ power }) => percent(power) },
    {
      title: 'needs questions',
      cell: ({ needed: { questions } }) => (Number.isFinite(questions) ? formatCount(questions) : 'more indexes'),
    },
    clustered && {
      title: 'needs clusters',
      cell: ({ needed: { clusters } }) => (Number.isFinite(clusters) ? formatCount(clusters) : '–'),
    },
  ])
}

/** Sizes of run with which every pair finds the difference. */
export const plansGrid = ({ pairs, plans, judged }: RunPower): Grid =>
  gridOf(
    plans,
    [
      { title: 'questions', cell: ({ questions }) => formatCount(questions) },
      pairs.filter(isEstimated).some(isClustered) && {
        title: 'clusters',
        cell: ({ clusters }) => formatCount(clusters),
      },
      { title: 'repeats', cell: ({ repeats }) => formatCount(repeats) },
      judged && { title: 'judge runs', cell: ({ judgeRuns }) => formatCount(judgeRuns) },
    ],
    0,
  )

/** What stands above the sizes of run. */
export function plansTitle({ pairs, needsMost, difference }: RunPower): string {
  const several = pairs.filter(isEstimated).length > 1
  const whose =
    needsMost && several ? `${needsMost.join(' vs ')} needs most; with these every pair finds` : 'These find'
  return `${whose} ${points(difference)} points.`
}

const isClustered = ({ clusters, questions }: EstimatedPair): boolean => clusters < questions

/** How questions were counted, where the variance is, and what cannot be estimated. */
export function powerNotes(found: RunPower): readonly string[] {
  const { pairs, needsMost } = found
  const estimated = pairs.filter(isEstimated)
  const most = estimated.find(({ a, b }) => a === needsMost?.[0] && b === needsMost[1])
  const unknown = pairs.flatMap(({ reason }) => reason ?? [])
  const notEstimated = [...new Set(unknown)].map((reason) => {
    const those = pairs.filter((pair) => pair.reason === reason)
    return `${namesOf(those, pairs)}: cannot be estimated: ${reason}.`
  })
  if (!most) return notEstimated
  const below = estimated.filter(({ variance }) => variance.between < 0)
  const blind = estimated.filter(({ smallestDifference }) => smallestDifference === null)
  return [
    neededLine(found),
    varianceLine(most),
    ...lineOf(below, pairs, 'repeats alone vary more than questions: the variance between questions is read as 0'),
    ...lineOf(
      blind,
      pairs,
      `with so few ${blind.some(isClustered) ? 'clusters' : 'questions'} no test can reach p = ${alpha}`,
    ),
    ...notEstimated,
    ...luckLines(found, estimated),
    ...notTold(estimated, found.judged),
  ]
}

const namesOf = (those: readonly PairPower[], all: readonly PairPower[]): string =>
  those.length > 3 ? `${those.length} of ${plural(all.length, 'pair')}` : those.map(nameOf).join(', ')

const lineOf = (those: readonly PairPower[], all: readonly PairPower[], what: string): readonly string[] =>
  those.length === 0 ? [] : [`${namesOf(those, all)}: ${what}.`]

function neededLine({ repeats, judgeRuns, judged }: RunPower): string {
  const times = repeats === 1 ? '' : `, each asked ${repeats} times`
  const judgings = judged && judgeRuns > 1 ? `, every answer judged ${judgeRuns} times` : ''
  return `Needed questions, with a score in both rows${times}${judgings}: by Student's t, from the variance of this pilot.`
}

/** The parts of the variance of a question's difference, as far as the run tells them apart. */
function varianceLine(pair: EstimatedPair): string {
  const { repeats, judgeRuns } = pair
  const { between, repeats: ofRepeats, judgeRuns: ofJudge, crossed } = pair.variance
  const parts = present(
    `${Math.max(0, between).toPrecision(3)} between questions${ofRepeats === null ? ' (repeats included)' : ''}`,
    ofRepeats !== null && `${ofRepeats.toPrecision(3)} between repeats`,
    ofJudge !== null && `${ofJudge.toPrecision(3)} between judge runs`,
  )
  const shared = crossed
    ? `; crossed components, below 0 read as 0: index ${Math.max(0, crossed.index).toPrecision(3)}, question × index ${Math.max(0, crossed.questionIndex).toPrecision(3)}, judge run ${Math.max(0, crossed.judge).toPrecision(3)}`
    : ''
  const judged = ofJudge === null ? '' : ` of ${plural(judgeRuns, 'judge run')}`
  return `${nameOf(pair)}: variance of the difference of a question ${parts.join(', ')}; the pilot has ${plural(repeats, 'repeat')}${judged}${shared}.`
}

/** How lucky an index is, and how many indexes a difference takes. */
function luckLines({ difference, repeats }: RunPower, pairs: readonly EstimatedPair[]): readonly string[] {
  const lucky = pairs.flatMap((pair) => (pair.luck ? [{ ...pair.luck, name: nameOf(pair) }] : []))
  const known = lucky.flatMap(({ deviation, needed, ...one }) =>
    deviation === null || needed === null ? [] : [{ ...one, deviation, needed }],
  )
  const most = known.toSorted((x, y) => y.needed - x.needed)[0]
  return present(
    most &&
      `${most.name}: the luck of an index is ${points(most.deviation)} points of the difference (standard deviation, of only ${most.indexes} indexes); ${points(difference)} points take at least ${most.needed} indexes (repeats), however many questions are asked.`,
    lucky.some(({ deviation }) => deviation === null) &&
      `${plural(repeats, 'repeat')} with indexes of their own say too little of the luck of an index: what is needed is for these very indexes; ask every row with repeats: ${fewestIndexes} for more.`,
  )
}

/** What the pilot was too small to tell. */
function notTold(pairs: readonly EstimatedPair[], judged: boolean): readonly string[] {
  const isUnknown = (noise: 'repeats' | 'judgeRuns'): boolean => pairs.some(({ variance }) => variance[noise] === null)
  return present(
    isUnknown('repeats') && 'What repeats would save is not known: ask every row with repeats: 3 for that.',
    judged &&
      isUnknown('judgeRuns') &&
      'What more judge runs would save is not known: judge with judgeRuns: 3 for that.',
  )
}
