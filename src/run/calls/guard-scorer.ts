import { frozen } from '../../basics/plain-data.ts'
import { memoiseWeakly } from '../../basics/memoise.ts'
import type { Limits } from '../../config/index.ts'
import type { Scorer } from '../../types.ts'
import { processOf } from '../plug-ins/load-plug-in.ts'
import type { StartedPlugIn } from '../plug-ins/process/started-plug-in.ts'
import type { ScorerEntry } from '../scoring/scorer-entry.ts'
import { callPlugIn, modelsForPlugIn } from './call-plug-in.ts'
import { copyScore } from './copies.ts'
import { renewed } from './renewed.ts'

/**
 * A scorer as a run calls it: a built-in one as it is; one in a file in its process, which is started again; an object
 * limited in time, with its score copied once.
 */
export function guardScorer(
  { scorer, label, file, guarded }: Pick<ScorerEntry, 'scorer' | 'label' | 'file' | 'guarded'>,
  { limits: { scoreSeconds } }: { readonly limits: Limits },
): Pick<Scorer, 'score'> {
  if (file === undefined && !guarded) return scorer
  const call = { doing: 'score()', seconds: scoreSeconds, limit: 'limits.scoreSeconds' }
  const start = processOf(scorer)
  const living = start && processes(scorer)
  return {
    score: (asked, models, options) =>
      living
        ? living(async (started) => {
            await started.ready
            return callPlugIn(call, async (signal) =>
              copyScore(
                await started.ask({ op: 'score', asked, options, label }, modelsForPlugIn(models, signal)),
                label,
              ),
            )
          })
        : callPlugIn(call, async (signal) =>
            copyScore(await scorer.score(frozen(asked), modelsForPlugIn(models, signal), options), label),
          ),
  }
}

const processes = memoiseWeakly((scorer: object) => {
  const start = processOf(scorer)
  if (!start) throw new Error('the scorer has no process')
  return renewed<StartedPlugIn>({
    build: async () => start(),
    hasEnded: ({ ended }) => ended(),
  }).ask
})
