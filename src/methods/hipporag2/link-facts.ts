import { itemAt } from '../../basics/collections.ts'
import { ModelError } from '../../errors.ts'
import { highest } from '../../math/highest.ts'
import { products, type Matrix } from '../../math/vectors.ts'
import { filterFacts } from '../../tasks/entities.ts'
import { byCodePoint } from '../../text/characters.ts'
import type { Models } from '../../types.ts'
import { attempt, lossOf } from '../shared/attempt.ts'
import { type Fact, factText } from '../hipporag/knowledge.ts'
import { minMax } from '../shared/scores.ts'

/** A fact and its similarity to the question, scaled to [0, 1] over all facts. */
export interface LinkedFact {
  readonly fact: Fact
  readonly score: number
}

/** Number of facts nearest to the question that are linked (released code). */
const linkingTopK = 5

/** The facts nearest to the question, best first (HippoRAG 2, section 3.2: query to triple). */
export const linkFacts = (facts: readonly Fact[], vectors: Matrix, query: Float32Array): LinkedFact[] =>
  highest(minMax(products(query, vectors)), linkingTopK).map(({ index, score }) => ({
    fact: itemAt(facts, index),
    score,
  }))

interface FilterOptions {
  readonly filter: 'llm' | 'none'
  readonly filterTokens: number
}

/** Facts that the model may select (the paper's prompt). */
const maxFacts = 4

/**
 * Recognition memory (section 3.2): the facts that a model selects, in its order. Each is matched to the most similar
 * candidate, so that an invented fact always maps to one; a fact selected twice counts twice. Without the filter all
 * candidates are retained. `fallbackReason`: why no fact is.
 */
export async function recognise(
  question: string,
  candidates: readonly LinkedFact[],
  { filter, filterTokens: maxTokens }: FilterOptions,
  models: Models,
): Promise<{ readonly facts: readonly LinkedFact[]; readonly fallbackReason?: string }> {
  if (candidates.length === 0) return { facts: [], fallbackReason: 'no fact was found' }
  if (filter === 'none') return { facts: candidates }
  const triples = candidates.map(({ fact }) => fact.triple)
  const texts = triples.map(factText)
  const reply = await attempt(models, filterFacts, { question, facts: triples, most: maxFacts, maxTokens })
  if (reply instanceof ModelError) return { facts: [], fallbackReason: `the reply of the filter ${lossOf(reply)}` }
  const selection = reply.fact
    .slice(0, maxFacts)
    .flatMap((triple) => candidates[closest(factText(triple), texts)] ?? [])
  return selection.length > 0 ? { facts: selection } : { facts: selection, fallbackReason: 'the filter kept no fact' }
}

/** The most similar candidate, as by Python's difflib.get_close_matches with cutoff 0; ties go to the largest text. */
export function closest(text: string, candidates: readonly string[]): number {
  const ranking = candidates.map((candidate, index) => ({ candidate, index, score: likeness(candidate, text) }))
  const [best] = ranking.sort((a, b) => b.score - a.score || byCodePoint(b.candidate, a.candidate))
  if (!best) throw new Error('there is no candidate to choose')
  return best.index
}

/** Ratcliff and Obershelp's similarity: twice the matching characters over all, without difflib's junk rule. */
export const likeness = (a: string, b: string): number =>
  a.length + b.length === 0 ? 1 : (2 * matching(a, b)) / (a.length + b.length)

/** The length of the longest common substring plus, recursively, of the matches before and after it. */
function matching(a: string, b: string): number {
  if (a === '' || b === '') return 0
  const { startA, startB, length } = longestCommon(a, b)
  if (length === 0) return 0
  return (
    length +
    matching(a.slice(0, startA), b.slice(0, startB)) +
    matching(a.slice(startA + length), b.slice(startB + length))
  )
}

/** The longest common substring: of equal length the first in `a`, then in `b`. */
function longestCommon(a: string, b: string) {
  let best = { startA: 0, startB: 0, length: 0 }
  let ending = new Map<number, number>()
  for (let i = 0; i < a.length; i++) {
    const next = new Map<number, number>()
    for (let j = b.indexOf(a.charAt(i)); j >= 0; j = b.indexOf(a.charAt(i), j + 1)) {
      const length = (ending.get(j - 1) ?? 0) + 1
      next.set(j, length)
      if (length > best.length) best = { startA: i - length + 1, startB: j - length + 1, length }
    }
    ending = next
  }
  return best
}
