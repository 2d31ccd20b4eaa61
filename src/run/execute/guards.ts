import { deepFreeze } from '../../basics/plain-data.ts'
import type { RunContext } from './run-context.ts'
import { messageOf } from '../../errors.ts'
import { describe } from '../../text/validation-errors.ts'
import type { Index, Method, Passage } from '../../types.ts'
import { checkIndex, copyOf } from './check-index.ts'
import type { CallableMethod } from '../prepare/method-entries.ts'
import { callPlugIn, callWith, type PlugInCall, reportError } from '../calls/call-plug-in.ts'

type CallOf = (doing: string, limit: 'indexSeconds' | 'retrieveSeconds') => PlugInCall

/** A method as a run calls it: calls of a plug-in have a time limit, and results are copied. */
export function guardMethod(
  { method, options, isExternal, of }: CallableMethod,
  context: Pick<RunContext, 'limits' | 'signal'>,
): Method {
  if (of) {
    const submethods = of.map((entry) => {
      const submethod = guardMethod(entry, context)
      const index: Method['index'] = (chunks, models, options) =>
        submethod.index(chunks, models, options, entry.sharedPart)
      return { method: { ...submethod, index }, options: entry.options }
    })
    return { ...method, ...method.over?.(submethods) }
  }
  if (!isExternal && !method.program) return method
  const { limits, signal } = context
  const call: CallOf = (doing, limit) => ({ doing, signal, seconds: limits[limit], limit: `limits.${limit}` })
  const { prepares } = method
  return {
    ...method,
    ...(prepares && {
      prepares: {
        ...prepares,
        make: (chunks, models, methodOptions) =>
          callWith(models, call('prepares.make()', 'indexSeconds'), async (callModels) =>
            deepFreeze(await prepares.make(chunks, callModels, methodOptions)),
          ),
      },
    }),
    index: (chunks, models, methodOptions, sharedPart) =>
      callWith(models, call('index()', 'indexSeconds'), async (callModels) => {
        const result = await method.index(chunks, callModels, methodOptions, sharedPart)
        const index = checkIndex(result, method.name)
        const answers = method.answers?.(options) ?? false
        if (answers !== (index.answer !== undefined))
          throw new Error(
            `${method.name}: answers(options) is ${answers}, its index has ${answers ? 'no' : 'an'} answer function`,
          )
        return guardIndex(index, method.name, call)
      }),
  }
}

/** An index is closed when the run is ended, too. */
const closing: PlugInCall = { doing: 'close()', seconds: 600, limit: 'the limit of close()' }

function guardIndex(index: Index, method: string, call: CallOf): Index {
  return {
    ...index,
    retrieve: (query, budget, models) =>
      callWith(models, call('retrieve()', 'retrieveSeconds'), async (callModels) =>
        copyRanking(await index.retrieve(query, budget, callModels)),
      ),
    ...(index.answer && {
      answer: (query, passages, models) =>
        callWith(models, call('answer()', 'retrieveSeconds'), async (callModels) => {
          const reply: unknown = await index.answer?.(query, deepFreeze(passages), callModels)
          if (typeof reply === 'string') return reply
          throw new Error(`${method} answered with ${describe(reply)}, not with a text`)
        }),
    }),
    ...(index.close && {
      close: () =>
        callPlugIn(closing, async () => index.close?.()).catch((error: unknown) =>
          reportError(`${method}: close() failed: ${messageOf(error)}; no row is changed`),
        ),
    }),
  }
}

/** A copy of a plug-in's ranking, without unknown fields. Throws Error for what JSON cannot represent. */
function copyRanking(ranking: unknown): readonly Passage[] {
  // whether they are passages is looked at next
  if (!Array.isArray(ranking)) return ranking as readonly Passage[]
  return ranking.map((passage: unknown) => {
    const { text, score, from, kind, spans, order, why } = Object(passage) as Passage
    const copy = copyOf({ text, from, kind, spans, why }, 'its ranking') as Passage
    // numbers stay as they are: JSON has no NaN
    return { ...copy, score, ...(order !== undefined && { order }) }
  })
}
