import { fBeta } from '../f-beta.ts'

/** Precision, recall and their harmonic mean, in 0..1. */
export interface RougeScore {
  readonly precision: number
  readonly recall: number
  readonly fmeasure: number
}

/** The score of `hits` among what was predicted and what was wanted; 0 over 0 is 0. */
export function rougeScore(hits: number, predicted: number, wanted: number): RougeScore {
  const precision = hits / Math.max(predicted, 1)
  const recall = hits / Math.max(wanted, 1)
  return { precision, recall, fmeasure: fBeta(precision, recall) }
}

/** Several references: precision, recall and F each take their own maximum (ulab-uiuc/GoR@47ac6748, sum_eval.py). Throws RangeError without one. */
export function bestScore(scores: readonly RougeScore[]): RougeScore {
  if (scores.length === 0) throw new RangeError('ROUGE needs at least one reference')
  const best = (part: keyof RougeScore) => Math.max(...scores.map((score) => score[part]))
  return { precision: best('precision'), recall: best('recall'), fmeasure: best('fmeasure') }
}
