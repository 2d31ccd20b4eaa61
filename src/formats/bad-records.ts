import { z } from 'zod'
import { UserError } from '../errors.ts'

/** The option of every dataset that says what is done with a record that cannot be read. */
export const onBadRecord = z
  .enum(['stop', 'skip'])
  .optional()
  .describe(
    'What is done with a record that cannot be read: stop (the default) refuses the whole file and says where; skip leaves the record out and counts it (our reading)',
  )

/** What is done with bad records, and what came of it so far. */
export interface BadRecords {
  readonly skips: boolean
  /** What `read` gives; undefined where it throws a UserError and bad records are skipped. */
  attempt<T>(read: () => T): T | undefined
  /** The same of what is read from another file. */
  attemptAsync<T>(read: () => Promise<T>): Promise<T | undefined>
  /** How many were skipped. */
  count(): number
  /** The error of the first that was skipped. */
  first(): UserError | undefined
}

/** Keeps account of the bad records of one reading of a dataset. */
export function badRecords(choice: z.output<typeof onBadRecord>): BadRecords {
  let count = 0
  let first: UserError | undefined
  const skips = choice === 'skip'
  const skip = (error: unknown): undefined => {
    if (!skips || !(error instanceof UserError)) throw error
    first ??= error
    count++
    return undefined
  }
  return {
    skips,
    attempt(read) {
      try {
        return read()
      } catch (error) {
        skip(error)
        return undefined
      }
    },
    attemptAsync: (read) => read().catch(skip),
    count: () => count,
    first: () => first,
  }
}
