import { z } from 'zod'
import { sampledTask, twoMessages } from '../task.ts'

/** How far a text is taken apart (atomicity), and how much of it is kept (coverage). */
export type Level = 'low' | 'high'

/** A text to be taken apart; the question that it answers, where there is one, tells what its pronouns mean. */
export interface DecomposeClaimsInput {
  readonly text: string
  readonly question?: string
  readonly atomicity: Level
  readonly coverage: Level
}

/** Claims that can be checked one by one. */
export interface Claims {
  readonly claims: readonly string[]
}

/** Takes a text apart into claims (RAGAS factual correctness); the examples show the level, in our own words. */
export const decomposeClaims = sampledTask<DecomposeClaimsInput, Claims>({
  name: 'decompose-claims',
  version: 1,
  sample: {
    text: 'The lighthouse was built in 1828 and its lamp was seen from Orkney. Robert Stevenson planned it.',
    question: 'What is known of the lighthouse on Cape Wrath?',
    atomicity: 'high',
    coverage: 'high',
  },
  reply: 'json',
  whole: true,
  output: z.object({ claims: z.array(z.string().trim().min(1)) }),
  prompt: ({ text, question, atomicity, coverage }) =>
    twoMessages(
      [
        `You take a text apart into claims. Each claim is a sentence that can be understood and checked alone: names instead of pronouns, nothing added.
${atomicityLine[atomicity]} ${coverageLine[coverage]}
Reply with JSON of the shape {"claims": ["..."]} and nothing else. Follow the level of detail of these examples.`,
        ...examples.map(
          ({ text, claims }) => `Text: ${text}\nReply: ${JSON.stringify({ claims: claims[atomicity][coverage] })}`,
        ),
        question ? `The text answers this question: ${question}` : '',
      ],
      `Text: ${text}`,
      { maxTokens: 2048 },
    ),
})

const atomicityLine: Readonly<Record<Level, string>> = {
  low: 'A claim may hold several facts that belong together.',
  high: 'A claim holds exactly one fact.',
}

const coverageLine: Readonly<Record<Level, string>> = {
  low: 'Keep only the most important facts.',
  high: 'Keep every fact of the text.',
}

/** One sentence with four facts, two sentences with three (the pattern of RAGAS' levels). */
const examples: readonly {
  readonly text: string
  readonly claims: Readonly<Record<Level, Readonly<Record<Level, readonly string[]>>>>
}[] = [
  {
    text: 'Mount Elbrus, a sleeping volcano in southern Russia, is 5642 metres high and was first climbed in 1874.',
    claims: {
      low: {
        low: ['Mount Elbrus is a volcano in Russia.'],
        high: [
          'Mount Elbrus, a sleeping volcano in southern Russia, is 5642 metres high and was first climbed in 1874.',
        ],
      },
      high: {
        low: ['Mount Elbrus is a sleeping volcano.', 'Mount Elbrus is 5642 metres high.'],
        high: [
          'Mount Elbrus is a sleeping volcano.',
          'Mount Elbrus is in southern Russia.',
          'Mount Elbrus is 5642 metres high.',
          'Mount Elbrus was first climbed in 1874.',
        ],
      },
    },
  },
  {
    text: 'The kiwi is a bird that cannot fly. It lives in New Zealand and feeds at night.',
    claims: {
      low: {
        low: ['The kiwi is a bird.', 'The kiwi lives in New Zealand.'],
        high: ['The kiwi is a bird that cannot fly.', 'The kiwi lives in New Zealand and feeds at night.'],
      },
      high: {
        low: ['The kiwi cannot fly.', 'The kiwi lives in New Zealand.'],
        high: ['The kiwi is a bird that cannot fly.', 'The kiwi lives in New Zealand.', 'The kiwi feeds at night.'],
      },
    },
  },
]
