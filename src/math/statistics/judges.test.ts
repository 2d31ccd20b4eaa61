import { describe, expect, test } from 'vitest'
import { mulberry32 } from '../random.ts'
import { roganGladen } from './judges.ts'
import { clusteredPpiMean, type SampleClusters, ppiMean } from './ppi.ts'
import { mean, variance } from './descriptive.ts'
describe('Rogan and Gladen', () => {
  const judged = { observed: 0.5, n: 100, sensitivity: 0.6, positives: 50, specificity: 0.5, negatives: 50 }

  test('gives no estimate for a nearly uninformative judge', () => {
    expect(roganGladen(judged)).toBeUndefined()
    expect(roganGladen({ ...judged, sensitivity: 0.45 })).toBeUndefined()
    expect(roganGladen({ ...judged, sensitivity: 0.62 })).toBeDefined()
  })

  test('a perfect judge leaves the share unchanged; few labelled items widen the interval', () => {
    const exact = { ...judged, sensitivity: 1, specificity: 1 }
    const [many, few] = [roganGladen(exact), roganGladen({ ...exact, positives: 5, negatives: 5 })]
    expect(many?.estimate).toBe(0.5)
    expect((few?.high ?? 0) - (few?.low ?? 0)).toBeGreaterThan((many?.high ?? 1) - (many?.low ?? 0))
    expect(() => roganGladen({ ...judged, positives: 0 })).toThrow(RangeError)
  })
})

describe('PPI++', () => {
  test('is the mean of the human scores without other items or with a constant judge', () => {
    const human = [1, 0, 1, 1]
    for (const [judge, judgeOfRest] of [
      [[1, 1, 0, 1], []],
      [
        [1, 1, 1, 1],
        [1, 1, 1],
      ],
    ] as const)
      expect(ppiMean({ human, judge, judgeOfRest })).toMatchObject({ lambda: 0, estimate: 0.75 })
    const ofSample = [0, 1, 2, 3]
    expect(clusteredPpiMean({ human, judge: [1, 1, 0, 1], judgeOfRest: [] }, { ofSample, ofRest: [] })).toMatchObject({
      estimate: 0.75,
      error: Math.sqrt(variance(human)) / 2,
    })
  })

  test('agrees with the asymptotic estimate on many independent items', () => {
    const { human, judge, judgeOfRest } = draw(mulberry32(3), { size: 20_000, labelled: 5000, perCluster: 1 }).sample
    const all = Array.from({ length: 20_000 }, (_, i) => i)
    const clusters = { ofSample: all.slice(0, 5000), ofRest: all.slice(5000) }
    const [plain, clustered] = [
      ppiMean({ human, judge, judgeOfRest }),
      clusteredPpiMean({ human, judge, judgeOfRest }, clusters),
    ]
    expect(clustered.estimate).toBeCloseTo(plain.estimate, 4)
    expect(Math.abs(clustered.error / plain.error - 1)).toBeLessThan(1e-3)
  })
})

/** The share of questions that a person accepts; half of the clusters are easy, half hard. */
const truth = 0.6

interface Simulated {
  readonly size: number
  readonly labelled: number
  readonly perCluster: number
}

/** A judge that accepts 95 % of what a person accepts, and 50 % of what a person does not. */
function draw(random: () => number, { size, labelled, perCluster }: Simulated) {
  const clusters = Array.from({ length: size / perCluster }, () => (random() < 0.5 ? 0.9 : 0.3))
  const items = Array.from({ length: size }, (_, i) => {
    const cluster = i % clusters.length
    const human = random() < clusters[cluster]! ? 1 : 0
    return { cluster, human, judge: random() < (human === 1 ? 0.95 : 0.5) ? 1 : 0, order: random() }
  }).sort((a, b) => a.order - b.order)
  const [known, rest] = [items.slice(0, labelled), items.slice(labelled)]
  const sample = {
    human: known.map(({ human }) => human),
    judge: known.map(({ judge }) => judge),
    judgeOfRest: rest.map(({ judge }) => judge),
  }
  const clustersOf = (of: typeof items): number[] => of.map(({ cluster }) => cluster)
  return { sample, clusters: { ofSample: clustersOf(known), ofRest: clustersOf(rest) } satisfies SampleClusters }
}

// limits are four standard errors of a simulation of so many draws
const draws = 600

test.each([
  ['independent questions', { size: 300, labelled: 60, perCluster: 1 }],
  ['few labels', { size: 200, labelled: 20, perCluster: 1 }],
  ['questions in clusters of ten', { size: 300, labelled: 60, perCluster: 10 }],
])('%s: the mean is unbiased although the judge is not, and its interval has the nominal coverage', (_, simulated) => {
  const random = mulberry32(7)
  const found = Array.from({ length: draws }, () => {
    const { sample, clusters } = draw(random, simulated)
    return { ...clusteredPpiMean(sample, clusters), judged: mean([...sample.judge, ...sample.judgeOfRest]) }
  })
  const estimates = found.map(({ estimate }) => estimate)
  const slack = (4 * Math.sqrt(variance(estimates))) / Math.sqrt(draws)
  expect(Math.abs(mean(estimates) - truth)).toBeLessThan(slack)
  expect(mean(found.map(({ judged }) => judged)) - truth).toBeGreaterThan(0.15)
  const covered = found.filter(({ low, high }) => low <= truth && truth <= high).length / draws
  expect(Math.abs(covered - 0.95)).toBeLessThan(4 * Math.sqrt((0.95 * 0.05) / draws))
})
