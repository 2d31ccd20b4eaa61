import { deepFreeze, isObject, plainData } from '../../basics/plain-data.ts'
import type { RunContext } from './run-context.ts'
import { messageOf } from '../../errors.ts'
import { describe } from '../../text/validation-errors.ts'
import type { Index, IndexStats, Method, Passage, Scorer } from '../../types.ts'
import { checkIndex, statsOf, warningsOf } from './check-index.ts'
import type { CallableMethod } from '../prepare/method-entries.ts'
import { callPlugIn, callWith, type PlugInCall, reportError } from '../calls/call-plug-in.ts'
import type { ScorerEntry } from '../prepare/scorer-entries.ts'

type CallOf = (doing: string, limit: 'indexSeconds' | 'retrieveSeconds') => PlugInCall

/** A method as a run calls it: a built-in one as it is; of others calls are limited in time and results are copied. */
export function guardMethod(
  { method, options, file = '', isExternal, of }: CallableMethod,
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
  if (file === '' && !isExternal && !method.program) return method
  const { limits, signal } = context
  const call: CallOf = (doing, limit) => ({ doing, signal, seconds: limits[limit], limit: `limits.${limit}` })
  const { prepares } = method
  return {
    ...method,
    ...(prepares && {
      prepares: {
        ...prepares,
        make: (chunks, models, methodOptions) =>
          callWith(models, call('prepares.make()', 'indexSeconds'), async (proxy) =>
            deepFreeze(await prepares.make(chunks, proxy, methodOptions)),
          ),
      },
    }),
    async index(chunks, models, methodOptions, sharedPart) {
      return callWith(models, call('index()', 'indexSeconds'), async (proxy) => {
        const result = await method.index(chunks, proxy, methodOptions, sharedPart)
        const index = checkIndex(result, method.name)
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
const closing = { signal: undefined, seconds: 600, limit: 'the limit of close()' }

function guardIndex(index: Index, method: string, call: CallOf): Index {
  const [stats, warnings] = [statsOf(index, method), warningsOf(index, method)]
  return {
    ...index,
    stats: () => stats as IndexStats,
    warnings: () => warnings,
    retrieve: (query, budget, models) =>
      callWith(models, call('retrieve()', 'retrieveSeconds'), async (proxy) =>
        copyRanking(await index.retrieve(query, budget, proxy), method),
      ),
    ...(index.answer && {
      answer: (query, passages, models) =>
        callWith(models, call('answer()', 'retrieveSeconds'), async (proxy) => {
          const reply: unknown = await index.answer?.(query, deepFreeze(passages), proxy)
          if (typeof reply === 'string') return reply
          throw new Error(`${method} answered with ${describe(reply)}, not with a text`)
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
  { scorer, label, file, isExternal }: Pick<ScorerEntry, 'scorer' | 'label' | 'file' | 'isExternal'>,
  { limits: { scoreSeconds } }: Pick<RunContext, 'limits'>,
): Pick<Scorer, 'score'> {
  if (file === undefined && !isExternal) return scorer
  const call = { doing: 'score()', seconds: scoreSeconds, limit: 'limits.scoreSeconds' }
  return {
    score: (trial, models, options) =>
      callWith(models, call, async (proxy) => copyScore(await scorer.score(deepFreeze(trial), proxy, options), label)),
  }
}

/** A copy of a plug-in's ranking, without unknown fields. Throws Error for what JSON cannot represent. */
function copyRanking(ranking: unknown, method: string): readonly Passage[] {
  // whether they are passages is looked at next
  if (!Array.isArray(ranking)) return ranking as readonly Passage[]
  return (ranking as readonly (Passage | null)[]).map((passage, index) => {
    const { text, score, from, kind, spans, order, why } = passage ?? ({} as Partial<Passage>)
    const data = writable({ from, spans, why }, `${method} returned a passage (number ${index + 1})`)
    return { text, score, kind, ...(order !== undefined && { order }), ...data } as Passage
  })
}

/** A copy of a score; other values pass unchanged. Throws Error for what JSON cannot represent. */
function copyScore(score: unknown, label: string): Awaited<ReturnType<Scorer['score']>> {
  if (typeof score !== 'object' || score === null) return score as never
  const { metrics, skipped, subsets, parts } = score as Readonly<Record<string, unknown>>
  const numbers = isObject(metrics) ? { metrics: { ...metrics } } : {}
  return { ...numbers, ...writable({ skipped, subsets, parts }, `${label} gave a score`) } as never
}

function writable(fields: object, where: string): object {
  try {
    return plainData(fields) as object
  } catch (error) {
    throw new Error(`${where} that cannot be written as JSON: ${messageOf(error)}`, { cause: error })
  }
}
