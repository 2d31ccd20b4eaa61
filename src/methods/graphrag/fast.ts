import { groupBy } from '../../basics/collections.ts'
import { percentile } from '../../math/statistics/descriptive.ts'
import type { SourceUnit } from '../shared/text-units.ts'
import { combinedDegree, degreesOf, type Entity, type Relationship } from './tables.ts'
import { openWink } from '../../text/wink.ts'

/** Text units that a noun phrase stands in, at least; percentile of weights below which pairs go (release 3.1.2). */
const least = { units: 2, weightPercentile: 40 }

/**
 * Entities and relationships without a model (section 2, fast): the noun phrases of each text unit, related where they
 * stand in one, weighed by their mutual information; then rare phrases, weak pairs and phrases in no pair are left out.
 * Descriptions are empty.
 */
export async function nounTables(sources: readonly SourceUnit[]) {
  const phrasesOf = await nounPhrases()
  const perUnit = sources.map(({ text }) => [...new Set(phrasesOf(text))])
  const units = new Map(
    Array.from(
      groupBy(
        perUnit.flatMap((titles, unit) => titles.map((title) => ({ title, unit }))),
        ({ title }) => title,
      ),
      ([title, met]) => [title, met.map(({ unit }) => unit)],
    ),
  )
  const frequent = (title: string) => unitsOf(title).length >= least.units
  const pairs = pairsOf(perUnit.map((titles) => titles.filter(frequent)))
  const related = pruned(withMutualInformation(pairs, perUnit, (title) => unitsOf(title).length))
  const degrees = degreesOf(related)
  return {
    entities: [...units]
      .filter(([title]) => degrees.has(title))
      .map(([title, textUnitIds], id): Entity => ({
        ...{ id, title, type: 'NOUN PHRASE', description: '', textUnitIds, frequency: textUnitIds.length },
        degree: degrees.get(title) ?? 0,
      })),
    relationships: related.map((pair, id): Relationship => ({
      ...{ id, ...pair, description: '', combinedDegree: combinedDegree(pair, degrees) },
    })),
    stats: { nounPhrases: units.size, pairs: pairs.length },
    warnings: { 'text units without a noun phrase': perUnit.filter((titles) => titles.length === 0).length },
  }

  function unitsOf(title: string): readonly number[] {
    return units.get(title) ?? []
  }
}

interface Pair {
  readonly source: string
  readonly target: string
  readonly weight: number
  readonly textUnitIds: readonly number[]
}

/** Every two phrases of a unit, in the order of first meeting; the weight is the number of units that hold both. */
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

/** The pairs with p(x,y) · log2(p(x,y) / (p(x) · p(y))) as weight; shares of all pairs and phrases. */
function withMutualInformation(
  pairs: readonly Pair[],
  perUnit: readonly (readonly string[])[],
  unitsOf: (title: string) => number,
): readonly Pair[] {
  const allPhrases = perUnit.reduce((sum, { length }) => sum + length, 0)
  const allPairs = perUnit.reduce((sum, { length }) => sum + (length * (length - 1)) / 2, 0)
  const share = (title: string) => unitsOf(title) / allPhrases
  return pairs.map((pair) => {
    const both = pair.weight / allPairs
    return { ...pair, weight: both * Math.log2(both / (share(pair.source) * share(pair.target))) }
  })
}

/** The pairs that weigh no less than a percentile of all weights. */
function pruned(pairs: readonly Pair[]): readonly Pair[] {
  if (pairs.length === 0) return pairs
  const bound = percentile(
    pairs.map(({ weight }) => weight),
    least.weightPercentile,
  )
  return pairs.filter(({ weight }) => weight >= bound)
}

/**
 * Gives the noun phrases of an English text in upper case, in order, repeated as often as they stand there: runs of
 * adjectives and nouns that end in a noun. Only those count that hold a name, or two words or more; a word longer than
 * 25 letters is none.
 */
export async function nounPhrases(): Promise<(text: string) => readonly string[]> {
  const wink = await openWink()
  return (text) => {
    const tokens = wink.readDoc(text).tokens()
    const words = tokens.out()
    const tags = tokens.out(wink.its.pos)
    const found: string[] = []
    let run: Word[] = []
    const close = (): void => {
      const last = run.findLastIndex(({ tag }) => NOUNS.has(tag))
      const phrase = run.slice(0, last + 1)
      if (phrase.length > 1 || phrase.some(({ tag }) => tag === 'PROPN'))
        found.push(phrase.map(({ word }) => word.toUpperCase()).join(' '))
      run = []
    }
    for (const [place, word] of words.entries()) {
      const tag = tags[place] ?? 'X'
      if ((NOUNS.has(tag) || tag === 'ADJ') && WORD.test(word)) run.push({ word, tag })
      else close()
    }
    close()
    return found
  }
}

interface Word {
  readonly word: string
  readonly tag: string
}

const NOUNS: ReadonlySet<string> = new Set(['NOUN', 'PROPN'])
const WORD = /^(?=.*\p{L})[\p{L}\p{M}\p{N}'’.&-]{1,25}$/u
