import { fewestIndexes } from '../../math/statistics/index-luck.ts'
import { percent, counted, inDollars, plural, present } from '../render/amounts.ts'
import { points } from '../render/columns.ts'
import { textGrid, type Grid } from '../render/grid.ts'
import type { PairPower, RunPower } from './run-power.ts'

/** A pair of which something can be said. */
type Estimated = Extract<PairPower, { readonly reason: null }>

const isEstimated = (pair: PairPower): pair is Estimated => pair.reason === null

const nameOf = ({ a, b }: PairPower): string => `${a} vs ${b}`

/** What is looked for, and how. */
export function powerTitle({ difference, power, alpha, alternative }: RunPower): string {
  const test = `p <= ${alpha}${alternative === 'two-sided' ? '' : ', one-sided'}`
  return `a difference of ${points(difference)} points, found with a power of ${Number((100 * power).toFixed(1))} % in one comparison at ${test}`
}

/** Every pair with an estimate: what the run itself could find, and the questions that the difference needs. */
export function pairsGrid({ difference, pairs }: RunPower): Grid {
  const found = pairs.filter(isEstimated)
  const clustered = found.some(isClustered)
  return textGrid(
    [
      ...present('pair', 'questions', clustered && 'clusters', 'difference', 'detects'),
      ...present(`power for ${points(difference)}`, 'needs questions', clustered && 'needs clusters'),
    ],
    found.map((pair) => {
      const { questions, clusters, needed, smallestDifference } = pair
      return present(
        present(nameOf(pair), counted(questions), clustered && counted(clusters), points(pair.difference)),
        smallestDifference === null ? 'none' : points(smallestDifference),
        [percent(pair.power), neededText(needed)],
        clustered && (Number.isFinite(needed.clusters) ? counted(needed.clusters) : '–'),
      )
    }),
  )
}

/** `120 (80–210)`; where the luck of indexes hides the difference, that more questions do not help. */
function neededText({ questions, low, high }: Estimated['needed']): string {
  if (!Number.isFinite(questions)) return 'more indexes'
  return `${counted(questions)} (${counted(low)}${Number.isFinite(high) ? `–${counted(high)}` : ' or more'})`
}

/** Sizes of run with which every pair finds the difference, and their costs. */
export function plansGrid({ pairs, plans, judged }: RunPower): Grid {
  const clustered = pairs.filter(isEstimated).some(isClustered)
  const priced = plans.some(({ costs }) => costs.usd !== undefined)
  const partly = plans.some(({ asked, questions }) => asked > questions)
  const head = [
    ...present('questions', clustered && 'clusters', partly && 'asked', 'repeats'),
    ...present(judged && 'judge runs', 'calls', 'tokens', priced && 'usd', ''),
  ]
  const rows = plans.map(({ questions, clusters, asked, repeats, judgeRuns, costs, cheapest }) =>
    present(
      present(counted(questions), clustered && counted(clusters), partly && counted(asked)),
      present(counted(repeats), judged && counted(judgeRuns), counted(costs.calls), counted(costs.tokens)),
      priced && (costs.usd === undefined ? 'not known' : inDollars(costs.usd)),
      cheapest ? 'cheapest' : '',
    ),
  )
  return { ...textGrid(head, rows), labels: 0 }
}

/** What stands above the sizes of run. */
export function plansTitle({ pairs, rows, needsMost, difference }: RunPower): string {
  const several = pairs.filter(isEstimated).length > 1
  const whose =
    needsMost && several ? `${needsMost.join(' vs ')} needs most; with these every pair finds` : 'These find'
  return `${whose} ${points(difference)} points. Costs are of ${rows.length} rows together.`
}

const isClustered = ({ clusters, questions }: Estimated): boolean => clusters < questions

/** How questions were counted, where the variance is, what cannot be estimated, and what the costs hold. */
export function powerNotes(found: RunPower): readonly string[] {
  const { pairs, alpha, needsMost } = found
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
    ...familyLine(estimated, alpha),
    ...notTold(estimated, found.judged),
    ...costLines(found, most),
  ]
}

const namesOf = (those: readonly PairPower[], all: readonly PairPower[]): string =>
  those.length > 3 ? `${those.length} of ${plural(all.length, 'pair')}` : those.map(nameOf).join(', ')

const lineOf = (those: readonly PairPower[], all: readonly PairPower[], what: string): readonly string[] =>
  those.length === 0 ? [] : [`${namesOf(those, all)}: ${what}.`]

function neededLine({ repeats, judgeRuns, judged, pairs }: RunPower): string {
  const times = repeats === 1 ? '' : `, each asked ${repeats} times`
  const judgings = judged && judgeRuns > 1 ? `, every answer judged ${judgeRuns} times` : ''
  return `Needed questions${times}${judgings}: by Student's t; in brackets what the variance of so small a pilot leaves open (95 %, bootstrap over ${pairs.filter(isEstimated).some(isClustered) ? 'clusters' : 'questions'}; short where few of them hold most of the variance).`
}

/** The parts of the variance of a question's difference, as far as the run tells them apart. */
function varianceLine(pair: Estimated): string {
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
function luckLines({ difference, repeats }: RunPower, pairs: readonly Estimated[]): readonly string[] {
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

/** What a table corrects for, of which the needs of one comparison know nothing. */
function familyLine(pairs: readonly Estimated[], alpha: number): readonly string[] {
  if (pairs.length < 2) return []
  const strictest = Number((alpha / pairs.length).toPrecision(2))
  const correction = pairs.some(({ luck }) => luck && luck.deviation !== null)
    ? "Holm's correction"
    : "Westfall and Young's max-T"
  return [
    `One comparison: a table that tests all ${pairs.length} pairs corrects for their number by ${correction}, which may ask for as much as --alpha ${strictest}.`,
  ]
}

/** What the pilot was too small to tell. */
function notTold(pairs: readonly Estimated[], judged: boolean): readonly string[] {
  const isUnknown = (noise: 'repeats' | 'judgeRuns'): boolean => pairs.some(({ variance }) => variance[noise] === null)
  return present(
    isUnknown('repeats') && 'What repeats would save is not known: ask every row with repeats: 3 for that.',
    judged &&
      isUnknown('judgeRuns') &&
      'What more judge runs would save is not known: judge with judgeRuns: 3 for that.',
  )
}

function costLines({ metric, asked, plans }: RunPower, { questions }: Estimated): readonly string[] {
  const partly = `${metric} is scored in both rows for ${counted(questions)} of ${plural(asked, 'question')}: the others are asked and paid too.`
  const priced = plans.some(({ costs }) => costs.usd !== undefined)
  return present(
    asked > questions && partly,
    `Costs are those of the pilot for an index, a question, a repeat and a judge run${priced ? '' : ', without dollars where no price is set'}: calls that rows share count for each, those of the cache as if made. One corpus is indexed once; several grow in number with the questions.`,
  )
}
