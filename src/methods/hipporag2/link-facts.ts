import { ModelError } from '../../errors.ts'
import { highest, products, type Matrix } from '../../math/vectors.ts'
import { filterFacts } from '../../tasks/entities/filter-facts.ts'
import type { Models } from '../../types.ts'
import { attempt, lossOf } from '../shared/attempt.ts'
import { closest } from '../hipporag/closest.ts'
import type { Fact } from '../hipporag/knowledge.ts'
import { minMax } from '../hipporag/min-max.ts'
import { factText } from '../hipporag/normalise.ts'

/** A fact and how near the question is to it, in [0, 1] over all facts. */
export interface LinkedFact {
  readonly fact: Fact
  readonly score: number
}

/** The facts nearest to the question, best first (HippoRAG 2, section 3.2: query to triple). */
export const linkFacts = (facts: readonly Fact[], vectors: Matrix, query: Float32Array, most: number): LinkedFact[] =>
  highest(minMax(products(query, vectors)), most).flatMap(({ index, score }) => {
    const fact = facts[index]
    return fact ? [{ fact, score }] : []
  })

export interface Recognised {
  readonly kept: readonly LinkedFact[]
  /** Why none is kept, in words. */
  readonly lack?: string
}

export interface FilterOptions {
  readonly filter: 'llm' | 'none'
  readonly filterMaxFacts: number
  readonly filterTokens: number
}

/**
 * Recognition memory: the facts that a model finds helpful, in its order (section 3.2). What it names is taken for the candidate most
 * like it, so that an invented fact always maps to something; a fact named twice counts twice. Without the filter all are kept.
 */
export async function recognise(
  question: string,
  candidates: readonly LinkedFact[],
  { filter, filterMaxFacts: most, filterTokens: maxTokens }: FilterOptions,
  models: Models,
): Promise<Recognised> {
  if (candidates.length === 0) return { kept: [], lack: 'no fact was found' }
  if (filter === 'none') return { kept: candidates }
  const facts = candidates.map(({ fact }) => fact.triple)
  const texts = facts.map(factText)
  const reply = await attempt(models, filterFacts, { question, facts, most, maxTokens })
  if (reply instanceof ModelError) return { kept: [], lack: `the reply of the filter ${lossOf(reply)}` }
  const kept = reply.fact.slice(0, most).flatMap((named) => candidates[closest(factText(named), texts)] ?? [])
  return kept.length > 0 ? { kept } : { kept, lack: 'the filter kept no fact' }
}
