import { z } from 'zod'
import { words } from '../text/words.ts'
import { sampledTask, twoMessages } from './task.ts'

/** A question and passages that are put into order. */
export interface RankPassagesInput {
  readonly question: string
  readonly passages: readonly string[]
}

/** A question and one passage. */
export interface JudgeRelevanceInput {
  readonly question: string
  readonly passage: string
}

const question = 'Who planned the lighthouse on Cape Wrath?'
const passages = [
  'Ships from Leith passed the cape at night.',
  'Robert Stevenson planned the lighthouse on Cape Wrath.',
  'The lamp was made in Edinburgh.',
]

/** An order of passages, written `[2] > [1] > [3]` (listwise: Sun et al. 2023, RankGPT, section 3.1). */
export const rankPassages = sampledTask<RankPassagesInput, string>({
  name: 'rank-passages',
  version: 1,
  sample: { question, passages },
  reply: 'text',
  output: z.string().regex(/\d/, 'no number of a passage'),
  prompt: ({ question, passages }) =>
    twoMessages(
      [
        `You put passages into order by how much they help to answer a question, the most helpful first. Every passage has a number in brackets.
Reply with all ${passages.length} numbers in that order and nothing else, in the form [2] > [1]${passages.length > 2 ? ' > …' : ''}`,
        passages.map((passage, at) => `[${at + 1}] ${passage.replace(/\s+/g, ' ').trim()}`).join('\n\n'),
      ],
      `Question: ${question}`,
      { maxTokens: 8 * passages.length + 16 },
    ),
  offline: ({ question, passages }) =>
    passages
      .map((passage, at) => ({ at, shared: sharedWords(question, passage) }))
      .sort((a, b) => b.shared - a.shared || a.at - b.at)
      .map(({ at }) => `[${at + 1}]`)
      .join(' > '),
})

/** Whether one passage helps to answer a question: yes or no (pointwise). */
export const judgeRelevance = sampledTask<JudgeRelevanceInput, string>({
  name: 'judge-relevance',
  version: 1,
  sample: { question, passage: 'Robert Stevenson planned the lighthouse on Cape Wrath.' },
  reply: 'text',
  output: z.string().regex(/^\W*(yes|no)\b/i, 'neither yes nor no'),
  prompt: ({ question, passage }) =>
    twoMessages(
      [
        'You decide whether a passage helps to answer a question: whether it holds the answer, a part of it, or a fact that the answer rests on. Reply with yes or no and nothing else.',
        `Passage:\n${passage}`,
      ],
      `Question: ${question}\nDoes the passage help to answer it?`,
      { maxTokens: 8 },
    ),
  offline: ({ question, passage }) =>
    2 * sharedWords(question, passage) >= new Set(words(question)).size ? 'yes' : 'no',
})

/** Words of the question that the passage has, too. */
function sharedWords(question: string, passage: string): number {
  const held = new Set(words(passage))
  return [...new Set(words(question))].filter((word) => held.has(word)).length
}
