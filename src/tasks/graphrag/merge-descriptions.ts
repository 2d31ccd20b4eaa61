import { z } from 'zod'
import { sampledTask, twoMessages } from '../task.ts'

/** The name of an entity, or the names of a related pair, with what several texts say of it. */
export interface MergeDescriptionsInput {
  readonly names: readonly string[]
  readonly descriptions: readonly string[]
  readonly words: number
}

/** One description of an entity or a relation, made of several (GraphRAG, section 2.5). */
export const mergeDescriptions = sampledTask<MergeDescriptionsInput, string>({
  name: 'merge-descriptions',
  version: 1,
  sample: {
    names: ['CAPE WRATH LIGHTHOUSE'],
    descriptions: ['A lighthouse that was built in 1828.', 'A white tower planned by Robert Stevenson.'],
    words: 500,
  },
  reply: 'text',
  output: z.string().trim().min(1),
  prompt: ({ names, descriptions, words }) =>
    twoMessages(
      [
        `You write one full description of ${names.length > 1 ? 'how two things are related' : 'one thing'} out of several descriptions. Use all that they say, settle what contradicts, name the things, and write in the third person. Reply with the description alone.`,
        `Of: ${names.join(' and ')}\nDescriptions:\n${descriptions.map((description) => `- ${description}`).join('\n')}`.trim(),
      ],
      `Write one description of at most ${words} words.`,
    ),
})
