import { percentile } from '../../../math/statistics/descriptive.ts'
import { nounPhrases } from '../../../text/noun-phrases.ts'
import { degreesOf, combinedDegree } from '../degrees.ts'
import type { Entity, Relationship } from '../tables.ts'
import type { SourceUnit } from '../../shared/text-units.ts'

export interface PruneOptions {
  readonly minFrequency: number
  readonly minDegree: number
  readonly minWeightPercentile: number
  readonly edgeWeights: 'pmi' | 'count'
}

/**
 * Entities and relationships without a model (section 2, fast): the noun phrases of each text unit, related where they stand in one, as
 * heavy as the units that they share or as their mutual information; then what is rare or weak is left out. Descriptions are empty.
 */
export async function nounTables(sources: readonly SourceUnit[], options: PruneOptions) {
  const phrasesOf = await nounPhrases()
  const perUnit = sources.map(({ text }) => [...new Set(phrasesOf(text))])
  const units = new Map<string, number[]>()
  for (const [unit, titles] of perUnit.entries()) {
    for (const title of titles) {
      const known = units.get(title)
      if (known) known.push(unit)
      else units.set(title, [unit])
    }
  }
  const frequent = (title: string) => (units.get(title)?.length ?? 0) >= options.minFrequency
  const pairs = pairsOf(perUnit.map((titles) => titles.filter(frequent)))
  const weighed = options.edgeWeights === 'pmi' ? withMutualInformation(pairs, perUnit, units) : pairs
  const heavy = pruned(weighed, options.minWeightPercentile)
  const degrees = degreesOf(heavy)
  const kept = new Set(
    [...units.keys()].filter((title) => frequent(title) && (degrees.get(title) ?? 0) >= options.minDegree),
  )
  const related = heavy.filter(({ source, target }) => kept.has(source) && kept.has(target))
  const final = degreesOf(related)
  const entities = [...kept].map((title, id): Entity => {
    const textUnitIds = units.get(title) ?? []
    const frequency = textUnitIds.length
    return { id, title, type: 'NOUN PHRASE', description: '', textUnitIds, frequency, degree: final.get(title) ?? 0 }
  })
  const relationships = related.map((pair, id): Relationship => ({
    id,
    ...pair,
    description: '',
    combinedDegree: combinedDegree(pair, final),
  }))
  return {
    entities,
    relationships,
    stats: { nounPhrases: units.size, pairs: pairs.length },
    warnings: { 'text units without a noun phrase': perUnit.filter((titles) => titles.length === 0).length },
  }
}

interface Pair {
  readonly source: string
  readonly target: string
  readonly weight: number
  readonly textUnitIds: readonly number[]
}

/** Every two phrases of a unit, in the order of first meeting. */
function pairsOf(perUnit: readonly (readonly string[])[]): readonly Pair[] {
  const found = new Map<string, { source: string; target: string; textUnitIds: number[] }>()
  for (const [unit, titles] of perUnit.entries()) {
    for (const [place, a] of titles.entries()) {
      for (const b of titles.slice(place + 1)) {
        const [source, target] = a < b ? [a, b] : [b, a]
        const key = `${source}\n${target}`
        const pair = found.get(key)
        if (pair) pair.textUnitIds.push(unit)
        else found.set(key, { source, target, textUnitIds: [unit] })
      }
    }
  }
  return [...found.values()].map((pair) => ({ ...pair, weight: pair.textUnitIds.length }))
}

/** The pairs with p(x,y) · log2(p(x,y) / (p(x) · p(y))) as weight; shares of all pairs and of all phrases of the units, the rare ones too. */
function withMutualInformation(
  pairs: readonly Pair[],
  perUnit: readonly (readonly string[])[],
  units: ReadonlyMap<string, readonly number[]>,
): readonly Pair[] {
  const allPhrases = perUnit.reduce((sum, { length }) => sum + length, 0)
  const allPairs = perUnit.reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0)
  const share = (title: string) => (units.get(title)?.length ?? 0) / allPhrases
  return pairs.map((pair) => {
    const both = pair.weight / allPairs
    return { ...pair, weight: both * Math.log2(both / (share(pair.source) * share(pair.target))) }
  })
}

/** The pairs that weigh no less than a percentile of all weights. */
function pruned(pairs: readonly Pair[], least: number): readonly Pair[] {
  if (pairs.length === 0) return pairs
  const weights = pairs.map(({ weight }) => weight)
  const bound = percentile(weights, least)
  return pairs.filter(({ weight }) => weight >= bound)
}
