import type { Graph } from '../../types.ts'
import type { AssociationGraph } from './association-graph.ts'

/** Subjects and the directed edges between them, as heavy as they have labels; a node says which its labels are. */
export function drawn({ nodes, edges }: AssociationGraph): Graph {
  return {
    nodes: nodes.map(({ text, labels }, node) => ({
      id: `subject ${node}`,
      kind: 'subject',
      text,
      data: {
        relations: Array.from(edges[node] ?? [], ([to, given]) =>
          Array.from(given.keys(), (label) => `[${label}] ${nodes[to]?.text ?? ''}`),
        ).flat(),
        ...(labels.size > 0 && { labels: [...labels.keys()] }),
      },
    })),
    edges: edges.flatMap((own, from) =>
      Array.from(own, ([to, { size }]) => ({ from, to, weight: size, kind: 'relation' })),
    ),
  }
}
