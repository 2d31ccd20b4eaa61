import { numbersThatFit } from '../audit.ts'
import { mulberry32 } from '../random.ts'
import { bisect } from '../statistics/distributions.ts'
import {
  clusteredDifference,
  clusteredMean,
  type ClusteredMean,
  varianceComponents,
  meansOfRuns,
  runVariance,
} from '../statistics/clustered.ts'
import { cohenKappa, krippendorffAlpha, roganGladen } from '../statistics/judges.ts'
import { type Alternative, differences, percentile, mean, sum } from '../statistics/descriptive.ts'
import { corrections } from '../statistics/corrections.ts'
import {
  mannWhitney,
  rankEffect,
  type MannWhitneyOptions,
  wilcoxon,
  type WilcoxonOptions,
} from '../statistics/rank-tests.ts'
import {
  mcnemar,
  mcnemarChiSquared,
  type McNemar,
  tost,
  bootstrapOf,
  pairedBootstrap,
} from '../statistics/paired-tests.ts'
import { newcombePaired, wilson } from '../statistics/proportions.ts'
import { pairedPermutation } from '../statistics/paired-permutation.ts'
import { ppiMean } from '../statistics/ppi.ts'
import { errorsToDetect, pairedTPower, noiseAt } from '../statistics/power.ts'
import { clusterSignFlips } from '../statistics/sign-flips.ts'
import { replayGolden, attempt } from '../../test-support/golden.ts'

/** Tests, intervals, the generator behind them, and the numbers that printed percentages allow. */
replayGolden({
  'stats.mannwhitneyu': ({ x, y }: Pair) => mannWhitneyOf(numbers(x), numbers(y)),
  'stats.run_variance': ({ run_means }: { run_means: Values }) => variances(numbers(run_means)),
  'stats.run_variance_from_items': ({ runs_by_item }: { runs_by_item: readonly Values[] }) => {
    const { runMeans, itemMeans } = meansOfRuns(runs_by_item.map(numbers))
    return { ...variances(runMeans), run_means: runMeans, item_means: itemMeans }
  },
  'stats.paired_bootstrap_indices': ({ x, y, indices, confidence }: Pair & Resamples) =>
    bootstrap(bootstrapOf(differences(numbers(x), numbers(y)), indices, confidence)),
  'stats.paired_bootstrap_mulberry32': ({ x, y, B, seed, confidence }: Pair & Seeded) =>
    bootstrap(pairedBootstrap(numbers(x), numbers(y), { resamples: B, seed, level: confidence })),
  'stats.percentile_linear': ({ values, q }: { values: Values; q: Values }) => ({
    result: numbers(q).map((one) => percentile(numbers(values), one)),
  }),
  'stats.paired_permutation_exact': ({ x, y }: Pair) => permutation(numbers(x), numbers(y)),
  'stats.clustered_mean': ({ values, clusters }: { values: Values; clusters: Clusters }) =>
    clustered(clusteredMean(numbers(values), clusters)),
  'stats.clustered_paired': ({ x, y, clusters }: Pair & { clusters: Clusters }) => {
    const { t, p, ...found } = clusteredDifference(numbers(x), numbers(y), clusters)
    return { ...clustered(found), t, p }
  },
  'stats.cluster_sign_flip_exact': signFlips,
  'stats.wilson': ({ successes, n, level }: Record<'successes' | 'n' | 'level', number>) => wilson(successes, n, level),
  'stats.power_paired_t': ({ n, effect, alpha }: Record<'n' | 'effect' | 'alpha', number>) => ({
    power: pairedTPower(n, effect, alpha),
    n_for_80: 2 + bisect((more) => pairedTPower(2 + more, effect, alpha) < 0.8),
    effect_for_80: bisect((one) => pairedTPower(n, one, alpha) < 0.8),
  }),
  'stats.power_runs': powerOfRuns,
  'stats.variance_components': ({ scores_by_question }: { scores_by_question: readonly Values[] }) => {
    const found = varianceComponents(scores_by_question.map(numbers))
    return {
      between_questions: found.betweenQuestions,
      within_question: found.withinQuestion,
      variance_of_mean: found.varianceOfMean,
    }
  },
  'stats.mcnemar': mcnemarOf,
  'stats.mcnemar_midp': ({ b, c }: { b: number; c: number }) => {
    const { p, midP } = mcnemar(b, c)
    return { exact: p, midp: midP }
  },
  'stats.newcombe_paired': ({ both, only_x: onlyX, only_y: onlyY, neither }: FourCounts) =>
    newcombePaired({ both, onlyX, onlyY, neither }),
  'stats.tost_paired': ({ x, y, margin }: Pair & { margin: number }) => {
    const { mean, plainError, n } = clusteredDifference(numbers(x), numbers(y), [...x.keys()])
    return tost(mean, plainError, n - 1, margin)
  },
  'stats.wilcoxon': ({ x, y }: Pair) => wilcoxonOf(numbers(x), numbers(y)),
  'stats.multiple_testing': ({ pvalues, alpha }: { pvalues: Values; alpha: number }) => ({
    holm: adjusted('holm', numbers(pvalues), alpha),
    bonferroni: adjusted('bonferroni', numbers(pvalues), alpha),
    fdr_bh: adjusted('benjamini-hochberg', numbers(pvalues), alpha),
  }),
  'audit.grim': ({ percentages, decimals, low, high }: Grim) => {
    const shares = percentages.map((text) => ({ digits: Number(text.replace('.', '')), whole: 100 * 10 ** decimals }))
    return { fits: numbersThatFit(shares, low, high) }
  },
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

interface Resamples {
  readonly indices: readonly (readonly number[])[]
  readonly confidence: number
}

interface Seeded {
  readonly B: number
  readonly seed: number
  readonly confidence: number
}

interface Grim {
  readonly percentages: readonly string[]
  readonly decimals: number
  readonly low: number
  readonly high: number
}

type Shares = Record<'observed' | 'sensitivity' | 'specificity' | 'n' | 'n_positive' | 'n_negative', number>

type Sample = Record<'human' | 'judge_on_human' | 'judge_on_rest', Values>

const alternatives = ['greater', 'less', 'two-sided'] as const

const byAlternative = <T>(make: (alternative: Alternative) => T) =>
  Object.fromEntries(alternatives.map((alternative) => [alternative, attempt(() => make(alternative))]))

function mannWhitneyOf(x: readonly number[], y: readonly number[]) {
  const p = (options: MannWhitneyOptions) =>
    byAlternative((alternative) => mannWhitney(x, y, { ...options, alternative }).p)
  const { u1, u2 } = mannWhitney(x, y)
  const effect = rankEffect(u1, x.length, y.length)
  return {
    U1: u1,
    U2: u2,
    auto: p({}),
    asymptotic_cc: p({ method: 'asymptotic' }),
    asymptotic_nocc: p({ method: 'asymptotic', continuity: false }),
    exact: p({ method: 'exact' }),
    common_language_effect: effect.commonLanguage,
    rank_biserial: effect.rankBiserial,
  }
}

function variances(runMeans: readonly number[]) {
  const { interval, ...summary } = runVariance(runMeans)
  return {
    n: summary.n,
    mean: summary.mean,
    variance_population: summary.populationVariance,
    variance_sample: summary.variance,
    variance_of_mean: summary.varianceOfMean,
    sem: summary.standardError,
    std_sample: summary.standardDeviation,
    t_ci95: interval,
  }
}

const bootstrap = (result: ReturnType<typeof bootstrapOf>) => ({
  mean_diff: result.mean,
  ci_low: result.low,
  ci_high: result.high,
  fraction_le_zero: result.shareAtMostZero,
  median: result.median,
  boot_std_ddof1: result.standardDeviation,
})

/** All signs are tried, so the sums of |d| extreme are symmetric: the two-sided p by |mean| is that of both sides. */
function permutation(x: readonly number[], y: readonly number[]) {
  const of = (alternative: Alternative) => pairedPermutation(x, y, { alternative })
  const { mean: observed, permutations, p } = of('two-sided')
  return {
    greater: of('greater').p,
    less: of('less').p,
    'two-sided': p,
    two_sided_abs: p,
    n_permutations: permutations,
    observed_mean_diff: observed,
  }
}

const clustered = ({ plainError, cr0, cr1, low, high, designEffect, ...found }: ClusteredMean) => ({
  ...found,
  ...{ se_clt: plainError, se_cr0: cr0, se_cr1: cr1, t_ci95: [low, high], design_effect: designEffect },
})

function signFlips({ x, y, clusters }: Pair & { clusters: Clusters }) {
  const of = (alternative: Alternative) => clusterSignFlips(numbers(x), numbers(y), clusters, { alternative })
  const { p: two_sided, permutations: n_permutations, smallestP: smallest_p } = of('two-sided')
  return { two_sided, greater: of('greater').p, less: of('less').p, n_permutations, smallest_p }
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
  const named = ({ statistic, p }: McNemar) => ({ statistic, pvalue: p })
  return {
    table: [
      [cell(1, 1), onlyA],
      [onlyB, cell(0, 0)],
    ],
    b_A_only: onlyA,
    c_B_only: onlyB,
    accuracy_A: mean(a),
    accuracy_B: mean(b),
    exact: named(mcnemar(onlyA, onlyB)),
    chi2_cc: named(mcnemarChiSquared(onlyA, onlyB, true)),
    chi2: named(mcnemarChiSquared(onlyA, onlyB, false)),
  }
}

function wilcoxonOf(x: readonly number[], y: readonly number[]) {
  const by = (options: WilcoxonOptions) =>
    byAlternative((alternative) => {
      const { statistic, p } = wilcoxon(x, y, { ...options, alternative })
      return { statistic, pvalue: p }
    })
  return {
    auto: by({}),
    exact: by({ method: 'exact' }),
    approx: by({ method: 'normal' }),
    approx_cc: by({ method: 'normal', continuity: true }),
    approx_pratt: by({ method: 'normal', zeros: 'pratt' }),
  }
}

function adjusted(name: keyof typeof corrections, pValues: readonly number[], alpha: number) {
  const result = corrections[name](pValues)
  return { adjusted: result, reject: result.map((p) => p <= alpha) }
}
