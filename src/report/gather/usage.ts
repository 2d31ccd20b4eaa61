import { addFields } from '../../basics/collections.ts'
import { dollars, priceOf } from '../../basics/dollars.ts'
import { memoise } from '../../basics/memoise.ts'
import type { Manifest, MeterLine, ModelRecord, Row } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import type { Usage, Phase } from '../../types.ts'
import { runOfRow } from '../synthetic.ts'

export const noUsage: Usage = { calls: 0, promptTokens: 0, completionTokens: 0, embeddedTokens: 0, estimated: 0 }

/** Sums of usage by method id and phase. */
export function usageSums() {
  const sums = new Map<string, Usage>()
  const of = (methodId: string, phase: Phase) => sums.get(`${methodId} ${phase}`) ?? noUsage
  return {
    of,
    add(methodId: string, phase: Phase, usage: Usage): void {
      const sum = addFields({ ...of(methodId, phase) }, { ...usage })
      sums.set(`${methodId} ${phase}`, { ...noUsage, ...sum })
    },
  }
}

/** Usage of a row in one phase, including cached calls; `cached` counts these. */
export interface UsageCell extends Row, Usage {
  readonly phase: Phase
  readonly cached: number
  readonly milliseconds: number
  /** Embedded texts and tokens that were not cached; absent for none. */
  readonly newTexts?: number
  readonly newEmbeddedTokens?: number
  /** In the currency of the prices, local models free; absent where a model has no price. */
  readonly money?: number
}

export const phases: readonly Phase[] = ['index', 'retrieve', 'answer', 'judge']

/** A cell per row and phase. `timings`: what was cached, and durations. */
export async function usageCells(
  manifest: Manifest,
  timings: AsyncIterable<MeterLine>,
  usageOf: (methodId: string, phase: Phase) => Usage,
): Promise<readonly UsageCell[]> {
  const ids = new Map(manifest.methods.toReversed().map((row) => [rowName(row), row.id]))
  // rows that differ only in their labels share lines under the first label
  const meters = memoise((_key: string): Record<string, number> => ({}))
  for await (const { method, variant, phase, ...numbers } of timings) {
    const meter = meters(`${ids.get(rowName({ method, variant })) ?? ''} ${phase}`)
    Object.assign(meter, addFields(meter, numbers))
  }
  return manifest.methods.flatMap((row) =>
    phases.map((phase) => {
      const { method, variant, id } = row
      const usage = usageOf(id, phase)
      const { cached = 0, milliseconds = 0, newTexts = 0, newEmbeddedTokens = 0 } = meters(`${id} ${phase}`)
      const money = moneyOf(runOfRow(manifest, row).models, phase, usage)
      return {
        method,
        variant,
        phase,
        ...usage,
        cached,
        milliseconds: Math.round(milliseconds),
        ...(newTexts > 0 && { newTexts, newEmbeddedTokens }),
        ...(money !== undefined && { money }),
      }
    }),
  )
}

/** Local models are free if any has a price. Undefined if none has, or a used one lacks it. */
export function moneyOf(models: Manifest['models'], phase: Phase, usage: Usage): number | undefined {
  const { complete, answer = complete, embed, judge, rerank } = models
  const isPriced = Object.values(models).some(({ price }) => price)
  const priceIn = (model: ModelRecord | undefined) => (isPriced && model ? priceOf(model) : undefined)
  const completion = priceIn({ index: complete, retrieve: complete, answer, judge }[phase])
  const embedding = priceIn(embed)
  const ranking = priceIn(rerank)
  if (!completion && !embedding && !ranking) return undefined
  const { rankedTokens = 0, completionTokens, embeddedTokens } = usage
  const promptTokens = usage.promptTokens - rankedTokens
  if (promptTokens + completionTokens > 0 && !completion) return undefined
  if (embeddedTokens > 0 && !embedding) return undefined
  if (rankedTokens > 0 && !ranking) return undefined
  const price = { ...(completion ?? noPrice), embedding: embedding?.embedding ?? 0 }
  const rankingCost = (rankedTokens * (ranking?.prompt ?? 0)) / 1e6
  return dollars({ promptTokens, completionTokens, embeddedTokens }, price) + rankingCost
}

const noPrice = { prompt: 0, completion: 0 }

/** Counts by text, in order of first occurrence. */
export function counts() {
  const sums = new Map<string, number>()
  return {
    add: (text: string, times = 1) => void sums.set(text, (sums.get(text) ?? 0) + times),
    // 0 without counts
    most: () => Math.max(0, ...sums.values()),
    all: (): Readonly<Record<string, number>> => Object.fromEntries(sums),
  }
}
