import type { Drawing, Graph, GraphHealth } from '../types.ts'

/** What a page must never take for markup. */
export const hostile = `</script><img src=x onerror="window.hacked=1">]]>&amp;'`

/** The health of a graph without a node. */
export const noHealth: GraphHealth = { nodes: 0, edges: 0, components: 0, largest: 0 }

type Node = Graph['nodes'][number]

const node = (kind: string, id: string, text: string, group: number, data?: Node['data']): Node => ({
  id,
  kind,
  text,
  group,
  ...(data && { data }),
})

/**
 * Two themes of two chunks and their summaries, tied in a chain, with hostile words wherever a method or dataset can
 * put words.
 */
export const drawing: Drawing = {
  method: 'memory',
  corpus: `mill ${hostile}`,
  health: { nodes: 6, edges: 5, components: 2, largest: 5 },
  graph: {
    nodes: [
      node('chunk', '0:0', 'Tamsin Vale built the mill.', 1, { questions: ['Who built the mill?'], degree: 1.25 }),
      node('chunk', '0:1', 'The weir broke in 1903.', 1, { questions: [`What broke? ${hostile}`], degree: 2.5 }),
      node('chunk', '0:2', `The bakery sells rye bread. ${hostile}`, 2, { [hostile]: hostile }),
      node('chunk', '0:3', 'The oven went to a museum.', 0),
      node('summary', 'theme 1', 'A mill and its weir.', 1, { members: [0, 1], eigenvalue: 0.9 }),
      node('summary', hostile, 'A bakery and its oven.', 2, { members: [2], eigenvalue: null }),
    ],
    edges: [
      { from: 0, to: 1, weight: 3 },
      { from: 1, to: 2, weight: 0.5, kind: hostile },
      { from: 2, to: 3, weight: 2 },
      { from: 4, to: 0, weight: 2.5 },
      { from: 5, to: 2, weight: 1.5 },
    ],
    groups: ['theme 1 of the mill', `theme 2 of ${hostile}`],
    spectrum: [1, 0.5, -0.25],
    notes: ['Leading eigenvalues of the mill.', `Λ 1.14, ${hostile}`],
  },
  lookups: [
    {
      question: 'Where did the oven go?',
      own: false,
      found: [
        { nodes: [3], score: 0.9, why: { question: `Where is the oven? ${hostile}`, similarity: 0.9 } },
        { nodes: [5], score: 0.5 },
        { nodes: [], score: 0.25, text: `of no node ${hostile}` },
      ],
      evidence: [3, 2],
    },
    { question: `Who built it? ${hostile}`, own: true, found: [{ nodes: [0], score: 1 }] },
  ],
  failed: 1,
}
