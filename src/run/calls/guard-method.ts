import { frozen } from '../../basics/plain-data.ts'
import type { Limits } from '../../config/index.ts'
import { messageOf } from '../../errors.ts'
import { canonicalJson } from '../../text/hash.ts'
import { describe } from '../../text/shape-faults.ts'
import type { Index, IndexStats, Method, Passage } from '../../types.ts'
import { checkIndex, statsOf, warningsOf } from '../asking/check-index.ts'
import type { MethodEntry } from '../asking/method-entry.ts'
import { lineId } from '../results/identity.ts'
import { callPlugIn, type PlugInCall, reportError, modelsForPlugIn } from './call-plug-in.ts'
import { longestData, plainData } from '../../basics/plain-data.ts'
import pLimit from 'p-limit'

/** The index of which corpus, for which repeat, how long its functions may take, and what ends them before. */
interface Place {
  readonly corpus: string
  readonly repeat: number
  readonly limits: Limits
  readonly ended?: AbortSignal | undefined
}

type CallOf = (doing: string, limit: 'indexSeconds' | 'retrieveSeconds', ...of: readonly string[]) => PlugInCall

/**
 * A method as a run calls it: a built-in one as it is. A plug-in's, or one that runs a program, is called as `callPlugIn` says,
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
          callPlugIn(call('prepares.make()', 'indexSeconds'), async (signal) =>
            frozen(await prepares.make(chunks, modelsForPlugIn(models, signal), asked)),
          ),
      },
    }),
    index: (chunks, models, asked, prepared) =>
      callPlugIn(call('index()', 'indexSeconds'), async (signal) => {
        const made = await method.index(chunks, modelsForPlugIn(models, signal), asked, prepared)
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
      callPlugIn(call('retrieve()', 'retrieveSeconds', query.id), async (signal) =>
        copyRanking(await index.retrieve(query, budget, modelsForPlugIn(models, signal)), method),
      ),
    ...(index.answer && {
      answer: (query, passages, models) =>
        callPlugIn(call('answer()', 'retrieveSeconds', query.id), async (signal) => {
          const said: unknown = await index.answer?.(query, frozen(passages), modelsForPlugIn(models, signal))
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

/** A plug-in's ranking, each field of a passage read once and none but those that a passage has; what is no ranking stays as it is, for the checks that follow. Throws Error for what no result file can hold. */
function copyRanking(ranking: unknown, method: string): readonly Passage[] {
  if (!Array.isArray(ranking)) return ranking as readonly Passage[]
  let characters = 0
  return Array.from(ranking as readonly unknown[], (passage, index) => {
    const copy = copyPassage(passage, `${method} returned a passage (number ${index + 1})`)
    characters += typeof copy.text === 'string' ? copy.text.length : 0
    if (characters > longestData) throw new Error(`${method} returned passages of more than ${longestData} characters`)
    return copy
  })
}

function copyPassage(passage: unknown, where: string): Passage {
  if (typeof passage !== 'object' || passage === null) throw new Error(`${where} that is ${describe(passage)}`)
  const { text, score, from, kind, spans, order, why } = passage as Readonly<Record<keyof Passage, unknown>>
  const copy: Readonly<Record<keyof Passage, unknown>> = {
    ...{ text, score: primitive(score), kind: primitive(kind), order: primitive(order) },
    ...{ from: data('from', from, where), spans: data('spans', spans, where), why: data('why', why, where) },
  }
  return Object.fromEntries(Object.entries(copy).filter(([, value]) => value !== undefined)) as unknown as Passage
}

/** An object, which may run code when it is made a text, by its kind. */
const primitive = (value: unknown): unknown =>
  typeof value === 'object' || typeof value === 'function' ? describe(value) : value

function data(field: string, value: unknown, where: string): unknown {
  try {
    return plainData(value)
  } catch (error) {
    throw new Error(`${where} whose "${field}" cannot be written as JSON: ${messageOf(error)}`, { cause: error })
  }
}

/** How often an index is built whose program has ended: then the questions left fail. */
const mostBuilds = 10

/**
 * An index that is built again where what it ran on has ended, and of which no more questions are under way than it takes. Where it ends with
 * several under way, these are asked again one at a time, as all later ones are: so only the one that ended it fails. A question throws what
 * `build` throws, and Error where it has ended too often.
 */
export function renewedIndex(first: Index, build: () => Promise<Index>): Index {
  if (first.ended === undefined && first.concurrency === undefined) return first
  let current = Promise.resolve(first)
  let builds = 1
  const renewed = async (): Promise<Index> => {
    if (++builds > mostBuilds) throw new Error(`what it runs has ended ${mostBuilds} times: it is not started again`)
    return build()
  }
  const living = async (): Promise<Index> => {
    const seen = current
    const index = await seen.catch(() => undefined)
    if (index && !index.ended?.()) return index
    if (current === seen) current = renewed()
    return current
  }
  const room = pLimit(first.concurrency ?? Infinity)
  const alone = pLimit(1)
  let underWay = 0
  let inTurn = false
  const isInTurn = (): boolean => inTurn
  /** Asks when there is room for it; its time begins then. */
  const ask = <T>(work: (index: Index) => Promise<T>): Promise<T> =>
    room(async () => {
      const now = async (): Promise<T> => work(await living())
      if (isInTurn()) return alone(now)
      const index = await living()
      underWay++
      try {
        return await work(index)
      } catch (error) {
        if (!index.ended?.() || (underWay === 1 && !isInTurn())) throw error
        inTurn = true
      } finally {
        underWay--
      }
      return alone(now)
    })
  return {
    ...first,
    retrieve: (query, budget, models) => ask((index) => index.retrieve(query, budget, models)),
    ...(first.answer && {
      answer: (query, passages, models) =>
        ask(async (index) => {
          if (!index.answer) throw new Error('an index that was built again has no answer function')
          return index.answer(query, passages, models)
        }),
    }),
    close: async () => (await current.catch(() => undefined))?.close?.(),
  }
}
