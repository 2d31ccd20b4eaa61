import { deepFreeze } from '../../basics/plain-data.ts'
import type { Conditions } from '../asking/conditions.ts'
import { messageOf } from '../../errors.ts'
import { describe } from '../../text/validation-errors.ts'
import type { Index, IndexStats, Method, Scorer } from '../../types.ts'
import { checkIndex, statsOf, warningsOf } from '../asking/check-index.ts'
import type { AskedMethod } from '../prepare/method-entries.ts'
import { callPlugIn, callWith, type PlugInCall, reportError } from './call-plug-in.ts'
import { copyRanking, copyScore } from './copies.ts'
import type { ScorerEntry } from '../prepare/scorer-entries.ts'

type CallOf = (doing: string, limit: 'indexSeconds' | 'retrieveSeconds') => PlugInCall

/** A method as a run calls it: a built-in one as it is; of others calls are limited in time and results are copied. */
export function guardMethod(
  { method, options, file = '', guarded, of }: AskedMethod,
  conditions: Pick<Conditions, 'limits' | 'ended'>,
): Method {
  if (of) {
    const asked = of.map((one) => ({ method: guardMethod(one, conditions), options: one.options }))
    return { ...method, ...method.over?.(asked) }
  }
  if (file === '' && !guarded && !method.program) return method
  const { limits, ended } = conditions
  const call: CallOf = (doing, limit) => ({ doing, ended, seconds: limits[limit], limit: `limits.${limit}` })
  const { prepares } = method
  return {
    ...method,
    ...(prepares && {
      prepares: {
        ...prepares,
        make: (chunks, models, asked) =>
          callWith(models, call('prepares.make()', 'indexSeconds'), async (own) =>
            deepFreeze(await prepares.make(chunks, own, asked)),
          ),
      },
    }),
    async index(chunks, models, asked, prepared) {
      return callWith(models, call('index()', 'indexSeconds'), async (own) => {
        const made = await method.index(chunks, own, asked, prepared)
        const index = checkIndex(made, method.name)
        const answers = method.answers?.(options) ?? false
        if (answers !== (index.answer !== undefined))
          throw new Error(
            answers
              ? `${method.name} says that it answers itself, but its index has no answer function`
              : `${method.name}: its index has an answer function, so answers(options) must be true`,
          )
        return guardIndex(index, method.name, call)
      })
    },
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
      callWith(models, call('retrieve()', 'retrieveSeconds'), async (own) =>
        copyRanking(await index.retrieve(query, budget, own), method),
      ),
    ...(index.answer && {
      answer: (query, passages, models) =>
        callWith(models, call('answer()', 'retrieveSeconds'), async (own) => {
          const said: unknown = await index.answer?.(query, deepFreeze(passages), own)
          if (typeof said === 'string') return said
          throw new Error(`${method} answered with ${describe(said)}, not with a text`)
        }),
    }),
    ...(index.close && {
      close: () =>
        callPlugIn({ ...call('close()', 'indexSeconds'), ...closing }, async () => index.close?.()).catch(
          (error: unknown) => reportError(`${method}: close() failed: ${messageOf(error)}; no row is changed`),
        ),
    }),
  }
}

/** A scorer as a run calls it: a built-in one as it is; of others calls are limited in time and scores are copied. */
export function guardScorer(
  { scorer, label, file, guarded }: Pick<ScorerEntry, 'scorer' | 'label' | 'file' | 'guarded'>,
  { limits: { scoreSeconds } }: Pick<Conditions, 'limits'>,
): Pick<Scorer, 'score'> {
  if (file === undefined && !guarded) return scorer
  const call = { doing: 'score()', seconds: scoreSeconds, limit: 'limits.scoreSeconds' }
  return {
    score: (asked, models, options) =>
      callWith(models, call, async (own) => copyScore(await scorer.score(deepFreeze(asked), own, options), label)),
  }
}
