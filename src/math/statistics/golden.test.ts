import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { numbersThatFit } from '../audit/numbers-that-fit.ts'
import { clusteredDifference, clusteredMean } from './clustered.ts'
import { mcnemar } from './mcnemar.ts'
import { newcombePaired } from './newcombe.ts'
import { clusterSignFlips } from './sign-flips.ts'
import { tost } from './tost.ts'
import { cohenKappa, krippendorffAlpha } from './judges/agreement.ts'
import { ppiMean } from './judges/ppi-mean.ts'
import { roganGladen } from './judges/rogan-gladen.ts'
import { mean } from './sum.ts'
import { varianceComponents } from './variance-components.ts'
import { wilson } from './wilson.ts'

interface Case {
  readonly id: string
  readonly metric: string
  readonly input: never
  readonly expected: Readonly<Record<string, unknown>>
  readonly tol: number
}

type Values = readonly number[]
type Clusters = readonly string[]

interface Grim {
  readonly percentages: readonly string[]
  readonly decimals: number
  readonly low: number
  readonly high: number
}

const shown = ({
  n,
  clusters,
  mean,
  plainError,
  cr0,
  cr1,
  low,
  high,
  designEffect,
  icc,
}: ReturnType<typeof clusteredMean>) => ({
  ...{ n, clusters, mean, se_clt: plainError, se_cr0: cr0, se_cr1: cr1 },
  ...{ t_ci95: [low, high], design_effect: designEffect, icc },
})

const adapters: Readonly<Record<string, (input: never) => object>> = {
  'stats.clustered_mean': ({ values, clusters }: { values: Values; clusters: Clusters }) =>
    shown(clusteredMean(values, clusters)),
  'stats.clustered_paired': ({ x, y, clusters }: { x: Values; y: Values; clusters: Clusters }) => {
    const found = clusteredDifference(x, y, clusters)
    return { ...shown(found), t: found.t, p: found.p }
  },
  'stats.cluster_sign_flip_exact': ({ x, y, clusters }: { x: Values; y: Values; clusters: Clusters }) => {
    const p = (alternative: 'two-sided' | 'greater' | 'less') => clusterSignFlips(x, y, clusters, { alternative })
    const both = p('two-sided')
    const [greater, less] = [p('greater').p, p('less').p]
    return { two_sided: both.p, greater, less, n_permutations: both.permutations, smallest_p: both.smallestP }
  },
  'stats.mcnemar_midp': ({ b, c }: { b: number; c: number }) => {
    const { p, midP } = mcnemar(b, c)
    return { exact: p, midp: midP }
  },
  'stats.newcombe_paired': ({ both, only_x, only_y, neither }: Record<string, number>) =>
    newcombePaired({ both: both!, onlyX: only_x!, onlyY: only_y!, neither: neither! }),
  'stats.tost_paired': ({ x, y, margin }: { x: Values; y: Values; margin: number }) => {
    const { mean, plainError, n } = clusteredDifference(x, y, [...x.keys()])
    return tost(mean, plainError, n - 1, margin)
  },
  'stats.wilson': ({ successes, n, level }: { successes: number; n: number; level: number }) =>
    wilson(successes, n, level),
  'stats.variance_components': ({ scores_by_question }: { scores_by_question: readonly Values[] }) => {
    const { betweenQuestions, withinQuestion, varianceOfMean } = varianceComponents(scores_by_question)
    return {
      between_questions: betweenQuestions,
      within_question: withinQuestion,
      variance_of_mean: varianceOfMean,
    }
  },
  'audit.grim': ({ percentages, decimals, low, high }: Grim) => {
    const shares = percentages.map((text) => ({ digits: Number(text.replace('.', '')), whole: 100 * 10 ** decimals }))
    return { fits: numbersThatFit(shares, low, high) }
  },
  'stats.agreement': ({ a, b }: { a: Values; b: Values }) => {
    const { kappa, error } = cohenKappa(a, b)
    return { kappa, kappa_se: error, krippendorff_alpha: krippendorffAlpha(a, b) }
  },
  'stats.rogan_gladen': ({ n_positive, n_negative, ...shares }: Shares) =>
    roganGladen({ ...shares, positives: n_positive, negatives: n_negative }) ?? {},
  'stats.ppi_mean': ({
    human,
    judge_on_human,
    judge_on_rest,
  }: Record<'human' | 'judge_on_human' | 'judge_on_rest', Values>) => {
    const { error, ...found } = ppiMean({ human, judge: judge_on_human, judgeOfRest: judge_on_rest })
    return { ...found, se: error, human_only: mean(human), judge_only: mean(judge_on_rest) }
  },
}

type Shares = Record<'observed' | 'sensitivity' | 'specificity' | 'n' | 'n_positive' | 'n_negative', number>

const { cases } = JSON.parse(readFileSync(new URL('golden/statistics.json', import.meta.url), 'utf8')) as {
  cases: readonly Case[]
}

test.each(cases.filter(({ metric }) => adapters[metric]).map((one) => [one.id, one] as const))(
  '%s equals its reference',
  (_id, { metric, input, expected, tol }) => {
    const found = adapters[metric]?.(input) as Readonly<Record<string, unknown>>
    const entry = (of: unknown, i: number): unknown => (of as readonly unknown[])[i]
    for (const [name, value] of Object.entries(expected)) {
      if (Array.isArray(value)) expect(found[name], name).toHaveLength(value.length)
      const pairs = Array.isArray(value)
        ? value.map((_, i) => [entry(value, i), entry(found[name], i)])
        : [[value, found[name]]]
      for (const [wanted, got] of pairs)
        if (wanted === null || Number.isNaN(Number(wanted))) expect(got, name).toBeNaN()
        else expect(Math.abs(Number(wanted) - Number(got)), name).toBeLessThanOrEqual(tol)
    }
  },
)
