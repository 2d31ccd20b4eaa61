import { z } from 'zod'
import { halvesBy, sampledTask, twoMessages } from './task.ts'

const shownEntity =
  '[{"entity_name": "Arden Mill", "entity_description": "A water mill on the river Arden. It ground corn for the town until 1920."}]'

/** The key entities of a chunk, each described in at most three sentences (UnWeaver, section 3; one pass). */
export const extractEntities = sampledTask({
  name: 'extract-entities',
  version: 1,
  sample: {
    text: 'Robert Stevenson planned the lighthouse on Cape Wrath. It was built in 1828 and its lamp was seen from Orkney.',
  },
  reply: 'json',
  example: shownEntity,
  output: z.array(z.object({ entity_name: z.string().min(1), entity_description: z.string().min(1) })),
  halves: halvesBy('text'),
  joined: (first, second) => [...first, ...second],
  prompt: ({ text }: { readonly text: string }) =>
    twoMessages(
      [
        `You list the key entities of a text: people, places, organisations, things, events, ideas; as many as the text needs.
Describe each in at most three sentences: what it is, what it does, and how it relates to the other entities. Say only what the text says.
Reply with a JSON list and nothing else, for example:
${shownEntity}`,
        `Text:\n${text}`,
      ],
      'List the key entities of this text with their descriptions.',
      { maxTokens: 4096 },
    ),
})

const shownDescription = '["A water mill on the river Arden that ground corn for the town until 1920."]'

/** One brief description made of many joined ones (UnWeaver: above 4000 characters). */
export const shortenDescription = sampledTask({
  name: 'shorten-description',
  version: 2,
  sample: {
    name: 'Cape Wrath lighthouse',
    description:
      'The lighthouse stands on Cape Wrath. The lighthouse was built in 1828. It is a white tower on Cape Wrath, planned by Robert Stevenson.',
  },
  reply: 'json',
  example: shownDescription,
  output: z.array(z.string().trim().min(1)).length(1),
  prompt: ({ name, description }: { readonly name: string; readonly description: string }) =>
    twoMessages(
      [
        `You merge several descriptions of one thing into a single brief and coherent one. Keep what matters most, say nothing twice, add nothing.
Reply with a JSON list that holds one string and nothing else, for example:
${shownDescription}`,
        `Name: ${name}\nDescriptions:\n${description}`,
      ],
      'Merge these descriptions into one.',
    ),
})
