import { addFields } from '../../basics/collections.ts'
import { dollars, priceOf } from '../../basics/dollars.ts'
import type { Manifest } from '../../records.ts'
import type { Usage, Phase } from '../../types.ts'

export const noUsage: Usage = { calls: 0, promptTokens: 0, completionTokens: 0, embeddedTokens: 0, estimated: 0 }

/** Sums of usage by method id and phase. */
export function usageSums() {
  const sums = new Map<string, Usage>()
  const of = (methodId: string, phase: Phase): Usage => sums.get(`${methodId} ${phase}`) ?? noUsage
  return {
    of,
    add(methodId: string, phase: Phase, usage: Usage): void {
      sums.set(`${methodId} ${phase}`, { ...noUsage, ...addFields({ ...of(methodId, phase) }, { ...usage }) })
    },
  }
}

/** Undefined where a used model has no price. */
export function moneyOf(
  { complete, answer = complete, embed, judge, rerank }: Manifest['models'],
  phase: Phase,
  usage: Usage,
): number | undefined {
  const { price: completing } = { index: complete, retrieve: complete, answer, judge }[phase]
  const { price: embedding } = embed
  const ranking = rerank?.price
  if (!completing && !embedding && !ranking) return undefined
  const { rankedTokens = 0, completionTokens, embeddedTokens } = usage
  const promptTokens = usage.promptTokens - rankedTokens
  if (promptTokens + completionTokens > 0 && !completing) return undefined
  if (embeddedTokens > 0 && !embedding) return undefined
  if (rankedTokens > 0 && !ranking) return undefined
  const { prompt = 0, completion = 0 } = completing ?? {}
  const tokens = { promptTokens, completionTokens, embeddedTokens }
  return (
    dollars(tokens, { prompt, completion, embedding: embedding?.embedding ?? 0 }) +
    (rankedTokens * (ranking?.prompt ?? 0)) / 1e6
  )
}

/** If any model has a price, local models cost nothing. */
export function pricedModels(models: Manifest['models']): Manifest['models'] {
  const modelEntries = Object.entries(models)
  if (!modelEntries.some(([, { price }]) => price)) return models
  return Object.fromEntries(
    modelEntries.map(([role, model]) => [role, { ...model, price: priceOf(model) }]),
  ) as Manifest['models']
}

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
