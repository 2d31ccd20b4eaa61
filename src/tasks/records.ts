import { samples, textTask } from './task.ts'
import { sentenceFor } from './stand-ins/answers.ts'
import { questionAbout } from './stand-ins/facts.ts'

/** A question that a reader might ask and a passage answers (Graph of Records, simulated queries). */
export const simulateQuery = textTask({
  name: 'simulate-query',
  sample: {
    passage: samples.keeper,
    temperature: 0.5,
    variant: 0,
  },
  replyTokens: () => 25,
  offline: ({ passage, variant }) => questionAbout(passage, variant) || 'What is said?',
  system: [
    'You write questions that ask for a summary. Write one question about the main point of the passage below that the passage alone answers in full. Name what it is about instead of saying "the passage". Reply with the question alone, on one line.',
    ({ passage }) => `Passage:\n${passage}`.trim(),
  ],
  user: 'Write one such question.',
  sampling: ({ temperature, variant }) => ({ temperature, variant }),
})

/** A brief, complete answer, which becomes a node of the graph (Graph of Records, responses). */
export const answerFromPassages = textTask({
  name: 'answer-from-passages',
  sample: {
    question: 'Why was the lamp on the western cape lit?',
    passages: [
      'The lighthouse on the western cape was built in 1871.',
      'The keeper lit the lamp every evening, since ships from Leith passed the cape at night.',
    ],
    temperature: 0,
  },
  replyTokens: () => 60,
  offline: ({ question, passages }) => sentenceFor(question, passages.join('\n\n')),
  system: [
    'The passages below are parts of a meeting, a story, a report, a document or another narrative. Answer the question from them, briefly but completely. Reply with the answer alone.',
    ({ passages }) => `Passages:\n${passages.join('\n\n')}`.trim(),
  ],
  user: '{{question}}',
  sampling: ({ temperature }) => ({ temperature, variant: 0 }),
})
