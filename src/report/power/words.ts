import { percent } from '../render/percent.ts'
import { counted, inDollars } from '../render/amounts.ts'
import { points } from '../render/difference-columns.ts'
import type { Grid } from '../render/grid.ts'
import type { PairPower, RunPower } from './run-power.ts'

/** A pair of which something can be said. */
export type Estimated = Extract<PairPower, { readonly reason: null }>

export const isEstimated = (pair: PairPower): pair is Estimated => pair.reason === null

/** `a vs b`. */
export const nameOf = ({ a, b }: PairPower): string => `${a} vs ${b}`

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

/** Whether questions share texts. */
export const isClustered = ({ clusters, questions }: Estimated): boolean => clusters < questions
