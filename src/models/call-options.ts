import { z } from 'zod'

const dollars = (what: string) => z.number().min(0).describe(`Price of a million ${what} tokens.`)

/** The options that every kind of model has besides its own; spread it into `z.strictObject({ …, ...callOptions })`. */
export const callOptions = {
  concurrency: z.int().min(1).max(1024).default(8).describe('Calls under way at once.'),
  retries: z
    .int()
    .min(0)
    .max(100)
    .default(5)
    .describe('Further attempts after a call that failed for a passing reason (busy, broken connection, time-out).'),
  timeoutSeconds: z.number().positive().max(86_400).default(300).describe('Longest wait for one attempt, in seconds.'),
  price: z
    .strictObject({
      prompt: dollars('prompt'),
      completion: dollars('completion'),
      embedding: dollars('embedded'),
    })
    .optional()
    .describe('Price per million tokens, for the cost column; no cost is shown without it.'),
}
