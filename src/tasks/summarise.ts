import { z } from 'zod'
import { sampledTask, twoMessages } from './task.ts'

/** Texts in reading order and the longest summary, in tokens. */
export interface SummariseInput {
  readonly texts: readonly string[]
  readonly tokens: number
}

/** One summary of several texts (GEM-RAG: eigenthemes; RAPTOR: clusters, "as many key details as possible"). */
export const summarise = sampledTask<SummariseInput, string>({
  name: 'summarise',
  version: 1,
  sample: {
    texts: [
      'The lighthouse on the western cape was built in 1871. A company from Leith supplied the lamp.',
      'The keeper and his daughter lived there for thirty years. In winter no boat could reach them.',
    ],
    tokens: 40,
  },
  reply: 'text',
  output: z.string().trim().min(1),
  prompt: ({ texts, tokens }) =>
    twoMessages(
      [
        `You write summaries. Keep as many key details as fit: who, what, when, where, how much, and why.
Write plain sentences that can be understood without the texts. Add nothing that the texts do not say. Reply with the summary alone.`,
        `Texts:\n${texts.map((text) => text.replace(/\s+/g, ' ').trim()).join('\n\n')}`,
      ],
      `Summarise these texts as one, in at most ${tokens} tokens (about ${Math.max(1, Math.floor(tokens * WORDS_PER_TOKEN))} words).`,
    ),
})

/** Weak models count words better than tokens; English has about three words in four tokens. */
const WORDS_PER_TOKEN = 0.75
