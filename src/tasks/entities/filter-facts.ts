import { z } from 'zod'
import { type Triple, tripleShape } from './triple.ts'
import { sampledTask, twoMessages } from '../task.ts'

/** A question and the facts found for it; how many are wanted at most, and how many tokens the reply may have, reasoning included. */
export interface FilterFactsInput {
  readonly question: string
  readonly facts: readonly Triple[]
  readonly most: number
  readonly maxTokens: number
}

/** The facts that help, possibly none. */
export interface FilteredFacts {
  readonly fact: readonly Triple[]
}

/** Recognition memory: which of the facts found help to answer the question (HippoRAG 2, section 3.2). */
export const filterFacts = sampledTask<FilterFactsInput, FilteredFacts>({
  name: 'filter-facts',
  version: 1,
  sample: {
    question: 'Who planned the lighthouse on Cape Wrath?',
    facts: [
      ['robert stevenson', 'planned', 'lighthouse on cape wrath'],
      ['orkney', 'lies north of', 'scotland'],
    ],
    most: 4,
    maxTokens: 512,
  },
  reply: 'json',
  // the reference gives the filter a limit of its own, below that of its other calls
  capped: true,
  output: z.object({ fact: z.array(tripleShape) }),
  prompt: ({ question, facts, most, maxTokens }) =>
    twoMessages(
      [
        `You choose the facts that help to answer a question, directly or as a step on the way. Choose at most ${numbers[most] ?? most}, the most helpful first, and copy them exactly. If none helps, reply with an empty list.
Reply with JSON of this shape and nothing else: {"fact": [["subject", "predicate", "object"]]}
For example, asked who built the mill that burned in 1920, of [["arden mill", "burned in", "1920"], ["kent", "is in", "england"]] you choose: {"fact": [["arden mill", "burned in", "1920"]]}`,
        `Facts:\n${JSON.stringify(facts)}`,
      ],
      question,
      { maxTokens },
    ),
})

const numbers = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
