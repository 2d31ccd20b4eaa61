import { dollars, priceOf } from '../../basics/dollars.ts'
import type { Manifest } from '../../records.ts'
import type { Phase, Usage } from '../../types.ts'

/** What the tokens of a phase cost by the prices of a manifest, per million; undefined where a model that was used has no price. */
export function moneyOf(
  { complete, answer = complete, embed, judge }: Manifest['models'],
  phase: Phase,
  usage: Usage,
): number | undefined {
  const { price: completing } = { index: complete, retrieve: complete, answer, judge }[phase]
  const { price: embedding } = embed
  if (!completing && !embedding) return undefined
  const { promptTokens, completionTokens, embeddedTokens } = usage
  if (promptTokens + completionTokens > 0 && !completing) return undefined
  if (embeddedTokens > 0 && !embedding) return undefined
  const { prompt = 0, completion = 0 } = completing ?? {}
  return dollars(usage, { prompt, completion, embedding: embedding?.embedding ?? 0 })
}

/** Models with the prices that a forecast takes: where any has one, those on this computer cost nothing; where none has, nothing is said of money. */
export function pricedModels(models: Manifest['models']): Manifest['models'] {
  const named = Object.entries(models)
  if (!named.some(([, { price }]) => price)) return models
  return Object.fromEntries(
    named.map(([role, model]) => [role, { ...model, price: priceOf(model) }]),
  ) as Manifest['models']
}
