import { z } from 'zod'
import { halvesBy, jsonOnly, jsonTask, samples, textShape } from './task.ts'
import { verdictShape } from './verdicts.ts'
import { claimsIn, judge } from './stand-ins/judging.ts'

/** A text to decompose; the question that it answers, if any, resolves its pronouns. */
export interface DecomposeClaimsInput {
  readonly text: string
  readonly question?: string
}

/** One sentence with four facts, two sentences with three (the pattern of RAGAS's levels). */
const examples = [
  {
    text: 'Mount Elbrus, a sleeping volcano in southern Russia, is 5642 metres high and was first climbed in 1874.',
    claims: [
      'Mount Elbrus is a sleeping volcano.',
      'Mount Elbrus is in southern Russia.',
      'Mount Elbrus is 5642 metres high.',
      'Mount Elbrus was first climbed in 1874.',
    ],
  },
  {
    text: 'The kiwi is a bird that cannot fly. It lives in New Zealand and feeds at night.',
    claims: ['The kiwi is a bird that cannot fly.', 'The kiwi lives in New Zealand.', 'The kiwi feeds at night.'],
  },
]

/**
 * Decomposes a text into claims (RAGAS factual correctness) with high atomicity and high coverage, as UnWeaver's
 * released evaluation does (RAGAS's default is low and low; the paper does not say). The examples are ours.
 */
export const decomposeClaims = jsonTask({
  name: 'decompose-claims',
  sample: {
    text: 'The lighthouse was built in 1828 and its lamp was seen from Orkney. Robert Stevenson planned it.',
    question: 'What is known of the lighthouse on Cape Wrath?',
  },
  replyTokens: ({ text }) => text.length / 3,
  whole: true,
  output: z.object({ claims: z.array(z.string().trim().min(1)) }),
  halves: halvesBy('text'),
  offline: ({ text }: DecomposeClaimsInput) => ({ claims: claimsIn(text) }),
  system: [
    `You take a text apart into claims. Each claim is a sentence that can be understood and checked alone: names instead of pronouns, nothing added.
A claim holds exactly one fact. Keep every fact of the text.
Reply with JSON of the shape {"claims": ["..."]} and nothing else. Follow the level of detail of these examples.`,
    ...examples.map(({ text, claims }) => `Text: ${text}\nReply: ${JSON.stringify({ claims })}`),
    ({ question }) => (question ? `The text answers this question: ${question}` : ''),
  ],
  user: 'Text: {{text}}',
  maxTokens: 2048,
})

/** Checks claims against a text (RAGAS factual correctness); verdict 0: cannot be inferred directly. */
export const verifyClaims = jsonTask({
  name: 'verify-claims',
  version: 3,
  sample: {
    claims: ['The lighthouse was built in 1828.', 'The lighthouse was built by the French.'],
    context: `${samples.fact} The lighthouse was built in 1828.`,
  },
  replyTokens: ({ claims }) => 50 * claims.length,
  whole: true,
  output: z.object({
    statements: z.array(z.object({ statement: z.string(), reason: textShape, verdict: verdictShape })),
  }),
  halves: halvesBy('claims'),
  offline({ claims, context }) {
    const verdictOf = judge(context)
    const statements = claims.map((statement) => {
      const { reason, verdict } = verdictOf(statement)
      return { statement, reason, verdict }
    })
    return { statements }
  },
  system: [
    `You check claims against a context. The verdict of a claim is 1 if it can be inferred directly from the context, and 0 if it cannot. Judge by the context alone, not by what you know. Give one verdict for each claim, in the given order.
${jsonOnly}. For example, for the claims "The mill is in Kent." and "The mill is in Wales." and the context "Arden Mill ground corn for Maidstone in Kent.":
{"statements": [{"statement": "The mill is in Kent.", "reason": "The context places the mill in Kent.", "verdict": 1}, {"statement": "The mill is in Wales.", "reason": "The context places it elsewhere.", "verdict": 0}]}`,
    'Context:\n{{context}}',
  ],
  user: ({ claims }) => `Claims:\n${JSON.stringify(claims, null, 2)}`,
  maxTokens: 4096,
})

/** Whether each sentence of the correct answer can be attributed to the context (RAGAS context recall). */
export const attributeSentences = jsonTask({
  name: 'attribute-sentences',
  version: 3,
  sample: {
    question: 'Who planned the lighthouse on Cape Wrath, and who paid for it?',
    sentences: ['Robert Stevenson planned the lighthouse.', 'The king of France paid for it.'],
    context: `${samples.fact} The lighthouse was built in 1828.`,
  },
  replyTokens: ({ sentences }) => 40 * sentences.length,
  whole: true,
  output: z.object({ attributions: z.array(z.object({ sentence: z.string(), attributed: verdictShape })) }),
  halves: halvesBy('sentences'),
  offline({ sentences, context }) {
    const verdictOf = judge(context)
    const attributions = sentences.map((sentence) => ({ sentence, attributed: verdictOf(sentence).verdict }))
    return { attributions }
  },
  system: [
    `You trace the sentences of an answer back to a context. Write 1 for a sentence that can be attributed to the context, and 0 for one that cannot. Judge by the context alone, not by what you know. Take each sentence once, in the given order.
${jsonOnly}. For example, for the question "When was Arden Mill built, and of what?", the sentences "It was built in 1790." and "Its walls are of oak." and the context "John Bell built Arden Mill in 1790.":
{"attributions": [{"sentence": "It was built in 1790.", "attributed": 1}, {"sentence": "Its walls are of oak.", "attributed": 0}]}`,
    'Context:\n{{context}}',
  ],
  user: ({ question, sentences }) =>
    `Question: ${question}\nSentences of the answer:\n${JSON.stringify(sentences, null, 2)}`,
  maxTokens: 4096,
})
