import { dot } from '../../math/vectors.ts'
import type { Models } from '../../types.ts'
import type { AssociationGraph } from './association-graph.ts'

/** The neighbours of a node that were not visited, in the order in which the search descends to them. */
type Descend = (node: number, unvisited: readonly number[]) => readonly number[]

/** Depth-first search from a node, in pre-order, of no more than so many nodes. It ends where nothing is left to reach. */
export function depthFirst(
  start: number,
  neighbours: (node: number) => Iterable<number>,
  most: number,
  descend: Descend = (_, unvisited) => unvisited,
): readonly number[] {
  const visited = new Set<number>()
  const visit = (node: number): void => {
    visited.add(node)
    const unvisited = [...neighbours(node)].filter((next) => !visited.has(next))
    for (const next of visited.size < most ? descend(node, unvisited) : []) {
      if (visited.size >= most) return
      // the search below a neighbour before it may have come here
      if (!visited.has(next)) visit(next)
    }
  }
  visit(start)
  return [...visited]
}

/** Vectors by the text of a label and of the node that it leads to. */
type LabelVectors = ReadonlyMap<string, Float32Array>

/** The vector of each label with the text of the node that it leads to (the paper's ranked retrieval). */
export async function labelVectors({ nodes, edges }: AssociationGraph, models: Models): Promise<LabelVectors> {
  const texts = new Set(
    edges.flatMap((own) => Array.from(own, ([to, labels]) => labelled(labels.keys(), nodes[to]?.text)).flat()),
  )
  const vectors = texts.size > 0 ? await models.embed([...texts], 'document') : []
  return new Map([...texts].map((text, row) => [text, known(vectors[row])]))
}

/** The unvisited neighbour with the label nearest to the search term first, equal ones as they were stored. */
export function nearestFirst({ nodes, edges }: AssociationGraph, vectors: LabelVectors, term: Float32Array): Descend {
  const best = (from: number, to: number): number =>
    labelled(edges[from]?.get(to)?.keys() ?? [], nodes[to]?.text).reduce(
      (most, text) => Math.max(most, dot(term, known(vectors.get(text)))),
      -Infinity,
    )
  return (node, unvisited) =>
    unvisited
      .map((to) => ({ to, score: best(node, to) }))
      .sort((a, b) => b.score - a.score)
      .map(({ to }) => to)
}

function known(vector: Float32Array | undefined): Float32Array {
  if (!vector) throw new Error('the embedding model returned no vector for a label')
  return vector
}

const labelled = (labels: Iterable<string>, text = ''): string[] => Array.from(labels, (label) => `${label} ${text}`)
