import { frozen } from '../../basics/plain-data.ts'
import type { Limits } from '../../config/index.ts'
import { messageOf } from '../../errors.ts'
import { canonicalJson } from '../../text/hash.ts'
import { describe } from '../../text/shape-faults.ts'
import type { Index, IndexStats, Method } from '../../types.ts'
import { checkIndex, statsOf, warningsOf } from '../asking/check-index.ts'
import type { MethodEntry } from '../asking/method-entry.ts'
import { lineId } from '../results/identity.ts'
import { callStranger, type StrangerCall } from './call-stranger.ts'
import { copyRanking } from './copy-ranking.ts'
import { modelsForStranger } from './models-for-stranger.ts'
import { renewedIndex } from './renewed-index.ts'
import { tellStray } from './strays.ts'

/** The index of which corpus, for which repeat, how long its functions may take, and what ends them before. */
interface Place {
  readonly corpus: string
  readonly repeat: number
  readonly limits: Limits
  readonly ended?: AbortSignal | undefined
}

type CallOf = (doing: string, limit: 'indexSeconds' | 'retrieveSeconds', ...of: readonly string[]) => StrangerCall

/**
 * A method as a run calls it: a built-in one as it is. A stranger's, or one that runs a stranger's program, is called as `callStranger` says,
 * gets what it cannot change for others, and what it returns is copied once, so that it cannot change later.
 */
export function guardMethod(
  { method, options, file = '', guarded }: Pick<MethodEntry, 'method' | 'options' | 'file' | 'guarded'>,
  { corpus, repeat, limits, ended }: Place,
): Method {
  if (file === '' && !guarded && !method.program) return method
  const whose = lineId(method.name, file, canonicalJson(options))
  const call: CallOf = (doing, limit, ...of) => ({
    ...{ who: method.name, whose, doing, of: [corpus, repeat, ...of], ended },
    ...{ seconds: limits[limit], limit: `limits.${limit}` },
  })
  const { prepares } = method
  return {
    ...method,
    ...(prepares && {
      prepares: {
        ...prepares,
        make: (chunks, models, asked) =>
          callStranger(call('prepares.make()', 'indexSeconds'), async (signal) =>
            frozen(await prepares.make(chunks, modelsForStranger(models, signal), asked)),
          ),
      },
    }),
    index: (chunks, models, asked, prepared) =>
      renewedIndex(() =>
        callStranger(call('index()', 'indexSeconds'), async (signal) => {
          const made = await method.index(chunks, modelsForStranger(models, signal), asked, prepared)
          const index = checkIndex(made, method.name)
          const answers = method.answers?.(options) ?? false
          if (answers !== (index.answer !== undefined))
            throw new Error(
              answers
                ? `${method.name} says that it answers itself, but its index has no answer function`
                : `${method.name}: its index has an answer function, so answers(options) must be true`,
            )
          return guardIndex(index, method.name, call)
        }),
      ),
  }
}

/** An index is closed when the run is ended, too. */
const closing = { ended: undefined, seconds: 600, limit: 'the limit of close()' }

function guardIndex(index: Index, method: string, call: CallOf): Index {
  const [stats, warnings] = [statsOf(index, method), warningsOf(index, method)]
  return {
    ...index,
    // undefined where it says nothing
    stats: () => stats as IndexStats,
    warnings: () => warnings,
    retrieve: (query, budget, models) =>
      callStranger(call('retrieve()', 'retrieveSeconds', query.id), async (signal) =>
        copyRanking(await index.retrieve(query, budget, modelsForStranger(models, signal)), method),
      ),
    ...(index.answer && {
      answer: (query, passages, models) =>
        callStranger(call('answer()', 'retrieveSeconds', query.id), async (signal) => {
          const said: unknown = await index.answer?.(query, frozen(passages), modelsForStranger(models, signal))
          if (typeof said === 'string') return said
          throw new Error(`${method} answered with ${describe(said)}, not with a text`)
        }),
    }),
    ...(index.close && {
      close: () =>
        callStranger({ ...call('close()', 'indexSeconds'), ...closing }, async () => index.close?.()).catch(
          (error: unknown) => tellStray(`${method}: close() failed: ${messageOf(error)}; no row is changed`),
        ),
    }),
  }
}
