import { sampledTask } from '../task.ts'
import { z } from 'zod'
import { extractGraph, type ExtractGraphInput } from './extract-graph.ts'

/** Whether entities or relationships of a text are still missing from what was replied: only an exact Y says yes (GraphRAG, section 2.2). */
export const askForMore = sampledTask<ExtractGraphInput, boolean>({
  name: 'ask-for-more',
  version: 1,
  sample: {
    text: 'Robert Stevenson planned the lighthouse on Cape Wrath.',
    entityTypes: ['person', 'geo'],
    replies: [
      {
        entities: [{ name: 'ROBERT STEVENSON', type: 'PERSON', description: 'He planned the lighthouse.' }],
        relationships: [],
      },
    ],
  },
  reply: 'text',
  output: z.string().transform((reply) => reply === 'Y'),
  prompt: (input) => {
    const { messages } = extractGraph.prompt(input)
    const asked =
      'Are there still entities or relationships missing? Reply with the single letter Y for yes or N for no.'
    return { messages: [...messages.slice(0, -1), { role: 'user', content: asked }], maxTokens: 8 }
  },
})
