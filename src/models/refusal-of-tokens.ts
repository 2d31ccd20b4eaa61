import type { Provider } from './provider.ts'

/** Why an embedder cannot give the vectors of single tokens at a layer, in one line; undefined where it can. */
export function refusalOfTokens(
  { name, layers, ...provider }: Pick<Provider, 'name' | 'embedTokens' | 'layers'>,
  layer?: number,
): string | undefined {
  if (!provider.embedTokens) return `the provider "${name}" cannot embed single tokens`
  if (layer === undefined || (Number.isInteger(layer) && layer >= 1 && layer <= (layers ?? 0))) return undefined
  return layers === undefined
    ? `the provider "${name}" gives the tokens of its last layer alone: leave "layer" out, or export the model up to that layer`
    : `the provider "${name}" has the layers 1 to ${layers}, not ${layer}`
}
