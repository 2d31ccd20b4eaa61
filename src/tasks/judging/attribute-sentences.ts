import { z } from 'zod'
import { sampledTask, twoMessages } from '../task.ts'
import { verdictShape } from './verdict.ts'

/** The sentences of the right answer to a question, and the context that should hold them. */
export interface AttributeSentencesInput {
  readonly question: string
  readonly sentences: readonly string[]
  readonly context: string
}

/** One entry per sentence; any value but 0 means that the context accounts for it. */
export interface Attributions {
  readonly attributions: readonly { readonly sentence: string; readonly attributed: number }[]
}

/** Which sentences of the right answer the context accounts for (RAGAS context recall). */
export const attributeSentences = sampledTask<AttributeSentencesInput, Attributions>({
  name: 'attribute-sentences',
  version: 1,
  sample: {
    question: 'Who planned the lighthouse on Cape Wrath, and who paid for it?',
    sentences: ['Robert Stevenson planned the lighthouse.', 'The king of France paid for it.'],
    context: 'Robert Stevenson planned the lighthouse on Cape Wrath. The lighthouse was built in 1828.',
  },
  reply: 'json',
  whole: true,
  output: z.object({ attributions: z.array(z.object({ sentence: z.string(), attributed: verdictShape })) }),
  prompt: ({ question, sentences, context }) =>
    twoMessages(
      [
        `You trace the sentences of an answer back to a context. Write 1 for a sentence that can be attributed to the context, and 0 for one that cannot. Judge by the context alone, not by what you know. Take each sentence once, in the given order.
Reply with JSON of this shape and nothing else. For example, for the question "When was Arden Mill built?", the sentence "It was built in 1790." and the context "John Bell built Arden Mill in 1790.":
{"attributions": [{"sentence": "It was built in 1790.", "attributed": 1}]}`,
        `Context:\n${context}`,
      ],
      `Question: ${question}\nSentences of the answer:\n${JSON.stringify(sentences, null, 2)}`,
      { maxTokens: 4096 },
    ),
})
