/** A mean over questions as people would score them. */
export interface HumanMean {
  /** Questions with a human label. */
  readonly labelled: number
  /** The mean of the human labels; null without any. */
  readonly human: number | null
  /** PPI++: from the labels and the judge's scores of all questions; null for too few labelled questions. */
  readonly corrected: Corrected | null
}

export interface Corrected {
  readonly mean: number
  /** Standard error and 95 % interval; null where the labels do not tell: all are the same, all differ from the judge by the same, or all are of one cluster. */
  readonly error: number | null
  readonly low: number | null
  readonly high: number | null
  /** Weight of the judge, 0 to 1. */
  readonly lambda: number
}
