import type { Phase, Usage } from '../types.ts'

/** Sums usage by phase. */
export interface UsageCounter {
  add(phase: Phase, more: Partial<PhaseUsage>): void
  /** The usage for result files: only what does not depend on machine and cache. */
  usage(phase: Phase): Usage
  totals(phase: Phase): PhaseUsage
  /** Keeps the first messages about texts that could not be embedded. */
  noteEmbeddingFailures(texts: readonly string[]): void
  embeddingFailures(): readonly string[]
}

/** Calls that a phase sent itself, neither cached nor shared. */
export const zeroSentUsage = {
  sent: 0,
  sentPromptTokens: 0,
  sentCompletionTokens: 0,
  sentTexts: 0,
  sentEmbeddedTokens: 0,
}

/**
 * The usage of one phase, at zero. All numbers but `cached`, times and sent calls are independent of cache and
 * concurrency. `calls`: answered calls (a repair request is one, an `embed` of many texts is one); `estimated`: calls
 * counted by our tokenizer; `cached`: calls stored before the run began.
 */
export const zeroUsage = {
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
  /** Time of the calls when they were made, now or in an earlier run, without waiting. */
  milliseconds: 0,
  /** Of these, the time of embedding calls. */
  embeddingMilliseconds: 0,
  ...zeroSentUsage,
  // tasks by outcome of their reply: valid, repaired, with items left out, unreadable or missing
  clean: 0,
  repaired: 0,
  partial: 0,
  failed: 0,
  /** Replies that ended at the token limit. */
  cut: 0,
  /** Calls sent without the schema, or without the system role, as the server refuses it. */
  withoutSchema: 0,
  withoutSystem: 0,
  /** Calls whose prompt the server has read by less than half, by its own count. */
  cutPrompts: 0,
  /** Invalid items left out of lists. */
  skippedItems: 0,
  /** Texts of an index that could not be embedded. */
  unembedded: 0,
  /** Scopes that used a random number or a seed. */
  draws: 0,
}

export type PhaseUsage = Readonly<typeof zeroUsage>

/** A counter at zero. */
export function createUsageCounter(): UsageCounter {
  const phases = new Map<Phase, Record<keyof PhaseUsage, number>>()
  const totals = (phase: Phase): PhaseUsage => ({ ...zeroUsage, ...phases.get(phase) })
  const failures: string[] = []
  return {
    noteEmbeddingFailures: (texts) => void failures.push(...texts.slice(0, maxFailureTexts - failures.length)),
    embeddingFailures: () => failures,
    totals,
    add(phase, more) {
      const sums = phases.get(phase) ?? { ...zeroUsage }
      phases.set(phase, sums)
      for (const [field, count] of Object.entries(more)) sums[field as keyof PhaseUsage] += count
      // rounded to the hundredth: sums do not depend on their order
      for (const field of ['milliseconds', 'embeddingMilliseconds'] as const)
        sums[field] = Math.round(sums[field] * 100) / 100
    },
    usage(phase) {
      const all = totals(phase)
      const { calls, promptTokens, completionTokens, embeddedTokens, estimated } = all
      const nonZero = Object.fromEntries(
        optionalFields.filter((name) => all[name] > 0).map((name) => [name, all[name]]),
      )
      return { calls, promptTokens, completionTokens, embeddedTokens, estimated, ...nonZero }
    },
  }
}

/** Embedding failures that are reported in words. */
const maxFailureTexts = 3

const optionalFields = [
  ...(['embeddingCalls', 'embeddedTexts', 'cutTexts', 'unreadTokens', 'rankedTokens', 'rankedTexts'] as const),
  ...(['cut', 'repaired', 'partial', 'skippedItems', 'withoutSchema', 'withoutSystem', 'cutPrompts'] as const),
]

/** Counts sent calls per usage counter until a line of the results contains them. */
export function trackSentCalls() {
  const callCounts = new Map<UsageCounter, number>()
  return {
    /** The same counter; its uncached calls are tracked. */
    track: (counter: UsageCounter): UsageCounter => ({
      ...counter,
      add(phase, more) {
        counter.add(phase, more)
        const { calls = 0, cached = 0 } = more
        if (calls > cached) callCounts.set(counter, (callCounts.get(counter) ?? 0) + calls - cached)
      },
    }),
    /** Marks the counter's calls so far as contained in a line. */
    clear: (counter: UsageCounter): void => void callCounts.delete(counter),
    /** The calls that no line contains. */
    pending: (): number => [...callCounts.values()].reduce((sum, calls) => sum + calls, 0),
  }
}
