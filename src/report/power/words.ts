import { percent } from '../render/percent.ts'
import { counted, inDollars } from '../render/amounts.ts'
import { points } from '../render/difference-columns.ts'
import type { Grid } from '../render/grid.ts'
import { plural } from '../render/plural.ts'
import type { PairPower, RunPower } from './run-power.ts'

type Estimated = Extract<PairPower, { readonly reason: null }>

const isEstimated = (pair: PairPower): pair is Estimated => pair.reason === null

const nameOf = ({ a, b }: PairPower): string => `${a} vs ${b}`

/** What is looked for, and how. */
export function powerTitle({ difference, power, alpha, alternative }: RunPower): string {
  const test = `p <= ${alpha}${alternative === 'two-sided' ? '' : ', one-sided'}`
  return `a difference of ${points(difference)} points, found with a power of ${Number((100 * power).toFixed(1))} % in one comparison at ${test}`
}

/** Every pair of which something can be said: what the run itself could find, and the questions that the difference needs. */
export function pairsGrid({ difference, pairs }: RunPower): Grid {
  const found = pairs.filter(isEstimated)
  const clustered = found.some(isClustered)
  return {
    head: [
      ...['pair', 'questions', ...(clustered ? ['clusters'] : []), 'difference', 'detects'],
      ...[`power for ${points(difference)}`, 'needs questions', ...(clustered ? ['needs clusters'] : [])],
    ],
    rows: found.map((pair) => {
      const { questions, clusters, needed, smallestDifference } = pair
      const texts = [
        ...[nameOf(pair), counted(questions), ...(clustered ? [counted(clusters)] : []), points(pair.difference)],
        smallestDifference === null ? 'none' : points(smallestDifference),
        ...[percent(pair.power), `${counted(needed.questions)} (${counted(needed.low)}–${counted(needed.high)})`],
        ...(clustered ? [counted(needed.clusters)] : []),
      ]
      return texts.map((text) => ({ text }))
    }),
  }
}

/** Sizes of run with which every pair finds the difference, and their costs. */
export function plansGrid({ pairs, plans, judged }: RunPower): Grid {
  const clustered = pairs.filter(isEstimated).some(isClustered)
  const priced = plans.some(({ costs }) => costs.usd !== undefined)
  const partly = plans.some(({ asked, questions }) => asked > questions)
  return {
    labels: 0,
    head: [
      ...['questions', ...(clustered ? ['clusters'] : []), ...(partly ? ['asked'] : []), 'repeats'],
      ...[...(judged ? ['judge runs'] : []), 'calls', 'tokens', ...(priced ? ['usd'] : []), ''],
    ],
    rows: plans.map(({ questions, clusters, asked, repeats, judgeRuns, costs, cheapest }) => {
      const texts = [
        ...[counted(questions), ...(clustered ? [counted(clusters)] : []), ...(partly ? [counted(asked)] : [])],
        ...[counted(repeats), ...(judged ? [counted(judgeRuns)] : []), counted(costs.calls), counted(costs.tokens)],
        ...(priced ? [costs.usd === undefined ? 'not known' : inDollars(costs.usd)] : []),
        cheapest ? 'cheapest' : '',
      ]
      return texts.map((text) => ({ text }))
    }),
  }
}

/** What stands above the sizes of run. */
export function plansTitle({ pairs, rows, needsMost, difference }: RunPower): string {
  const several = pairs.filter(isEstimated).length > 1
  const whose =
    needsMost && several ? `${needsMost.join(' vs ')} needs most; with these every pair finds` : 'These find'
  return `${whose} ${points(difference)} points. Costs are of ${rows.length} rows together.`
}

/** Where the variance is, what cannot be estimated and why, and what the costs leave out. */
export function powerNotes(found: RunPower): readonly string[] {
  const { pairs, plans, repeats, judgeRuns, judged, alpha, metric, asked } = found
  const estimated = pairs.filter(isEstimated)
  const unknown = unknownLines(pairs)
  const [first] = estimated
  if (!first) return unknown
  const most = estimated.find(({ a, b }) => a === found.needsMost?.[0] && b === found.needsMost[1]) ?? first
  const below = estimated.filter(({ variance }) => variance.between < 0)
  const blind = estimated.filter(({ smallestDifference }) => smallestDifference === null)
  const oneRepeat = repeats === 1
  const scoredPart = asked > first.questions
  return [
    'Needed questions: by Student’s t, with the 95 % interval that the variance of so few questions leaves (chi-squared).',
    varianceLine(most, found),
    ...below.map(
      (pair) => `${nameOf(pair)}: repeats alone vary more than questions: the variance between questions is read as 0.`,
    ),
    ...blind.map((pair) => `${nameOf(pair)}: no test can reach p = ${alpha} with ${unitsOf(pair)}.`),
    ...unknown,
    ...(estimated.length > 1
      ? [
          `One comparison: after Holm's correction the first of ${estimated.length} pairs has to reach --alpha ${Number((alpha / estimated.length).toPrecision(2))}.`,
        ]
      : []),
    ...(oneRepeat ? ['Asked once: what repeats would save is not known; ask a pilot with repeats: 3.'] : []),
    ...(judged && judgeRuns === 1
      ? ['Judged once: what more judge runs would save is not known; judge a pilot with judgeRuns: 3.']
      : []),
    ...(scoredPart
      ? [
          `${metric} is scored for ${counted(first.questions)} of ${plural(asked, 'question')} in both rows${estimated.length > 1 ? ' of the first pair' : ''}; the others are asked and paid too.`,
        ]
      : []),
    ...(plans.length > 0
      ? [
          'Calls and tokens are those of the pilot for each index, question, repeat and judge run: calls that rows share count for every row, those of the cache as if made. One corpus is indexed once, several grow in number with the questions.',
        ]
      : []),
  ]
}

/** Why nothing is said of some pairs: a line a reason, with the names of a few. */
function unknownLines(pairs: readonly PairPower[]): readonly string[] {
  const reasons = new Set(pairs.flatMap(({ reason }) => reason ?? []))
  return [...reasons].map((reason) => {
    const those = pairs.filter((pair) => pair.reason === reason)
    const names = those.length > 3 ? `${those.length} of ${plural(pairs.length, 'pair')}` : those.map(nameOf).join(', ')
    return `${names}: cannot be estimated: ${reason}.`
  })
}

/** The parts of the variance of a question's difference, as far as the run tells them apart. */
function varianceLine(pair: Estimated, { repeats, judgeRuns }: RunPower): string {
  const { between, repeats: ofRepeats, judgeRuns: ofJudge } = pair.variance
  const parts = [
    [`between questions${ofRepeats === null ? ' (repeats included)' : ''}`, Math.max(0, between)] as const,
    ...(ofRepeats === null ? [] : [['between repeats', ofRepeats] as const]),
    ...(ofJudge === null ? [] : [['between judge runs', ofJudge] as const]),
  ]
  const shown = parts.map(([name, value]) => `${value.toPrecision(3)} ${name}`).join(', ')
  return `${nameOf(pair)}: variance of the difference of a question ${shown}; the pilot has ${plural(repeats, 'repeat')}${ofJudge === null ? '' : ` of ${plural(judgeRuns, 'judge run')}`}.`
}

const isClustered = ({ clusters, questions }: Estimated): boolean => clusters < questions

const unitsOf = ({ clusters, questions }: Estimated): string =>
  clusters < questions ? `${plural(clusters, 'cluster')} of questions` : plural(questions, 'question')
