import { normalBound } from './distributions.ts'
import { mean, sum, variance } from './descriptive.ts'
import { around, cr2Mean, grouped } from './cr2.ts'

/** Human scores of a random sample of the items, the judge's of the same items, and the judge's of all other items. */
interface JudgedSample {
  readonly human: readonly number[]
  readonly judge: readonly number[]
  readonly judgeOfRest: readonly number[]
}

/** A mean of human scores, estimated with the help of a judge. `lambda`, from 0 to 1, is the weight of the judge. */
interface CorrectedMean {
  readonly lambda: number
  readonly estimate: number
  readonly error: number
  readonly low: number
  readonly high: number
}

/**
 * PPI++ (Angelopoulos et al., arXiv 2311.01453) for a mean: θ = λ·mean(f_u) + mean(Y - λf) with λ = cov(Y, f) / ((1 +
 * n/N)·var(f, f_u)), cut to 0 and 1; var = λ²·var(f_u)/N + var(Y - λf)/n, denominators N and n, but n + N - 1 for the
 * pooled variance; normal interval. Items are taken as independent. Without a rest, or with a judge that always says
 * the same, it is the mean of the human scores. Throws RangeError for lists of different lengths or none.
 */
export function ppiMean(sample: JudgedSample, level = 0.95): CorrectedMean {
  const { human, judge, judgeOfRest } = sample
  const lambda = weights(sample).ofAll
  const residuals = human.map((one, i) => one - lambda * judge[i]!)
  const ofRest = lambda === 0 ? 0 : lambda * mean(judgeOfRest)
  const varianceOfRest = lambda === 0 ? 0 : (lambda ** 2 * variance(judgeOfRest, 0)) / judgeOfRest.length
  const estimate = ofRest + mean(residuals)
  const error = Math.sqrt(varianceOfRest + variance(residuals, 0) / residuals.length)
  const reach = normalBound(level) * error
  return { lambda, estimate, error, low: estimate - reach, high: estimate + reach }
}

/** λ of a sample, and what it would be without some of its items. */
interface Weights {
  readonly ofAll: number
  readonly without: (items: readonly number[]) => number
}

/** Sums are taken from the first values, so that a judge that always says the same has no variance by rounding. */
function weights({ human, judge, judgeOfRest }: JudgedSample): Weights {
  if (human.length !== judge.length || human.length === 0)
    throw new RangeError('a human score and a judge score of every item of the sample, and an item')
  const [y, f] = [human, judge].map((values) => values.map((value) => value - values[0]!)) as [number[], number[]]
  const rest = judgeOfRest.map((value) => value - judge[0]!)
  const ofRest = { f: sum(rest), ff: sum(rest.map((value) => value ** 2)) }
  const sumsOf = (items: readonly number[]) => ({
    n: items.length,
    y: sum(items.map((i) => y[i]!)),
    f: sum(items.map((i) => f[i]!)),
    yf: sum(items.map((i) => y[i]! * f[i]!)),
    ff: sum(items.map((i) => f[i]! ** 2)),
  })
  const all = sumsOf(human.map((_, i) => i))
  const weight = (less: ReturnType<typeof sumsOf>): number => {
    const n = all.n - less.n
    const total = n + rest.length
    const ofJudge = all.f - less.f
    const covariance = (all.yf - less.yf - ((all.y - less.y) * ofJudge) / n) / n
    const spread = (all.ff - less.ff + ofRest.ff - (ofJudge + ofRest.f) ** 2 / total) / (total - 1)
    if (rest.length === 0 || !(spread > 0)) return 0
    return Math.min(1, Math.max(0, covariance / ((1 + n / rest.length) * spread)))
  }
  return { ofAll: weight(sumsOf([])), without: (items) => weight(sumsOf(items)) }
}

/** The clusters of the items of a sample, in the same order. */
export interface SampleClusters {
  readonly ofSample: Clusters
  readonly ofRest: Clusters
}

type Clusters = readonly (string | number)[]

/** `degrees`: degrees of freedom of the error. */
export interface ClusteredCorrectedMean extends CorrectedMean {
  readonly degrees: number
}

/**
 * `ppiMean` for few items, or items in clusters, where it is biased and its interval too short (our reading; the paper
 * is asymptotic). λ of an item is found without the item's cluster, so that no item weighs itself, and is stated as its
 * mean. The error is CR2: it adds up, by cluster, what every item contributes, λ(f - mean f_u)/N of the rest and (Y -
 * λ(f - mean f_u) - θ)/n of the sample, each part widened by 1/√(1 - h_g) for its cluster's share h_g of that part.
 * Where no cluster is in both parts it is the sum of their CR2 variances. Interval by Student's t with the smaller
 * degrees of freedom (Bell and McCaffrey) of the two. A rest of one cluster is not used. Error and interval of a sample
 * of one cluster are NaN. Throws RangeError as `ppiMean` does.
 */
export function clusteredPpiMean(
  sample: JudgedSample,
  { ofSample, ofRest }: SampleClusters,
  level = 0.95,
): ClusteredCorrectedMean {
  const used = new Set(ofRest).size > 1
  const [rest, clustersOfRest] = used ? [sample.judgeOfRest, ofRest] : [[], []]
  const { ofAll, without } = weights({ ...sample, judgeOfRest: rest })
  const items = [
    ...grouped(
      sample.human.map((_, i) => i),
      ofSample,
    ).values(),
  ]
  const lambdas = new Float64Array(sample.human.length).fill(ofAll)
  if (items.length > 1) for (const cluster of items) for (const i of cluster) lambdas[i] = without(cluster)
  const centre = used ? mean(rest) : 0
  const corrected = sample.human.map((one, i) => one - lambdas[i]! * (sample.judge[i]! - centre))
  const lambda = mean(lambdas)
  const weighted = rest.map((one) => lambda * one)
  const ofCorrected = cr2Mean(corrected, ofSample, level)
  const parts = [...contributions(corrected, ofSample), ...contributions(weighted, clustersOfRest)]
  const sums = [...grouped(parts, [...ofSample, ...clustersOfRest]).values()].map((group) => sum(group))
  const error = items.length > 1 ? Math.sqrt(sum(sums.map((one) => one ** 2))) : NaN
  const degreesOfRest = used && lambda > 0 ? cr2Mean(weighted, clustersOfRest).degrees : Infinity
  const degrees = Math.min(ofCorrected.degrees, degreesOfRest)
  const estimate = ofCorrected.mean
  return { lambda, estimate, error, degrees, ...around(estimate, { error, degrees }, level) }
}

/** What each value adds to the deviation of their mean, as CR2 widens it. */
function contributions(values: readonly number[], clusters: Clusters): number[] {
  const n = values.length
  const centre = mean(values)
  const sizes = new Map(Array.from(grouped(values, clusters), ([cluster, { length }]) => [cluster, length]))
  return values.map((value, i) => (value - centre) / n / Math.sqrt(1 - sizes.get(clusters[i]!)! / n))
}
