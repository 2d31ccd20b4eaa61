import type { Phase, Usage } from '../types.ts'

/** Adds up what was spent. */
export interface Meter {
  add(phase: Phase, more: Partial<PhaseUsage>): void
  /** What goes into the results: only what does not depend on the machine and its cache. */
  usage(phase: Phase): Usage
  spent(phase: Phase): PhaseUsage
  /** Keeps the first texts that could not be embedded, each with the reason. */
  noteUnembedded(texts: readonly string[]): void
  unembedded(): readonly string[]
}

/** Of `calls`, those that a phase has sent itself: not those that others sent or had sent before. */
export const noneSent = {
  sent: 0,
  sentPromptTokens: 0,
  sentCompletionTokens: 0,
  sentTexts: 0,
  sentEmbeddedTokens: 0,
  sentMilliseconds: 0,
}

/**
 * What one phase spent, and nothing yet. Every number but `cached`, times and what was sent is the same whatever was
 * cached and however many calls ran at once. `calls` counts answered calls (a repair question is one, an `embed` of
 * many texts is one); `estimated` those that our tokenizer counted; `cached` those that were stored before the run
 * began.
 */
export const noUsage = {
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
  /** How long the calls took when they were made, whether now or in an earlier run; waiting excluded. */
  milliseconds: 0,
  /** Of these, the time of embedding calls. */
  embeddingMilliseconds: 0,
  ...noneSent,
  // tasks by how their reply was read: as it stood, after repair, with items left out, not at all or not answered
  clean: 0,
  repaired: 0,
  partial: 0,
  failed: 0,
  /** Replies that ended at the token limit. */
  cut: 0,
  /** Calls without the schema, or without the system role, that the server refuses. */
  withoutSchema: 0,
  withoutSystem: 0,
  /** Calls of which the server has read less than half of the prompt, by its own count. */
  cutPrompts: 0,
  /** Items left out of lists because they did not fit. */
  skippedItems: 0,
  /** Texts of an index that could not be embedded. */
  unembedded: 0,
  /** Scopes that took a random number or a seed. */
  draws: 0,
}

export type PhaseUsage = Readonly<typeof noUsage>

const fields = Object.keys(noUsage) as readonly (keyof PhaseUsage)[]

/** A meter at zero. */
export function createMeter(): Meter {
  const phases = new Map<Phase, Record<keyof PhaseUsage, number>>()
  const spent = (phase: Phase): PhaseUsage => ({ ...noUsage, ...phases.get(phase) })
  const unembedded: string[] = []
  return {
    noteUnembedded: (texts) => void unembedded.push(...texts.slice(0, mostNamed - unembedded.length)),
    unembedded: () => unembedded,
    spent,
    add(phase, more) {
      const sums = phases.get(phase) ?? { ...noUsage }
      phases.set(phase, sums)
      for (const field of fields) sums[field] += more[field] ?? 0
      // to the hundredth, as it is measured: then sums do not depend on their order
      for (const field of ['milliseconds', 'embeddingMilliseconds', 'sentMilliseconds'] as const)
        sums[field] = Math.round(sums[field] * 100) / 100
    },
    usage(phase) {
      const all = spent(phase)
      const { calls, promptTokens, completionTokens, embeddedTokens, estimated } = all
      const told = Object.fromEntries(toldUnlessZero.filter((name) => all[name] > 0).map((name) => [name, all[name]]))
      return { calls, promptTokens, completionTokens, embeddedTokens, estimated, ...told }
    },
  }
}

/** Texts that are named of those that could not be embedded. */
const mostNamed = 3

const toldUnlessZero = [
  ...(['embeddingCalls', 'embeddedTexts', 'cutTexts', 'unreadTokens', 'rankedTokens', 'rankedTexts'] as const),
  ...(['cut', 'repaired', 'partial', 'skippedItems', 'withoutSchema', 'withoutSystem', 'cutPrompts'] as const),
]

/** Calls that were sent, by the meters that counted them, until a line of the results shows what the meter has. */
export function sentCalls() {
  const sent = new Map<Meter, number>()
  return {
    /** The same meter, of which every call is noted that was not stored before. */
    noted: (meter: Meter): Meter => ({
      ...meter,
      add(phase, more) {
        meter.add(phase, more)
        const { calls = 0, cached = 0 } = more
        if (calls > cached) sent.set(meter, (sent.get(meter) ?? 0) + calls - cached)
      },
    }),
    /** Says that a line shows all that the meter has by now. */
    shown: (meter: Meter): void => void sent.delete(meter),
    /** The calls that no line shows. */
    unshown: (): number => [...sent.values()].reduce((sum, calls) => sum + calls, 0),
  }
}
