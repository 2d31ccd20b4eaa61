import { mixtureFitter, type FitOptions } from './fit.ts'
import { isFit, type Mixture, type Unfit } from './mixture.ts'
import type { Rows } from '../kernels.ts'

export interface ChoiceOptions extends FitOptions {
  /** Fewer components than this are tried, and fewer than rows (RAPTOR: 50). */
  readonly maxComponents?: number
  /** `early`: at most rows / 2, and no more after 8 counts that were no better. `exhaustive`: all, as RAPTOR's code does. */
  readonly search?: 'early' | 'exhaustive'
}

/** The mixture of least BIC, and the BIC of 1, 2, … components. */
export interface Choice {
  readonly mixture: Mixture
  readonly bics: readonly number[]
}

/** Counts without a better BIC after which the early search ends (our reading). */
const patience = 8

/** Fits 1, 2, … components and takes the first of least BIC. Never throws: the first count that cannot be fitted ends in an `Unfit`. */
export function chooseMixture(rows: Rows, options: ChoiceOptions = {}): Choice | Unfit {
  const { maxComponents = 50, search = 'early' } = options
  const fit = mixtureFitter(rows, options)
  const most = Math.min(maxComponents, rows.rows) - 1
  const last = Math.max(1, search === 'early' ? Math.min(most, Math.floor(rows.rows / 2)) : most)
  const bics: number[] = []
  let best: Mixture | undefined
  let bestCount = 0
  for (let count = 1; count <= last; count++) {
    const mixture = fit(count)
    if (!isFit(mixture)) return mixture
    bics.push(mixture.bic)
    if (!best || mixture.bic < best.bic) [best, bestCount] = [mixture, count]
    if (search === 'early' && count - bestCount >= patience) break
  }
  return best ? { mixture: best, bics } : { reason: 'there are no rows' }
}
