import type { Drawing, GraphHealth } from '../types.ts'

/** What a page must never take for markup. */
export const hostile = `</script><img src=x onerror="window.hacked=1">]]>&amp;'`

/** The health of a graph without a node. */
export const noHealth: GraphHealth = { nodes: 0, edges: 0, components: 0, largest: 0 }

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
      {
        id: '0:0',
        kind: 'chunk',
        text: 'Tamsin Vale built the mill.',
        group: 1,
        data: { questions: ['Who built the mill?'], degree: 1.25 },
      },
      {
        id: '0:1',
        kind: 'chunk',
        text: 'The weir broke in 1903.',
        group: 1,
        data: { questions: [`What broke? ${hostile}`], degree: 2.5 },
      },
      {
        id: '0:2',
        kind: 'chunk',
        text: `The bakery sells rye bread. ${hostile}`,
        group: 2,
        data: { [hostile]: hostile },
      },
      { id: '0:3', kind: 'chunk', text: 'The oven went to a museum.', group: 0 },
      {
        id: 'theme 1',
        kind: 'summary',
        text: 'A mill and its weir.',
        group: 1,
        data: { members: [0, 1], eigenvalue: 0.9 },
      },
      {
        id: hostile,
        kind: 'summary',
        text: 'A bakery and its oven.',
        group: 2,
        data: { members: [2], eigenvalue: null },
      },
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
        {
          nodes: [3],
          score: 0.9,
          why: { question: `Where is the oven? ${hostile}`, similarity: 0.9 },
        },
        { nodes: [5], score: 0.5 },
        { nodes: [], score: 0.25, text: `of no node ${hostile}` },
      ],
      evidence: [3, 2],
    },
    { question: `Who built it? ${hostile}`, own: true, found: [{ nodes: [0], score: 1 }] },
  ],
  failed: 1,
}
