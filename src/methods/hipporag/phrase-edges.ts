import type { Edges } from '../../math/graph.ts'
import { similarityJoin } from '../../math/similarity-join.ts'
import type { Matrix } from '../../math/vectors.ts'
import type { Knowledge } from './knowledge.ts'

export interface PhraseEdgeOptions {
  readonly synonymThreshold: number
  readonly synonymK: number
  readonly maxSynonyms: number
  readonly synonymMode: 'overwrite' | 'add'
  readonly relationWeight: 1 | 2
}

/** Edges between phrases, the relations first, and how they came about. */
export interface PhraseEdges extends Edges {
  readonly relations: number
  readonly facts: {
    readonly relationPairs: number
    readonly relationEdges: number
    readonly synonymEdges: number
    readonly synonymsOnRelations: number
    readonly selfLoopsDropped: number
  }
}

/**
 * Relation and synonym edges as igraph sees them in the reference (section 3.1 of HippoRAG 2; its code): a triple adds 1 from subject
 * to object and 1 back, which become two parallel edges, so that its weight counts double. A synonym found from one phrase
 * to another takes the place of the relation in that direction.
 */
export function phraseEdges(
  { phrases, facts }: Knowledge,
  vectors: Matrix,
  { synonymMode, relationWeight, ...options }: PhraseEdgeOptions,
): PhraseEdges {
  const count = phrases.length
  const weights = new Map<number, number>()
  const loops = new Set<number>()
  const add = (from: number, to: number, weight: number) => {
    const key = from * count + to
    weights.set(key, (weights.get(key) ?? 0) + weight)
  }
  for (const { subject, object, times } of facts) {
    if (subject === undefined || object === undefined) continue
    if (subject === object) loops.add(subject)
    else {
      add(subject, object, (times * relationWeight) / 2)
      add(object, subject, (times * relationWeight) / 2)
    }
  }
  const relations = weights.size
  let synonymEdges = 0
  let onRelations = 0
  for (const { from, to, score } of synonymsOf(phrases, vectors, options)) {
    const key = from * count + to
    const known = weights.get(key)
    if (known !== undefined) onRelations++
    synonymEdges++
    weights.set(key, synonymMode === 'add' ? (known ?? 0) + score : score)
  }
  return {
    from: Uint32Array.from(weights.keys(), (key) => Math.floor(key / count)),
    to: Uint32Array.from(weights.keys(), (key) => key % count),
    weight: Float64Array.from(weights.values()),
    relations,
    facts: {
      relationPairs: relations / 2,
      relationEdges: relations,
      synonymEdges,
      synonymsOnRelations: onRelations,
      selfLoopsDropped: loops.size,
    },
  }
}

/** From each phrase long enough to mean something to the phrases most like it. */
function* synonymsOf(
  phrases: readonly string[],
  vectors: Matrix,
  options: Pick<PhraseEdgeOptions, 'synonymThreshold' | 'synonymK' | 'maxSynonyms'>,
) {
  const { synonymThreshold, synonymK, maxSynonyms } = options
  // the nearest of the K neighbours is the phrase itself
  const most = Math.min(maxSynonyms, synonymK - 1)
  let from = 0
  for (const similar of similarityJoin(vectors, synonymThreshold, most)) {
    if ((phrases[from] ?? '').replaceAll(' ', '').length > 2)
      for (const { index: to, score } of similar) yield { from, to, score }
    from++
  }
}
