import { dirname } from 'node:path'
import { writeFiles } from './written.ts'

const popQuestion = (id: number, subject: string, possible_answers: readonly string[]) => ({
  id,
  subj: subject,
  prop: 'occupation',
  question: `What is the occupation of ${subject}?`,
  possible_answers: JSON.stringify(possible_answers),
  paragraphs: [
    { title: subject, text: `${subject} casts bells in Vell.`, is_supporting: true },
    { title: 'Bell founder', text: 'A bell founder casts bells.', is_supporting: true },
  ],
})

const multihop = writeFiles('multihop', {
  '2wikimultihopqa.json': [
    {
      _id: 'w1',
      type: 'comparison',
      question: 'Which bell is older, Gret or Holm?',
      answer: 'Gret',
      context: [
        ['Gret', ['Gret hangs in Vell.', 'It was cast in 1403.']],
        ['Holm', ['Holm was cast in 1511.']],
        ['Vell', ['Vell is a town.']],
      ],
      supporting_facts: [
        ['Holm', 0],
        ['Gret', 1],
        ['Gret', 0],
      ],
    },
    {
      _id: 'w2',
      type: 'compositional',
      question: 'In which land does Gret hang?',
      answer: 'Norrland',
      context: [
        ['Gret', ['Gret hangs in Vell.', 'It was cast in 1403.']],
        ['Vell', ['Vell is a town.']],
        ['Vell', ['Vell lies in Norrland.']],
      ],
      supporting_facts: [
        ['Gret', 0],
        ['Vell', 0],
      ],
    },
  ],
  'hotpotqa.json': [
    {
      _id: 'h1',
      type: 'bridge',
      level: 'easy',
      question: 'Who cast the bell of Vell?',
      answer: 'Oda Lind',
      context: [
        ['Gret', ['Gret is the bell of Vell.', ' Oda Lind cast it.']],
        ['Vell', ['Vell is a town.']],
      ],
      supporting_facts: [['Gret', 1]],
    },
  ],
  'hotpotqa_corpus.json': {
    Gret: ['Gret is the bell of Vell.', ' Oda Lind cast it.'],
    Vell: ['Vell is a town.'],
    Holm: ['Holm is a bell.'],
  },
  'popqa.json': [
    popQuestion(1, 'Oda Lind', ['bell founder', 'caster', 'bell founder']),
    popQuestion(2, 'Ivo Lind', ['bell founder']),
  ],
  'nq_rear.json': [
    {
      question: 'who casts bells',
      reference: ['A bell founder', 'bell founders'],
      contexts: [
        { title: 'Bell founder', text: 'A bell founder casts bells.', is_supporting: true },
        { title: 'Vell', text: 'Vell is a town.', is_supporting: false },
      ],
    },
  ],
  'nq_rear_corpus.json': [
    { title: 'Bell founder', text: 'A bell founder casts bells.' },
    { title: 'Vell', text: 'Vell is a town.' },
    { title: 'Holm', text: 'Holm is a bell.' },
  ],
})

/** The folder of invented questions in the forms in which HippoRAG publishes four sets. */
export const multihopCopy = dirname(multihop)
