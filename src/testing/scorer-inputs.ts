import type { ContextPassage, Kind, Reference, ScorerInput, ScorerNeeds } from '../types.ts'

/** Answers good, bad, empty, canned and in no known letters, each with contexts full, odd and empty, and with evidence, none, or none named. */
export function inputsOfKind(kind: Kind): ScorerInput[] {
  const [evidence, relevant] = [[{ documentId: 'cats', text: 'Cats purr.' }], ['cats:0']]
  const supports = [{ evidence, relevant }, { evidence: [], relevant: [] }, {}]
  return references[kind].flatMap((reference) =>
    supports.flatMap(({ evidence, relevant }) =>
      contexts.flatMap((context) =>
        answers.map((answer) => ({
          question: { id: 'q', text: 'Who purrs?', reference, ...(evidence && { evidence }) },
          context,
          answer,
          ...(relevant && { relevant }),
        })),
      ),
    ),
  )
}

/** What a run gives of other trials to a scorer that needs it: opponents with an answer, with a fixed one, and with none. */
export const neededBy = ({ references: wanted, opponents, outcome }: ScorerNeeds = {}): Pick<
  ScorerInput,
  'references' | 'opponents' | 'outcome'
> => ({
  ...(outcome && {
    outcome: {
      scores: [{ scorer: 'accuracy', value: 0 }],
      oracle: { scores: [{ scorer: 'accuracy', value: 1 }], answer: 'Cats purr.' },
      evidence: [{ context: 'none' as const, ranking: 'whole' as const }],
      deep: true,
    },
  }),
  ...(wanted && { references: ['Cats purr.', 'Dogs bark.', ''] }),
  ...(opponents && {
    opponents: [
      { row: 'a', answer: { text: 'Cats purr, and dogs do not.', choice: 0 } },
      { row: 'b', answer: { text: 'Unanswerable', choice: null, canned: true } },
      { row: 'c' },
    ],
  }),
})

const references: Readonly<Record<Kind, readonly Reference[]>> = {
  choice: [{ kind: 'choice', options: ['cats', 'dogs', 'the', 'both'], correct: 0 }],
  answer: [
    {
      kind: 'answer',
      accepted: [
        { text: 'Cats', type: 'extractive', evidence: [{ documentId: 'cats', text: 'Cats purr.' }] },
        { text: 'cats, and kittens', type: 'abstractive', evidence: [] },
      ],
    },
    { kind: 'answer', accepted: [{ text: 'Unanswerable', type: 'unanswerable' }] },
    { kind: 'answer', accepted: [{ text: 'the' }] },
    { kind: 'answer', accepted: [] },
  ],
  summary: [
    { kind: 'summary', accepted: ['Cats purr.\nDogs bark.', ''] },
    { kind: 'summary', accepted: [] },
  ],
  turn: [{ kind: 'turn', accepted: 'Cats do.' }],
}

const answers: readonly ScorerInput['answer'][] = [
  { text: 'Cats', choice: 0 },
  { text: 'dogs', choice: 1 },
  { text: '', choice: null },
  { text: 'Unanswerable', choice: null, canned: true },
  { text: '猫 \u0301\u0000 🐈 ...', choice: null },
]

const chunk: ContextPassage = {
  text: 'Cats purr.',
  score: 0.5,
  from: ['cats:0'],
  kind: 'chunk',
  tokens: 3,
  documents: ['cats'],
  spans: [{ documentId: 'cats', start: 0, end: 10 }],
  evidence: [0],
}

const contexts: readonly (readonly ContextPassage[])[] = [
  [chunk, { ...chunk, from: ['dogs:0'], documents: ['dogs'], evidence: [] }],
  [
    { ...chunk, kind: 'summary', from: ['cats:0', 'dogs:0'], documents: ['cats', 'dogs'], derived: true, score: -1 },
    { ...chunk, kind: 'facts', from: [], documents: [], evidence: [] },
    chunk,
    chunk,
  ],
  [],
]
