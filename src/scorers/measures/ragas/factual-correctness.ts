import { fBeta } from '../f-beta.ts'

/** One entry per claim that the judge gave a verdict on; true when the other text supports it. */
export interface ClaimVerdicts {
  readonly response: readonly boolean[]
  readonly reference: readonly boolean[]
}

export const factualModes = ['f1', 'precision', 'recall'] as const
export type FactualMode = (typeof factualModes)[number]

/**
 * RAGAS' factual correctness of one answer (explodinggradients/ragas v0.4.0, metrics/_factual_correctness.py), in 0..1.
 * Known quirk, kept in `value` and `unrounded`: recall sets supported claims of the response against unsupported claims of
 * the reference (upstream issue #1964); `directionConsistent` counts both in the reference. `value` is rounded to 2 decimals.
 */
export function factualCorrectness({ response, reference }: ClaimVerdicts, mode: FactualMode, beta = 1) {
  const tp = count(response, true)
  const fp = count(response, false)
  const fn = mode === 'precision' ? 0 : count(reference, false)
  const refTp = mode === 'precision' ? 0 : count(reference, true)
  const unrounded = combined({ tp, fp, fn }, mode, beta)
  const directionConsistent = fBetaOf(share(tp, fp), share(refTp, fn), mode, beta)
  return { tp, fp, fn, refTp, unrounded, value: roundHalfEven(unrounded), directionConsistent }
}

/** F-beta of counted claims; 0 where nothing was counted (v0.4.0, metrics/utils.py). */
export const fBetaOfCounts = (tp: number, fp: number, fn: number, beta = 1): number =>
  fBeta(share(tp, fp), share(tp, fn), beta)

/** Two decimals, halves to the even one, as numpy.round: 0.625 gives 0.62. */
export function roundHalfEven(value: number): number {
  const scaled = value * 100
  const half = Math.abs(scaled % 1) === 0.5
  return (half ? 2 * Math.round(scaled / 2) : Math.round(scaled)) / 100
}

interface Counts {
  readonly tp: number
  readonly fp: number
  readonly fn: number
}

function combined({ tp, fp, fn }: Counts, mode: FactualMode, beta: number): number {
  // the reference guards these two divisions by a small number, and not the third
  if (mode === 'precision') return tp / (tp + fp + 1e-8)
  if (mode === 'recall') return tp / (tp + fn + 1e-8)
  return fBetaOfCounts(tp, fp, fn, beta)
}

const fBetaOf = (precision: number, recall: number, mode: FactualMode, beta: number): number =>
  mode === 'precision' ? precision : mode === 'recall' ? recall : fBeta(precision, recall, beta)

const count = (verdicts: readonly boolean[], wanted: boolean): number =>
  verdicts.filter((verdict) => verdict === wanted).length

const share = (part: number, rest: number): number => (part + rest === 0 ? 0 : part / (part + rest))
