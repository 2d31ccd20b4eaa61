import { z } from 'zod'
import { anyObject, byMethod, count, failure, number, text, texts, type FromJson } from './parts.ts'
import { usage } from './usage.ts'

export const scoreLine = z
  .object({
    trial: text,
    /** Id of the question, and of its cluster where it has one. */
    question: text,
    cluster: text.optional(),
    ...byMethod,
    repeat: count,
    scorer: text,
    /** Which version and options made the numbers. */
    scorerId: text,
    run: count,
    /** Digest of the references or other rows' answers that the numbers were made with, where there are such. */
    against: text.optional(),
    subsets: texts,
    metrics: z.record(text, number).optional(),
    parts: anyObject.optional(),
    skipped: text.optional(),
    failure: failure.optional(),
    usage,
  })
  .refine(
    ({ metrics, skipped, failure: failed }) =>
      [metrics, skipped, failed].filter((outcome) => outcome !== undefined).length === 1,
    'must have one of "metrics", "skipped" and "failure"',
  )

/** A line of scores.jsonl: numbers for one trial in one judge run, or `skipped`, or `failure`. */
export type ScoreLine = FromJson<z.infer<typeof scoreLine>>
