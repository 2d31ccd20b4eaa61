import { mulberry32 } from '../random.ts'
import { bisect } from '../statistics/distributions.ts'
import { cr2Difference, cr2Mean, tost, type Cr2Mean } from '../statistics/cr2.ts'
import { cohenKappa, krippendorffAlpha, roganGladen } from '../statistics/judges.ts'
import { type Alternative, differences, percentile, mean, sum } from '../statistics/descriptive.ts'
import { averageRanks } from '../statistics/average-ranks.ts'
import { holm } from '../statistics/corrections.ts'
import { betweenIndexVariance } from '../statistics/index-luck.ts'
import { mannWhitney, type MannWhitneyOptions } from '../statistics/rank-tests.ts'
import { maxT } from '../statistics/max-t.ts'
import { mcnemar } from '../statistics/paired-tests.ts'
import { newcombePaired, wilson } from '../statistics/proportions.ts'
import { ppiMean } from '../statistics/ppi.ts'
import { errorsToDetect, pairedTPower, noiseAt } from '../statistics/power.ts'
import { crossedComponents } from '../statistics/variance-components.ts'
import { clusterSignFlips } from '../statistics/sign-flips.ts'
import { attempt, notOurs, replayGolden } from '../../test-support/golden.ts'

/** Tests, intervals, the generator behind them, and the numbers that printed percentages allow. */
replayGolden({
  'stats.mannwhitneyu': ({ x, y }: Pair) => mannWhitneyOf(numbers(x), numbers(y)),
  'stats.percentile_linear': ({ values, q }: { values: Values; q: Values }) => ({
    result: numbers(q).map((one) => percentile(numbers(values), one)),
  }),
  'stats.cr2_mean': ({ values, clusters }: { values: Values; clusters: Clusters }) =>
    cr2Of(cr2Mean(numbers(values), clusters)),
  'stats.cr2_paired': ({ x, y, clusters }: Pair & { clusters: Clusters }) => {
    const { t, p, ...found } = cr2Difference(numbers(x), numbers(y), clusters)
    return { ...cr2Of(found), t, p }
  },
  'stats.tost_cr2': ({ x, y, clusters, margin }: Pair & { clusters: Clusters; margin: number }) => {
    const found = cr2Difference(numbers(x), numbers(y), clusters)
    const { low, high, ...tested } = tost(found, margin)
    return { ...cr2Of(found), ...tested, t_ci90: [low, high] }
  },
  'stats.cluster_sign_flip_exact': signFlips,
  'stats.max_t_step_down': maxTOf,
  'stats.wilson': ({ successes, n, level }: Record<'successes' | 'n' | 'level', number>) => wilson(successes, n, level),
  'stats.power_paired_t': ({ n, effect, alpha }: Record<'n' | 'effect' | 'alpha', number>) => ({
    power: pairedTPower(n, effect, alpha),
    n_for_80: 2 + bisect((more) => pairedTPower(2 + more, effect, alpha) < 0.8),
    effect_for_80: bisect((one) => pairedTPower(n, one, alpha) < 0.8),
  }),
  'stats.power_runs': powerOfRuns,
  'stats.mcnemar': mcnemarOf,
  'stats.mcnemar_midp': ({ b, c }: { b: number; c: number }) => {
    const { p, midP } = mcnemar(b, c)
    return { exact: p, midp: midP }
  },
  'stats.newcombe_paired': ({ both, only_x: onlyX, only_y: onlyY, neither }: FourCounts) =>
    newcombePaired({ bothYes: both, onlyX, onlyY, neither }),
  'stats.tost_paired': ({ x, y, margin }: Pair & { margin: number }) => {
    return tost(cr2Difference(numbers(x), numbers(y), [...x.keys()]), margin)
  },
  'stats.multiple_testing': ({ pvalues, alpha }: { pvalues: Values; alpha: number }) => ({
    holm: rejected(holm(numbers(pvalues)), alpha),
    bonferroni: notOurs,
    fdr_bh: notOurs,
  }),
  'stats.average_ranks': averageRanksOf,
  'stats.variance_components_crossed': ({ scores }: { scores: SeveralScores }) => {
    const { mean: centre, meanSquares, components, varianceOfMean } = crossedComponents(scores)
    const luck = Math.max(0, components.index) / scores[0]!.length
    const ofBoth = Math.max(0, components.indexJudge) / (scores[0]!.length * scores[0]![0]!.length)
    return {
      mean: centre,
      mean_squares: inWords(meanSquares),
      components: inWords(components),
      variance_of_mean: varianceOfMean,
      se_indexes_random: Math.sqrt(varianceOfMean),
      se_indexes_fixed: Math.sqrt(varianceOfMean - luck - ofBoth),
      variance_of_mean_unbiased: notOurs,
    }
  },
  'stats.variance_components_nested': nestedOf,
  'stats.agreement': ({ a, b }: Record<'a' | 'b', Values>) => {
    const { kappa, error } = cohenKappa(numbers(a), numbers(b))
    return { kappa, kappa_se: error, krippendorff_alpha: krippendorffAlpha(numbers(a), numbers(b)) }
  },
  'stats.rogan_gladen': ({ n_positive, n_negative, ...shares }: Shares) =>
    roganGladen({ ...shares, positives: n_positive, negatives: n_negative }),
  'stats.ppi_mean': ({ human, judge_on_human, judge_on_rest }: Sample) => {
    const judgeOfRest = numbers(judge_on_rest)
    const { error, ...found } = ppiMean({ human: numbers(human), judge: numbers(judge_on_human), judgeOfRest })
    return { ...found, se: error, human_only: mean(numbers(human)), judge_only: mean(judgeOfRest) }
  },
  'rng.mulberry32': ({ seed, count }: { seed: number; count: number }) => {
    const random = mulberry32(seed)
    return { values: Array.from({ length: count }, () => random()) }
  },
})

/** Numbers, or the texts that stand for what JSON lacks. */
type Values = readonly (number | string | null)[]

const numbers = (values: Values): number[] => values.map((value) => (value === null ? NaN : Number(value)))

interface Pair {
  readonly x: Values
  readonly y: Values
}

type Clusters = readonly (string | number)[]

type FourCounts = Readonly<Record<'both' | 'only_x' | 'only_y' | 'neither', number>>

type Shares = Record<'observed' | 'sensitivity' | 'specificity' | 'n' | 'n_positive' | 'n_negative', number>

type Sample = Record<'human' | 'judge_on_human' | 'judge_on_rest', Values>

const alternatives = ['greater', 'less', 'two-sided'] as const

const byAlternative = <T>(make: (alternative: Alternative) => T) =>
  Object.fromEntries(alternatives.map((alternative) => [alternative, attempt(() => make(alternative))]))

function mannWhitneyOf(x: readonly number[], y: readonly number[]) {
  const p = (options: MannWhitneyOptions) =>
    byAlternative((alternative) => mannWhitney(x, y, { ...options, alternative }).p)
  const { u1, u2 } = mannWhitney(x, y)
  return {
    U1: u1,
    U2: u2,
    auto: p({}),
    asymptotic_cc: p({ method: 'asymptotic' }),
    asymptotic_nocc: p({ method: 'asymptotic', continuity: false }),
    exact: p({ method: 'exact' }),
    common_language_effect: notOurs,
    rank_biserial: notOurs,
  }
}

function averageRanksOf({ scores }: { scores: Readonly<Record<string, Readonly<Record<string, number>>>> }) {
  const names = Object.keys(Object.values(scores)[0] ?? {})
  const found = averageRanks(Object.values(scores).map((own) => names.map((name) => own[name] ?? NaN)))
  return {
    average_ranks: Object.fromEntries(names.map((name, row) => [name, found.ranks[row]])),
    chi_squared: found.chiSquared,
    p: found.p,
    iman_davenport_f: found.f,
    iman_davenport_p: found.fP,
    critical_difference: found.criticalDifference,
    pairs: found.pairs.map(({ first, second, z, p, pHolm, pNemenyi }) => ({
      x: names[first],
      y: names[second],
      z,
      p,
      p_holm: pHolm,
      p_nemenyi: pNemenyi,
    })),
  }
}

function maxTOf({ rows, clusters }: { rows: Readonly<Record<string, Values>>; clusters: Clusters }) {
  const names = Object.keys(rows)
  const ids = [...new Set(clusters)]
  const totals = names.map((name) => {
    const sums = new Float64Array(ids.length)
    numbers(rows[name]!).forEach((value, i) => (sums[ids.indexOf(clusters[i]!)]! += value))
    return sums
  })
  const pairs = names.flatMap((_, a) => names.slice(a + 1).map((_other, i) => ({ a, b: a + 1 + i })))
  const found = maxT(
    ids.length,
    totals,
    pairs.map((sums) => ({ sums, clusters: ids.length })),
    { alpha: 0.05, seed: 42 },
  )
  return {
    n_permutations: found.permutations,
    pairs: found.pairs.map(({ statistic, p, pAdjusted }, i) => ({
      x: names[pairs[i]!.a],
      y: names[pairs[i]!.b],
      statistic,
      p,
      p_adjusted: pAdjusted,
      mean_difference: differenceOfMeans(rows[names[pairs[i]!.a]!]!, rows[names[pairs[i]!.b]!]!),
    })),
  }
}

const differenceOfMeans = (x: Values, y: Values): number => mean(differences(numbers(x), numbers(y)))

const cr2Of = ({ n, clusters, mean, error, degrees, low, high }: Cr2Mean) => ({
  n,
  clusters,
  mean,
  se_cr2: error,
  df: degrees,
  t_ci95: [low, high],
})

function signFlips({ x, y, clusters }: Pair & { clusters: Clusters }) {
  const of = (alternative: Alternative) => clusterSignFlips(numbers(x), numbers(y), clusters, { alternative })
  const { p: two_sided, permutations: n_permutations, smallestP: smallest_p } = of('two-sided')
  return { two_sided, greater: of('greater').p, less: of('less').p, n_permutations, smallest_p }
}

/** By question, index and judge run. */
type SeveralScores = readonly (readonly (readonly number[])[])[]

const inWords = (of: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(of).map(([part, value]) => [part.replace(/[A-Z]/, (upper) => `_${upper.toLowerCase()}`), value]),
  )

/** Judge runs of an answer are its own: the error is that of their means. From two indexes nothing is concluded. */
function nestedOf({ scores }: { scores: SeveralScores }) {
  const questions = scores.map((indexes, cluster) => ({
    cluster,
    values: new Map(indexes.map((runs, index) => [index, mean(runs)])),
  }))
  const found = cr2Mean(
    questions.map(({ values }) => mean([...values.values()])),
    questions.map(({ cluster }) => cluster),
  )
  const { indexes, variance, error } = betweenIndexVariance(found, questions)
  if (indexes < 2) throw new RangeError('one index')
  if (indexes === 2) return notOurs
  return {
    mean: found.mean,
    mean_squares: notOurs,
    variance_of_mean_unbiased: notOurs,
    components: { question: notOurs, index: variance, question_index: notOurs, judge: notOurs },
    variance_of_mean: (error ?? NaN) ** 2,
    se_indexes_random: error,
    se_indexes_fixed: Math.sqrt((error ?? NaN) ** 2 - Math.max(0, variance ?? NaN) / indexes),
  }
}

type PowerOfRuns = Record<
  'between' | 'within_x' | 'within_y' | 'runs' | 'difference' | 'design_effect' | 'alpha' | 'power',
  number
>

/** By the normal curve, for very many clusters. */
function powerOfRuns({ between, within_x, within_y, runs, difference, design_effect, ...wanted }: PowerOfRuns) {
  const noise = [within_x, within_y].map((repeats) => noiseAt({ repeats, judgeRuns: NaN }, runs, 1))
  const variance = (between + sum(noise)) * design_effect
  const errors = errorsToDetect(wanted, Infinity)
  return {
    n: (errors / difference) ** 2 * variance,
    smallest_difference_at_n_500: errors * Math.sqrt(variance / 500),
  }
}

function mcnemarOf({ correct_A, correct_B }: { correct_A: Values; correct_B: Values }) {
  const a = numbers(correct_A)
  const b = numbers(correct_B)
  const cell = (inA: number, inB: number) => differences(a, b).filter((_, i) => a[i] === inA && b[i] === inB).length
  const [onlyA, onlyB] = [cell(1, 0), cell(0, 1)]
  const { statistic, p } = mcnemar(onlyA, onlyB)
  return {
    table: [
      [cell(1, 1), onlyA],
      [onlyB, cell(0, 0)],
    ],
    b_A_only: onlyA,
    c_B_only: onlyB,
    accuracy_A: mean(a),
    accuracy_B: mean(b),
    exact: { statistic, pvalue: p },
    chi2_cc: notOurs,
    chi2: notOurs,
  }
}

const rejected = (adjusted: readonly number[], alpha: number) => ({
  adjusted,
  reject: adjusted.map((p) => p <= alpha),
})
