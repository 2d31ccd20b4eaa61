import type { IndexStats } from '../../types.ts'
import type { AssociationGraph } from './association-graph.ts'
import type { Extracted } from './extract.ts'
import type { GraphOptions } from './options.ts'

/** What the graph of one corpus holds. Edges are directed: a relation between two nodes has two. */
export function stats({ nodes, edges }: AssociationGraph, extracted: Extracted, merged: number): IndexStats {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  return {
    nodes: nodes.length,
    nodesMerged: merged,
    nodesWithoutEdge: edges.filter((own) => own.size === 0).length,
    relations: extracted.relations,
    events: extracted.events,
    edges: sum(edges.map((own) => own.size)),
    labels: sum(edges.flatMap((own) => Array.from(own.values(), (labels) => labels.size))),
    nodeLabels: sum(nodes.map(({ labels }) => labels.size)),
    parseFailures: extracted.lost.replies,
  }
}

/** What was lost, in words that end a note. */
export const warnings = (
  { lost }: Extracted,
  { relations, events }: GraphOptions,
): Readonly<Record<string, number>> => ({
  'extraction replies that could not be read or were refused': lost.replies,
  'chunks without a subject': lost.chunksWithoutSubject,
  'chunks without a relation or an event': relations || events ? lost.chunksWithoutAssociation : 0,
  'relations and events without an object or a meaning': lost.empty,
  'relations of one object, kept as a label of its node': lost.oneObject,
  'relations with one label for both directions, because the reply gave no other': lost.oneWay,
})
