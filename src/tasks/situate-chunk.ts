import { z } from 'zod'
import { sentences } from '../text/sentences.ts'
import { sampledTask, twoMessages } from './task.ts'

/** A document, and a part of it. */
export interface SituateChunkInput {
  readonly document: string
  readonly chunk: string
}

/** A line that says what a chunk is about within its document (Anthropic 2024, contextual retrieval). */
export const situateChunk = sampledTask<SituateChunkInput, string>({
  name: 'situate-chunk',
  version: 1,
  sample: {
    document: 'The lighthouse on Cape Wrath was planned by Robert Stevenson. It was built in 1828.',
    chunk: 'It was built in 1828.',
  },
  reply: 'text',
  output: z.string().trim().min(1),
  // the document stands before the part, so that a server that keeps prefixes reads it once for all of its chunks
  prompt: ({ document, chunk }) =>
    twoMessages(
      [
        'You write one or two sentences that say where a part of a document stands in it and what the part is about, naming what it refers to, so that a search finds it. Reply with these sentences alone, in the language of the document.',
        `Document:\n${document}`,
      ],
      `Part of the document:\n${chunk}`,
      { maxTokens: 160 },
    ),
  offline: ({ document }) => sentences(document)[0]?.text.slice(0, 300) ?? document.slice(0, 300),
})
