import { normalCritical } from './distributions.ts'
import { mean, sum, variance } from './descriptive.ts'
import { around, cr2Mean, groupByCluster } from './cr2.ts'

/** Human and judge scores of a random sample of items, and judge scores of all other items. */
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
 * n/N)·var(f, f_u)), clipped to [0, 1]; var = λ²·var(f_u)/N + var(Y - λf)/n, denominators N and n, but n + N - 1 for
 * the pooled variance; normal interval. Assumes independent items. Without other items, or with a constant judge, it is
 * the mean of the human scores. Throws RangeError for lists of different lengths or none.
 */
export function ppiMean(sample: JudgedSample, level = 0.95): CorrectedMean {
  const { human, judge, judgeOfRest } = sample
  const lambda = weights(sample).ofAll
  const residuals = human.map((score, i) => score - lambda * judge[i]!)
  const ofRest = lambda === 0 ? 0 : lambda * mean(judgeOfRest)
  const varianceOfRest = lambda === 0 ? 0 : (lambda ** 2 * variance(judgeOfRest, 0)) / judgeOfRest.length
  const estimate = ofRest + mean(residuals)
  const error = Math.sqrt(varianceOfRest + variance(residuals, 0) / residuals.length)
  const reach = normalCritical(level) * error
  return { lambda, estimate, error, low: estimate - reach, high: estimate + reach }
}

/** λ of a sample, and with some of its items left out. */
interface Weights {
  readonly ofAll: number
  readonly without: (items: readonly number[]) => number
}

/** Sums are relative to the first values, so that a constant judge has variance 0. */
function weights({ human, judge, judgeOfRest }: JudgedSample): Weights {
  if (human.length !== judge.length || human.length === 0)
    throw new RangeError('a human score and a judge score of every item of the sample, and an item')
  const y = human.map((value) => value - human[0]!)
  const f = judge.map((value) => value - judge[0]!)
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
    const squareOfSum = (ofJudge + ofRest.f) ** 2
    const spread = (all.ff - less.ff + ofRest.ff - squareOfSum / total) / (total - 1)
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
 * is asymptotic). λ is cross-fitted without the item's cluster and reported as its mean. The error is CR2: it sums, by
 * cluster, the contributions of the items, λ(f - mean f_u)/N of the rest and (Y - λ(f - mean f_u) - θ)/n of the sample,
 * each scaled by 1/√(1 - h_g) for the cluster's share h_g. Interval by Student's t with the smaller degrees of freedom
 * (Bell and McCaffrey) of the two. A rest of one cluster is not used. Error and interval of a sample of one cluster are
 * NaN. Throws RangeError as `ppiMean` does.
 */
export function clusteredPpiMean(
  sample: JudgedSample,
  { ofSample, ofRest }: SampleClusters,
  level = 0.95,
): ClusteredCorrectedMean {
  const hasRest = new Set(ofRest).size > 1
  const [rest, clustersOfRest] = hasRest ? [sample.judgeOfRest, ofRest] : [[], []]
  const { ofAll, without } = weights({ ...sample, judgeOfRest: rest })
  const indices = sample.human.map((_, i) => i)
  const items = [...groupByCluster(indices, ofSample).values()]
  const lambdas = new Float64Array(sample.human.length).fill(ofAll)
  if (items.length > 1) {
    for (const cluster of items) for (const i of cluster) lambdas[i] = without(cluster)
  }
  const centre = hasRest ? mean(rest) : 0
  const correctedScores = sample.human.map((score, i) => {
    const deviation = sample.judge[i]! - centre
    return score - lambdas[i]! * deviation
  })
  const lambda = mean(lambdas)
  const weightedRest = rest.map((score) => lambda * score)
  const sampleMean = cr2Mean(correctedScores, ofSample, level)
  const partsOfSample = contributions(correctedScores, ofSample)
  const parts = [...partsOfSample, ...contributions(weightedRest, clustersOfRest)]
  const partsByCluster = groupByCluster(parts, [...ofSample, ...clustersOfRest])
  const sums = [...partsByCluster.values()].map((group) => sum(group))
  const error = items.length > 1 ? Math.sqrt(sum(sums.map((total) => total ** 2))) : NaN
  const usesRest = hasRest && lambda > 0
  const degreesOfRest = usesRest ? cr2Mean(weightedRest, clustersOfRest).degrees : Infinity
  const degrees = Math.min(sampleMean.degrees, degreesOfRest)
  const estimate = sampleMean.mean
  return { lambda, estimate, error, degrees, ...around(estimate, { error, degrees }, level) }
}

/** Contributions of the values to the error of their mean, scaled as in CR2. */
function contributions(values: readonly number[], clusters: Clusters): number[] {
  const n = values.length
  const centre = mean(values)
  const valuesByCluster = groupByCluster(values, clusters)
  return values.map((value, i) => {
    const share = valuesByCluster.get(clusters[i]!)!.length / n
    return (value - centre) / n / Math.sqrt(1 - share)
  })
}
