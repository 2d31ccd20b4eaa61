import { grouped } from '../clustered.ts'
import { weights, type CorrectedMean, type JudgedSample } from './ppi-mean.ts'
import { studentBound } from '../student.ts'
import { mean, sum } from '../sum.ts'

/** The clusters of the items of a sample, in the same order. */
export interface SampleClusters {
  readonly ofSample: Clusters
  readonly ofRest: Clusters
}

type Clusters = readonly (string | number)[]

/**
 * `ppiMean` for few items, or items in clusters, where it is biased and its interval too short (our reading; the paper is asymptotic). λ of an
 * item is found without the item's cluster, so that no item weighs itself, and is stated as its mean; variances are those of samples; the
 * error is the cluster-robust one where that is larger; the interval is by Student's t with as many degrees of freedom as the sample has
 * clusters, less one. The error adds up, by cluster, what every item contributes: λ(f - mean f_u)/N of the rest and (Y - λ(f - mean f_u) - θ)/n
 * of the sample, each part scaled by √(G/(G - 1)) for its G clusters. A rest of one cluster is not used. Error and interval of a sample of one
 * cluster are NaN. Throws RangeError as `ppiMean` does.
 */
export function clusteredPpiMean(
  sample: JudgedSample,
  { ofSample, ofRest }: SampleClusters,
  level = 0.95,
): CorrectedMean {
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
  const count = items.length
  if (count > 1) for (const cluster of items) for (const i of cluster) lambdas[i] = without(cluster)
  const centre = used ? mean(rest) : 0
  const corrected = sample.human.map((one, i) => one - lambdas[i]! * (sample.judge[i]! - centre))
  const [lambda, estimate] = [mean(lambdas), mean(corrected)]
  const weighted = rest.map((one) => lambda * one)
  const errorBy = (clusters: Clusters, others: Clusters): number => {
    const parts = [...contributions(corrected, clusters), ...contributions(weighted, others)]
    return Math.sqrt(sum([...grouped(parts, [...clusters, ...others]).values()].map((group) => sum(group) ** 2)))
  }
  const alone = Array.from({ length: corrected.length + weighted.length }, (_, i) => i)
  const independent = errorBy(alone.slice(0, corrected.length), alone.slice(corrected.length))
  const error = count > 1 ? Math.max(errorBy(ofSample, clustersOfRest), independent) : NaN
  const reach = count > 1 ? studentBound(level, count - 1) * error : NaN
  return { lambda, estimate, error, low: estimate - reach, high: estimate + reach }
}

/** What each value adds to the deviation of their mean. */
function contributions(values: readonly number[], clusters: Clusters): number[] {
  const count = new Set(clusters).size
  const scale = Math.sqrt(count / (count - 1)) / values.length
  const centre = mean(values)
  return values.map((value) => scale * (value - centre))
}
