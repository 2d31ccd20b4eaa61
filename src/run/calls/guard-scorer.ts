import { frozen, plainData } from '../../basics/plain-data.ts'
import type { Limits } from '../../config/index.ts'
import { messageOf } from '../../errors.ts'
import type { Scorer } from '../../types.ts'
import type { ScorerEntry } from '../scoring/scorer-entry.ts'
import { callPlugIn, modelsForPlugIn } from './call-plug-in.ts'

/**
 * A scorer as a run calls it for one trial: a built-in one as it is. A plug-in's is called as `callPlugIn` says, gets what it cannot
 * change for others, and its score is copied once. `of` tells the trial and the judge run.
 */
export function guardScorer(
  { scorer, label, id, file, guarded }: Pick<ScorerEntry, 'scorer' | 'label' | 'id' | 'file' | 'guarded'>,
  { limits: { scoreSeconds }, of }: { readonly limits: Limits; readonly of: readonly (string | number)[] },
): Pick<Scorer, 'score'> {
  if (file === undefined && !guarded) return scorer
  const limit = { seconds: scoreSeconds, limit: 'limits.scoreSeconds' }
  const call = { who: label, whose: id, doing: 'score()', of, ...limit }
  return {
    score: (asked, models, options) =>
      callPlugIn(call, async (signal) =>
        copyScore(await scorer.score(frozen(asked), modelsForPlugIn(models, signal), options), label),
      ),
  }
}

/** A score, each field read once; what is no score stays as it is, for the checks that follow. Throws Error for what no result file can hold. */
function copyScore(score: unknown, label: string): Awaited<ReturnType<Scorer['score']>> {
  if (typeof score !== 'object' || score === null) return score as never
  const { metrics, skipped, subsets, parts } = score as Readonly<Record<string, unknown>>
  try {
    const isRecord = typeof metrics === 'object' && metrics !== null && !Array.isArray(metrics)
    const numbers = isRecord ? { metrics: Object.fromEntries(Object.entries(metrics)) } : {}
    return { ...numbers, ...(plainData({ skipped, subsets, parts }) as object) } as never
  } catch (error) {
    throw new Error(`${label} gave a score that cannot be written as JSON: ${messageOf(error)}`, { cause: error })
  }
}
