import { z } from 'zod'
import { words } from '../text/words.ts'
import { closest, coverage, line, read, termsOf } from './stand-ins/reading.ts'
import { halvesOf, jsonTask, samples, textTask } from './task.ts'

const question = 'Who planned the lighthouse on Cape Wrath, and when was it built?'

const listOfQuestions = z.array(z.string().trim().min(1)).min(1)

/** A hypothetical passage that answers a question (Gao et al. 2023, HyDE, section 3.2). */
export const imaginePassage = textTask({
  name: 'imagine-passage',
  sample: { question, variant: 0 },
  replyTokens: () => 150,
  system:
    'You write a short passage, as it could stand in a document, that answers a question. Reply with the passage alone, in the language of the question.',
  user: '{{question}}',
  maxTokens: 512,
  sampling: ({ variant }) => ({ temperature: 0.7, variant }),
  offline: ({ question }) => question,
})

/** The same question in other words (Rackauckas 2024, RAG-Fusion, section II). */
export const rephraseQuestion = jsonTask({
  name: 'rephrase-question',
  sample: { question, count: 3 },
  replyTokens: ({ count }) => 20 * count,
  output: listOfQuestions,
  system: (
    input,
  ) => `You write search queries for a question: other words for the same thing, or a part of what is asked. Each can be understood by itself and is in the language of the question.
Reply with a JSON list of ${input.count} ${input.count === 1 ? 'string' : 'strings'} and nothing else, for example:
["builder of Arden Mill", "Arden Mill construction year"]`,
  user: '{{question}}',
  offline: ({ question, count }) => {
    const queryWords = contentWords(question).split(' ')
    const [first, second] = halvesOf(queryWords)
    const queries = [queryWords, first, second, queryWords.toReversed()].map((list) => list.join(' '))
    return [...new Set(queries)].filter(Boolean).slice(0, count)
  },
})

/** The simpler subquestions of a question, in the order in which they are answered. */
export const splitQuestion = jsonTask({
  name: 'split-question',
  sample: { question, count: 4 },
  replyTokens: ({ count }) => 10 * count,
  output: listOfQuestions,
  system: `You split a question into the simpler questions that have to be answered first, at most {{count}}. Each can be understood by itself and is in the language of the question. A question that is simple already stays as it is.
Reply with a JSON list of strings and nothing else, for example:
["Who built Arden Mill?", "Where was the builder of Arden Mill born?"]`,
  user: '{{question}}',
  offline({ question, count }) {
    const parts = question
      .split(/,|;|\band\b/)
      .map((part) => part.trim())
      .filter((part) => words(part).length > 1)
    const halves = halvesOf(question.split(/\s+/).filter(Boolean)).map((half) => half.join(' '))
    return (parts.length > 1 ? parts : halves).filter(Boolean).slice(0, count)
  },
})

/** A more general question, whose answer is the background of the original (Zheng et al. 2024, section 2). */
export const stepBack = textTask({
  name: 'step-back',
  sample: { question },
  replyTokens: () => 20,
  system:
    'You write one more general question, whose answer gives the background that is needed for the question below. Reply with that question alone, in the language of the question.',
  user: '{{question}}',
  maxTokens: 128,
  offline: ({ question }) => contentWords(question),
})

/** The next sentence of a chain of thought over passages (Trivedi et al. 2023, IRCoT, section 3.1). */
export const reasonStep = textTask({
  name: 'reason-step',
  sample: {
    question,
    passages: ['The lighthouse on Cape Wrath was planned by Robert Stevenson.'],
    thoughts: ['The lighthouse on Cape Wrath was planned by Robert Stevenson.'],
  },
  replyTokens: () => 30,
  // passages come before thoughts, so that a server with a prefix cache reads less again
  system: [
    `You answer a question by reasoning, one sentence at a time, from the passages below. Write the next sentence alone: a fact that is needed and that names whom or what it is about, or, where the passages do not tell it, what has to be looked for. Once the answer is known, write "So the answer is: " and the answer. Write in the language of the question, but for these four words.`,
    ({ passages }) => `Passages:\n${passages.map((passage) => passage.replace(/\s+/g, ' ').trim()).join('\n\n')}`,
  ],
  user: ({ question, thoughts }) =>
    [`Question: ${question}`, 'Reasoning so far:', ...(thoughts.length > 0 ? thoughts : ['(none)'])].join('\n'),
  maxTokens: 128,
  offline({ question, passages, thoughts }) {
    const sentences = closest(question, passages.flatMap(read))
    const texts = sentences.map(({ sentence }) => sentence.text)
    const best = texts.find((text) => !thoughts.includes(text))
    return thoughts.length >= 2 || best === undefined ? `So the answer is: ${best ?? 'not known'}` : best
  },
})

/** The words of more than three letters, or the whole text if there are none. */
export function contentWords(text: string): string {
  const long = words(text).filter((word) => word.length > 3)
  return long.length > 0 ? long.join(' ') : text
}

const rankingSample = {
  question: samples.question,
  passages: ['Ships from Leith passed the cape at night.', samples.fact, 'The lamp was made in Edinburgh.'],
}

/** A ranking of passages as `[2] > [1] > [3]` (listwise: Sun et al. 2023, RankGPT, section 3.1). */
export const rankPassages = textTask({
  name: 'rank-passages',
  sample: rankingSample,
  output: z.string().regex(/\d/, 'no number of a passage'),
  system: [
    (
      input,
    ) => `You put passages into order by how much they help to answer a question, the most helpful first. Every passage has a number in brackets.
Reply with all ${input.passages.length} numbers in that order and nothing else, in the form [2] > [1]${input.passages.length > 2 ? ' > …' : ''}`,
    ({ passages }) => passages.map((passage, at) => `[${at + 1}] ${passage.replace(/\s+/g, ' ').trim()}`).join('\n\n'),
  ],
  user: 'Question: {{question}}',
  maxTokens: ({ passages }) => 8 * passages.length + 16,
  offline: ({ question, passages }) =>
    closest(question, passages.map(line))
      .map(({ place }) => `[${place + 1}]`)
      .join(' > '),
})

/** Whether one passage helps to answer a question: yes or no (pointwise). */
export const judgeRelevance = textTask({
  name: 'judge-relevance',
  sample: { question: rankingSample.question, passage: samples.fact },
  output: z.string().regex(/^\W*(yes|no)\b/i, 'neither yes nor no'),
  system: [
    'You decide whether a passage helps to answer a question: whether it holds the answer, a part of it, or a fact that the answer rests on. Reply with yes or no and nothing else.',
    'Passage:\n{{passage}}',
  ],
  user: 'Question: {{question}}\nDoes the passage help to answer it?',
  maxTokens: 8,
  offline({ question, passage }) {
    const share = coverage(termsOf(question), termsOf(passage), () => 1)
    return share >= 0.5 ? 'yes' : 'no'
  },
})
