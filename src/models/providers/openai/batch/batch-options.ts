import { z } from 'zod'

const settings = z.strictObject({
  quietSeconds: z
    .number()
    .min(0)
    .max(3600)
    .default(10)
    .describe('What is waiting is sent when nothing new was asked for so many seconds.'),
  pollSeconds: z
    .number()
    .positive()
    .max(3600)
    .default(30)
    .describe('Seconds between two looks at a batch that is out.'),
})

/** Whether, and how, calls go by the Batch API. */
export const batchOption = z
  .union([z.boolean(), settings, z.int().min(1).max(2048)], {
    error: 'must be true, false or { quietSeconds, pollSeconds }',
  })
  .default(false)
  .describe(
    'true, or { quietSeconds: 10, pollSeconds: 30 }: calls are collected and sent by the Batch API, at half the price and within 24 hours: what is waiting goes out when nothing new was asked for quietSeconds, or at 50,000 requests or 200 MB; a batch that is out is looked at every pollSeconds. "concurrency" and "timeoutSeconds" do not limit such calls, price is the full one of which half is counted, and a run that was stopped finds its batches again. The first try of the model is an ordinary request. A number is the earlier name of textsPerRequest.',
  )

/** Seconds; undefined where calls are sent one by one. */
export type BatchSettings = z.output<typeof settings>

/** The settings of an option as it was read. */
export const batchSettings = (option: z.output<typeof batchOption>): BatchSettings | undefined =>
  option === false || typeof option === 'number' ? undefined : option === true ? settings.parse({}) : option
