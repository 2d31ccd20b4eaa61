import { addFields } from '../basics/collections.ts'
import type { KeyedCalls } from '../records.ts'
import type { Phase, Usage } from '../types.ts'

/**
 * What one phase spent. Every number but `cached`, times and what was sent is the same whatever was cached and
 * however many calls ran at once. `calls` counts answered calls (a repair question is a call of its own, an `embed` of
 * many texts is one); `estimated` those that our tokenizer counted at least in part; `cached` those that were stored
 * before the run began.
 */
export interface PhaseUsage extends Usage {
  readonly embeddingCalls: number
  readonly embeddedTexts: number
  readonly rankedTokens: number
  readonly rankedTexts: number
  readonly cutTexts: number
  readonly unreadTokens: number
  readonly cached: number
  /** How long the calls took when they were made, whether now or in an earlier run; waiting excluded. */
  readonly milliseconds: number
  /** Of these, the time of embedding calls. */
  readonly embeddingMilliseconds: number
  /** Of `calls`, those that this phase has sent itself: not those that others sent or had sent before. */
  readonly sent: number
  readonly sentPromptTokens: number
  readonly sentCompletionTokens: number
  readonly sentTexts: number
  readonly sentEmbeddedTokens: number
  readonly sentMilliseconds: number
  /** Tasks by how their reply was read: as it stood, after repair, with items left out, not at all or not answered. */
  readonly clean: number
  readonly repaired: number
  readonly partial: number
  readonly failed: number
  /** Replies that ended at the token limit. */
  readonly cut: number
  /** Calls without the schema, or without the system role, that the server refuses. */
  readonly withoutSchema: number
  readonly withoutSystem: number
  /** Calls of which the server has read less than half of the prompt, by its own count. */
  readonly cutPrompts: number
  /** Items left out of lists because they did not fit. */
  readonly skippedItems: number
  /** Scopes that took a random number or a seed. */
  readonly draws: number
}

/** Adds up what was spent. */
export interface Meter {
  add(phase: Phase, more: Partial<PhaseUsage>): void
  /** What goes into the results: only what does not depend on the machine and its cache. */
  usage(phase: Phase): Usage
  /** Everything. */
  spent(phase: Phase): PhaseUsage
  /** Of a meter that keeps them: every call once, by what it asked. */
  readonly keyed?: Keyed
}

interface Keyed {
  note(key: string, ...spent: KeyedCalls[string]): void
  /** In the order of the keys, whatever the order of the calls. */
  all(): KeyedCalls
}

/** Nothing was sent. */
export const noneSent = {
  sent: 0,
  sentPromptTokens: 0,
  sentCompletionTokens: 0,
  sentTexts: 0,
  sentEmbeddedTokens: 0,
  sentMilliseconds: 0,
}

export const noUsage: PhaseUsage = {
  calls: 0,
  promptTokens: 0,
  completionTokens: 0,
  embeddedTokens: 0,
  estimated: 0,
  embeddingCalls: 0,
  embeddedTexts: 0,
  rankedTokens: 0,
  rankedTexts: 0,
  cutTexts: 0,
  unreadTokens: 0,
  cached: 0,
  milliseconds: 0,
  embeddingMilliseconds: 0,
  ...noneSent,
  clean: 0,
  repaired: 0,
  partial: 0,
  failed: 0,
  cut: 0,
  withoutSchema: 0,
  withoutSystem: 0,
  cutPrompts: 0,
  skippedItems: 0,
  draws: 0,
}

/** The sum of two usages, field by field. */
export function addUsage(a: PhaseUsage, b: Partial<PhaseUsage>): PhaseUsage {
  const sum = { ...noUsage, ...addFields({ ...a }, { ...b }) }
  // to the hundredth, as it is measured: then sums do not depend on their order
  for (const field of ['milliseconds', 'embeddingMilliseconds', 'sentMilliseconds'] as const)
    sum[field] = Math.round(sum[field] * 100) / 100
  return sum
}

/** A meter at zero; it keeps single calls where it is told to. */
export function createMeter(keepsCalls = false): Meter {
  const sums = new Map<Phase, PhaseUsage>()
  const spent = (phase: Phase): PhaseUsage => sums.get(phase) ?? noUsage
  const calls = new Map<string, KeyedCalls[string]>()
  const keyed: Keyed = {
    note: (key, ...spent) => void calls.set(key.slice(0, 16), spent),
    all: () => Object.fromEntries([...calls].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
  return {
    ...(keepsCalls && { keyed }),
    spent,
    add: (phase, more) => void sums.set(phase, addUsage(spent(phase), more)),
    usage(phase) {
      const { calls, promptTokens, completionTokens, embeddedTokens, estimated } = spent(phase)
      const { embeddingCalls, embeddedTexts, cutTexts, unreadTokens, rankedTokens, rankedTexts } = spent(phase)
      const { cut, repaired, partial, skippedItems, withoutSchema, withoutSystem, cutPrompts } = spent(phase)
      const embedding = withoutZeros({
        embeddingCalls,
        embeddedTexts,
        cutTexts,
        unreadTokens,
        rankedTokens,
        rankedTexts,
      })
      const lacking = withoutZeros({ cut, repaired, partial, skippedItems })
      const served = withoutZeros({ withoutSchema, withoutSystem, cutPrompts })
      return { calls, promptTokens, completionTokens, embeddedTokens, estimated, ...embedding, ...lacking, ...served }
    },
  }
}

const withoutZeros = <T extends Readonly<Record<string, number>>>(counts: T): Partial<T> =>
  Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)) as Partial<T>

/** Calls that were sent, by the meters that counted them, until a line of the results shows what the meter has. */
export interface SentCalls {
  /** The same meter, of which every call is noted that was not stored before. */
  noted(meter: Meter): Meter
  /** Says that a line shows all that the meter has by now. */
  shown(meter: Meter): void
  /** The calls that no line shows. */
  unshown(): number
}

/** No call yet. */
export function sentCalls(): SentCalls {
  const sent = new Map<Meter, number>()
  return {
    noted: (meter) => ({
      ...meter,
      add(phase, more) {
        meter.add(phase, more)
        const { calls = 0, cached = 0 } = more
        if (calls > cached) sent.set(meter, (sent.get(meter) ?? 0) + calls - cached)
      },
    }),
    shown: (meter) => void sent.delete(meter),
    unshown: () => [...sent.values()].reduce((sum, calls) => sum + calls, 0),
  }
}
