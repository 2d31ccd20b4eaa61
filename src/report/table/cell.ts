import type { Row } from '../../records.ts'
import type { Estimate } from './estimate.ts'
import type { HumanMean } from './human-mean.ts'

/** A number of a table. Scores are fractions; null where nothing could be scored. */
export interface Cell extends Row, Estimate {
  readonly dataset: string
  readonly scorer: string
  readonly metric: string
  /** `all`, a tag of the questions, or a subset that the scorer found. */
  readonly subset: string
  /** Scores that failed, those of failed trials among them. */
  readonly failed: number
  /** The mean if every question without a score for its failure had the least, and if it had the greatest; null where there is no such end of the range, where nothing was asked, and of what compares a row with a reference row. */
  readonly least: number | null
  readonly greatest: number | null
  /** Answers that the scorer declined, in the run in which it declined most. */
  readonly skipped: number
  /** What human labels say of the mean of a judge, where such labels were given. */
  readonly people?: HumanMean
}
