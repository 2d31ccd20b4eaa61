import type { z } from 'zod'
import { ModelError } from '../../../errors.ts'
import { decomposeClaims, type DecomposeClaimsInput, verifyClaims } from '../../../tasks/claims.ts'
import type { Models } from '../../../types.ts'
import { fBeta } from '../answers/token-f1.ts'

export type Verdict = z.output<typeof verifyClaims.output>['statements'][number]

/** The claims of a text by the judge; none, without a call, for an empty text. */
export async function claimsOf(input: DecomposeClaimsInput, models: Models): Promise<readonly string[]> {
  if (input.text.trim() === '') return []
  const { claims } = await models.run(decomposeClaims, input)
  return claims
}

/** The judge's verdicts on claims, as many as it returns. Throws ModelError for none. */
export async function verdictsOn(
  claims: readonly string[],
  context: string,
  models: Models,
): Promise<readonly Verdict[]> {
  if (claims.length === 0) return []
  if (context.trim() === '')
    return claims.map((statement) => ({ statement, reason: 'There is nothing that could support it.', verdict: 0 }))
  const { statements } = await models.run(verifyClaims, { claims, context })
  if (statements.length === 0) throw new ModelError('reply', 'verify-claims: no verdict on any claim')
  return statements
}

export const isSupported = ({ verdict }: Verdict): boolean => verdict === 1

/** One entry per verdict; true when the other text supports the claim. */
interface ClaimVerdicts {
  readonly response: readonly boolean[]
  readonly reference: readonly boolean[]
}

export type FactualMode = 'f1' | 'precision' | 'recall'

/**
 * RAGAS' factual correctness in 0..1 (explodinggradients/ragas v0.4.0, metrics/_factual_correctness.py), `value` to two
 * decimals. There recall sets supported claims of the response against unsupported ones of the reference (upstream
 * issue #1964); `directionConsistent` counts both in the reference.
 */
export function factualCorrectness({ response, reference }: ClaimVerdicts, mode: FactualMode, beta = 1) {
  const tp = count(response, true)
  const fp = count(response, false)
  const fn = mode === 'precision' ? 0 : count(reference, false)
  const refTp = mode === 'precision' ? 0 : count(reference, true)
  // the reference adds a small number in the first two divisions, not in the third
  const values = {
    precision: tp / (tp + fp + 1e-8),
    recall: tp / (tp + fn + 1e-8),
    f1: fBetaOfCounts(tp, fp, fn, beta),
  }
  const precision = share(tp, fp)
  const recall = share(refTp, fn)
  const directionConsistent = { precision, recall, f1: fBeta(precision, recall, beta) }
  return { tp, fp, fn, refTp, unrounded: values[mode], value: roundHalfEven(values[mode]), directionConsistent }
}

/** F-beta of claim counts; 0 without claims (v0.4.0, metrics/utils.py). */
export const fBetaOfCounts = (tp: number, fp: number, fn: number, beta = 1): number =>
  fBeta(share(tp, fp), share(tp, fn), beta)

/** Two decimals, halves to the even one, as numpy.round: 0.625 gives 0.62. */
export function roundHalfEven(value: number): number {
  const hundredths = value * 100
  const half = Math.abs(hundredths % 1) === 0.5
  return (half ? 2 * Math.round(hundredths / 2) : Math.round(hundredths)) / 100
}

const count = (verdicts: readonly boolean[], value: boolean): number =>
  verdicts.filter((isTrue) => isTrue === value).length

const share = (part: number, rest: number): number => (part + rest === 0 ? 0 : part / (part + rest))

/** RAGAS' faithfulness and context recall: the share of verdicts that hold; NaN without (v0.4.0). */
export const shareOf = (verdicts: readonly boolean[]): number => verdicts.filter(Boolean).length / verdicts.length

/** Mean precision at the rank of every useful passage; 0 when none is useful (metrics/_context_precision.py). */
export function contextPrecision(useful: readonly boolean[]): number {
  let usefulCount = 0
  let sum = 0
  useful.forEach((isUseful, rank) => {
    if (isUseful) sum += ++usefulCount / (rank + 1)
  })
  return sum / (usefulCount + 1e-10)
}

/** A question generated from the answer alone, and whether the answer is noncommittal. */
interface GeneratedQuestion {
  readonly text: string
  readonly noncommittal: boolean
  readonly embedding: ArrayLike<number>
}

/**
 * Mean cosine of the question and those generated from its answer, 0 for an empty one (our reading); 0 when all find
 * the answer noncommittal, NaN when all are empty (ragas v0.4.0, metrics/_answer_relevance.py).
 */
export function answerRelevancy(question: ArrayLike<number>, questions: readonly GeneratedQuestion[]): number {
  if (questions.every(({ text }) => text === '')) return NaN
  const similarities = questions.map(({ text, embedding }) => (text === '' ? 0 : cosine(question, embedding)))
  const mean = similarities.reduce((sum, similarity) => sum + similarity, 0) / similarities.length
  return questions.every(({ noncommittal }) => noncommittal) ? 0 * mean : mean
}

const cosine = (a: ArrayLike<number>, b: ArrayLike<number>): number => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b))

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
  Array.from(a).reduce((sum, value, index) => sum + value * (b[index] ?? NaN), 0)

/** Waits for all calls, so that the usage of each is counted; throws the first failure. */
export async function awaitAll<T extends readonly unknown[] | []>(
  calls: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(calls)
  return Promise.all(calls)
}
