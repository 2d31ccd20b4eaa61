import { itemAt } from '../../basics/collections.ts'
import { cr2Mean, knownError } from '../../math/statistics/cr2.ts'
import { mean } from '../../math/statistics/descriptive.ts'
import { normalBound } from '../../math/statistics/distributions.ts'
import { wilson } from '../../math/statistics/proportions.ts'
import type { BenchMeasure } from '../../records.ts'
import { correlation, kappaOf } from './agreement.ts'

/** What people and the judge say of one answer or claim. */
export interface BenchedAnswer {
  readonly cluster: string
  readonly human: number
  readonly judge: number
}

/**
 * Above 0 the second answer is better, below 0 the first. `places`: which place won in either order, where the judge
 * saw both. `longer`: 1 where the second is, -1 the first.
 */
export interface BenchedPair extends BenchedAnswer {
  readonly humans: readonly number[]
  readonly places?: readonly (0 | 1 | 2)[]
  readonly longer: -1 | 0 | 1
}

/** Measures of a judge on single answers or claims; `threshold`: from which score on one counts as right. */
export function answerMeasures(
  items: readonly BenchedAnswer[],
  threshold: number | undefined,
): readonly BenchMeasure[] {
  const clusters = clustersOf(items)
  const apart = items.map(({ judge, human }) => judge - human)
  const graded = [meanMeasure('difference', apart, clusters), correlationMeasure(items)]
  return threshold === undefined
    ? graded
    : [...verdictMeasures(items, (score) => Number(score >= threshold), 1, 0), ...graded]
}

/** Measures of a judge on pairs of answers. A preference of people is the mean of the annotators. */
export function pairMeasures(items: readonly BenchedPair[]): readonly BenchMeasure[] {
  const both = items.flatMap(({ humans: [a, b], cluster }) =>
    a === undefined || b === undefined ? [] : [{ cluster, same: Math.sign(a) === Math.sign(b) }],
  )
  const shown = items.flatMap(({ places, cluster }) => (places ? [{ places, cluster }] : []))
  const unequal = items.filter(({ longer }) => longer !== 0)
  // 1 where the longer answer is preferred, one half where none is
  const forLonger = (by: 'judge' | 'human') => unequal.map((one) => (Math.sign(one[by]) * one.longer + 1) / 2)
  const [judge, people] = [forLonger('judge'), forLonger('human')]
  const ofUnequal = clustersOf(unequal)
  const agreed = both.map(({ same }) => same)
  const bias = judge.map((one, i) => one - itemAt(people, i))
  return [
    ...verdictMeasures(items, Math.sign, 1, -1),
    correlationMeasure(items),
    ...(both.length === 0 ? [] : [shareMeasure('annotators', agreed, clustersOf(both))]),
    ...positionMeasures(shown),
    meanMeasure('longerByJudge', judge, ofUnequal, [0, 1]),
    meanMeasure('longerByPeople', people, ofUnequal, [0, 1]),
    meanMeasure('lengthBias', bias, ofUnequal, [-1, 1]),
  ]
}

const clustersOf = (items: readonly { readonly cluster: string }[]): readonly string[] =>
  items.map(({ cluster }) => cluster)

/** Same place twice: the share of pairs; and the mean of first places less second ones, of the two orders of a pair. */
function positionMeasures(
  shown: readonly { readonly places: readonly (0 | 1 | 2)[]; readonly cluster: string }[],
): readonly BenchMeasure[] {
  if (shown.length === 0) return []
  const clusters = clustersOf(shown)
  const flips = shown.map(({ places: [a, b] }) => a !== 0 && a === b)
  const lean = (place: 0 | 1 | 2): number => (place === 1 ? 1 : place === 2 ? -1 : 0)
  const leans = shown.map(({ places }) => mean(places.map(lean)))
  return [shareMeasure('flips', flips, clusters), meanMeasure('positionBias', leans, clusters, [-1, 1])]
}

/** Agreement on verdicts; sensitivity is of what people call `yes`, specificity of what they call `no`. */
function verdictMeasures(
  items: readonly BenchedAnswer[],
  verdictOf: (score: number) => number,
  yes: number,
  no: number,
): readonly BenchMeasure[] {
  const said = items.map(({ cluster, ...one }) => ({
    ...{ cluster, human: verdictOf(one.human), judge: verdictOf(one.judge) },
  }))
  const same = (name: string, of: typeof said): BenchMeasure => {
    const hits = of.map(({ human, judge }) => human === judge)
    return shareMeasure(name, hits, clustersOf(of))
  }
  const of = (verdict: number) => said.filter(({ human }) => human === verdict)
  const [judge, human] = [said.map((one) => one.judge), said.map((one) => one.human)]
  const kappa = said.length === 0 ? null : kappaOf(judge, human)
  const { value, low, high } = kappa ?? { value: null, low: null, high: null }
  return [
    same('agreement', said),
    { measure: 'kappa', value, low, high, n: said.length },
    same('sensitivity', of(yes)),
    same('specificity', of(no)),
  ]
}

/** A share with Wilson's interval, or, where items share clusters, with that of their mean. */
function shareMeasure(measure: string, hits: readonly boolean[], clusters: readonly string[]): BenchMeasure {
  const n = hits.length
  const count = hits.filter(Boolean).length
  if (n > 0 && new Set(clusters).size === n) return { measure, value: count / n, ...wilson(count, n), n }
  return meanMeasure(measure, hits.map(Number), clusters, [0, 1])
}

/** A mean with its interval by Student's t over clusters (CR2), which is cut to the range of the values. */
function meanMeasure(
  measure: string,
  values: readonly number[],
  clusters: readonly string[],
  [least, greatest]: readonly [number, number] = [-Infinity, Infinity],
): BenchMeasure {
  if (values.length === 0) return { measure, value: null, low: null, high: null, n: 0 }
  const found = cr2Mean(values, clusters)
  const { low, high } = knownError(found)
  const within = (end: number | null): number | null => (end === null ? null : Math.min(greatest, Math.max(least, end)))
  return { measure, value: found.mean, low: within(low), high: within(high), n: values.length }
}

/** Pearson's correlation with Fisher's interval, which takes items as independent. */
function correlationMeasure(items: readonly BenchedAnswer[]): BenchMeasure {
  const n = items.length
  const [judge, human] = [items.map((one) => one.judge), items.map((one) => one.human)]
  const value = n === 0 ? null : correlation(judge, human)
  const reach = n > 3 ? normalBound(0.95) / Math.sqrt(n - 3) : NaN
  const end = (sign: 1 | -1): number | null => {
    const at = value === null ? NaN : Math.tanh(Math.atanh(value) + sign * reach)
    return Number.isFinite(at) && Math.abs(at) < 1 ? at : null
  }
  return { measure: 'correlation', value, low: end(-1), high: end(1), n }
}
