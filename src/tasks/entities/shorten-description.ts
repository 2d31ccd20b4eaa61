import { z } from 'zod'
import { sampledTask, twoMessages } from '../task.ts'

/** An entity's name and its joined descriptions. */
export interface ShortenDescriptionInput {
  readonly name: string
  readonly description: string
}

/** One brief description made of many joined ones (UnWeaver: above 4000 characters). */
export const shortenDescription = sampledTask<ShortenDescriptionInput, readonly string[]>({
  name: 'shorten-description',
  version: 2,
  sample: {
    name: 'Cape Wrath lighthouse',
    description:
      'The lighthouse stands on Cape Wrath. The lighthouse was built in 1828. It is a white tower on Cape Wrath, planned by Robert Stevenson.',
  },
  reply: 'json',
  output: z.array(z.string().trim().min(1)).length(1),
  prompt: ({ name, description }) =>
    twoMessages(
      [
        `You merge several descriptions of one thing into a single brief and coherent one. Keep what matters most, say nothing twice, add nothing.
Reply with a JSON list that holds one string and nothing else, for example:
["A water mill on the river Arden that ground corn for the town until 1920."]`,
        `Name: ${name}\nDescriptions:\n${description}`,
      ],
      'Merge these descriptions into one.',
    ),
})
