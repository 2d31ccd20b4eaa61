import { memoise } from '../../basics/memoise.ts'
import { createMeter, type Meter, type PhaseUsage } from '../../models/index.ts'
import { guardMethod } from '../strangers/guard-method.ts'
import type { ChunkedCorpus } from './chunk-corpus.ts'
import { modelsFor, type IndexConditions } from './conditions.ts'
import type { MethodEntry } from './method-entry.ts'
import { perRepeat } from './per-repeat.ts'

/** The parts of the indexes of one corpus that rows share. */
export interface SharedParts {
  /**
   * Gives a method the part of its index for a repeat, and books to the meter what the part cost; undefined where it has none. Throws what
   * the method throws.
   */
  take(
    entry: Pick<MethodEntry, 'method' | 'options' | 'part' | 'file' | 'guarded'>,
    repeat: number,
    chunked: ChunkedCorpus,
    conditions: IndexConditions,
    meter: Meter,
  ): Promise<unknown>
  /** Says that a row takes no more; a part that no row takes any more is let go. */
  letGo(entry: Pick<MethodEntry, 'id' | 'part'>): void
}

interface Made {
  readonly outcome: { readonly part: unknown } | { readonly error: unknown }
  readonly spent: PhaseUsage
  readonly drew: boolean
}

/**
 * The parts of the indexes of one corpus: each is made once, or once a repeat where it draws random numbers, and every row that takes it
 * pays for it as if it had made it. `entries` are all rows that will take theirs.
 */
export function sharedParts(entries: readonly Pick<MethodEntry, 'id' | 'part'>[]): SharedParts {
  const takers = new Map<string | undefined, Set<string>>()
  for (const { id, part } of entries) takers.set(part, (takers.get(part) ?? new Set()).add(id))
  const made = new Map<string, (repeat: number) => Promise<Made>>()
  return {
    async take(entry, repeat, chunked, conditions, meter) {
      const { part } = entry
      if (part === undefined) return undefined
      let making = made.get(part)
      if (!making) made.set(part, (making = memoise(perRepeat((of) => make(entry, of, chunked, conditions)))))
      const { outcome, spent } = await making(repeat)
      meter.add('index', spent)
      if ('error' in outcome) throw outcome.error
      return outcome.part
    },
    letGo({ id, part }) {
      const left = takers.get(part)
      left?.delete(id)
      if (part !== undefined && left?.size === 0) made.delete(part)
    },
  }
}

/** The part, seeded by its own name: it is the same whichever row asks first. */
async function make(
  entry: Pick<MethodEntry, 'method' | 'options' | 'file' | 'guarded'>,
  repeat: number,
  { corpus, chunks }: ChunkedCorpus,
  conditions: IndexConditions,
): Promise<Made> {
  const { limits, ended } = conditions
  const { prepares } = guardMethod(entry, { corpus: corpus.id, repeat, limits, ended })
  const meter = createMeter()
  if (!prepares) return { outcome: { part: undefined }, spent: meter.spent('index'), drew: false }
  const models = modelsFor(conditions, 'index', { method: prepares.name, corpus: corpus.id, repeat }, meter)
  const outcome = await prepares.make(chunks, models, entry.options).then(
    (part) => ({ part }),
    (error: unknown) => ({ error }),
  )
  const spent = meter.spent('index')
  return { outcome, spent, drew: spent.draws > 0 }
}
