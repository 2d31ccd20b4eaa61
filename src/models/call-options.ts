import { z } from 'zod'

const dollars = (what: string, whose: string) =>
  z.number().min(0).default(0).describe(`Price per million ${what} tokens; must be given for ${whose}.`)

/** The options that every kind of model has besides its own; spread it into `z.strictObject({ …, ...callOptions })`. */
export const callOptions = {
  concurrency: z.int().min(1).max(1024).default(8).describe('Number of calls that are made at the same time.'),
  retries: z
    .int()
    .min(0)
    .max(100)
    .default(5)
    .describe('How often a call is repeated after a temporary failure (server busy, broken connection, time-out).'),
  timeoutSeconds: z.number().positive().max(86_400).default(300).describe('Time limit of one attempt, in seconds.'),
  price: z
    .strictObject({
      prompt: dollars('prompt', 'a model that completes'),
      completion: dollars('completion', 'a model that completes'),
      embedding: dollars('embedded', 'a model that embeds'),
    })
    .optional()
    .describe('Prices per million tokens, for the money column; without prices no money is shown.'),
}

/** The options of a kind of model that computes on this computer, besides its own: one call uses every core. */
export const localCallOptions = {
  threads: z.int().min(0).max(256).default(0).describe('Number of threads; 0: one per core.'),
  ...callOptions,
  concurrency: callOptions.concurrency
    .unwrap()
    .default(1)
    .describe('Number of calls that are made at the same time; one call uses every core.'),
}
