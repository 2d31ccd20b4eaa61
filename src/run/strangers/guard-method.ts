import { frozen } from '../../basics/frozen.ts'
import type { Limits } from '../../config/index.ts'
import type { Index, IndexStats, Method } from '../../types.ts'
import { checkIndex, statsOf, warningsOf } from '../asking/check-index.ts'
import type { MethodEntry } from '../asking/method-entry.ts'
import { canonicalJson } from '../../text/hash.ts'
import { callStranger, type StrangerCall } from './call-stranger.ts'
import { copyRanking } from './copy-ranking.ts'
import { modelsForStranger } from './models-for-stranger.ts'

/** The index of which corpus, for which repeat, and how long its functions may take. */
interface Place {
  readonly corpus: string
  readonly repeat: number
  readonly limits: Limits
}

/**
 * A method as a run calls it: a built-in one as it is. A stranger's is called as `callStranger` says, gets what it cannot change for others,
 * and what it returns is copied once, so that it cannot change later.
 */
export function guardMethod(
  { method, options, file }: Pick<MethodEntry, 'method' | 'options' | 'file'>,
  { corpus, repeat, limits }: Place,
): Method {
  if (file === undefined) return method
  const call = (doing: string, limit: 'indexSeconds' | 'retrieveSeconds', ...of: readonly string[]): StrangerCall => ({
    ...{ who: method.name, doing, of: [file, canonicalJson(options), corpus, repeat, ...of] },
    ...{ seconds: limits[limit], limit: `limits.${limit}` },
  })
  const { prepares } = method
  return {
    ...method,
    ...(prepares && {
      prepares: {
        ...prepares,
        make: (chunks, models, asked) =>
          callStranger(call('prepares.make()', 'indexSeconds'), async (isWithdrawn) =>
            frozen(await prepares.make(chunks, modelsForStranger(models, isWithdrawn), asked)),
          ),
      },
    }),
    index: (chunks, models, asked, prepared) =>
      callStranger(call('index()', 'indexSeconds'), async (isWithdrawn) => {
        const made = await method.index(chunks, modelsForStranger(models, isWithdrawn), asked, prepared)
        const index = checkIndex(made, method.name)
        const [stats, warnings] = [statsOf(index, method.name), warningsOf(index, method.name)]
        return {
          ...index,
          // undefined where it says nothing
          stats: () => stats as IndexStats,
          warnings: () => warnings,
          retrieve: (query, budget, asking) =>
            callStranger(call('retrieve()', 'retrieveSeconds', query.id), async (withdrawn) =>
              copyRanking(await index.retrieve(query, budget, modelsForStranger(asking, withdrawn)), method.name),
            ),
        } satisfies Index
      }),
  }
}
