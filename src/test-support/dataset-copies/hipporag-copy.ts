import { writeFiles } from './written.ts'

/** Title, text, and whether the question needs it; the question follows, its hops in the order of its paragraphs. */
const hipporag: readonly {
  readonly id: string
  readonly question: string
  readonly answer: string
  readonly passages: readonly (readonly [title: string, text: string, isGold: boolean])[]
}[] = [
  {
    id: '2hop__1_2',
    question: 'Which river flows past the town where the glass harp was built?',
    answer: 'the Ore',
    passages: [
      ['Glass harp', 'The glass harp was built in the town of Vell by a cooper.', true],
      ['Vell', 'Vell is a town on a hill; the river Ore flows past it.', true],
      ['Cooper', 'A cooper makes barrels.', false],
    ],
  },
  {
    id: '3hop1__3_4_5',
    question: 'Who painted the ceiling of the library that Marten Oke founded in Brill?',
    answer: 'Ilse Tarn',
    passages: [
      ['Marten Oke', 'Marten Oke founded a library.', true],
      ['Brill', 'Brill is a port with a market and a library.', true],
      ['Ilse Tarn', 'Ilse Tarn painted the ceiling of the reading room.', true],
      ['Cooper', 'A cooper makes barrels.', false],
      ['Brill', 'Brill is a flatfish.', false],
    ],
  },
]

/** Two invented questions of two and three hops over seven passages, as HippoRAG publishes MuSiQue. */
export const hipporagCopy = writeFiles('musique-hipporag', {
  'musique.json': hipporag.map(({ passages, answer, ...rest }) => {
    const gold = passages.filter(([, , isGold]) => isGold)
    return {
      ...rest,
      answer,
      answer_aliases: [],
      answerable: true,
      paragraphs: passages.map(([title, paragraph_text, is_supporting], idx) => ({
        idx,
        title,
        paragraph_text,
        is_supporting,
      })),
      question_decomposition: gold.map(([title], at) => ({
        id: at,
        question: `${title}?`,
        answer: title,
        paragraph_support_idx: at,
      })),
    }
  }),
  'musique_corpus.json': [
    ...new Map(
      hipporag.flatMap(({ passages }) => passages.map(([title, text]) => [title + text, { title, text }] as const)),
    ).values(),
  ],
})
