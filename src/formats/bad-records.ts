import { UserError } from '../errors.ts'
import type { OnBadRecord } from '../types.ts'

export type BadRecords = ReturnType<typeof badRecords>

/** What is done with bad records of one reading of a dataset, and what came of it so far. */
export function badRecords(choice: OnBadRecord = 'stop') {
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
    /** What `read` gives; undefined where it throws a UserError and bad records are skipped. */
    attempt<T>(read: () => T): T | undefined {
      try {
        return read()
      } catch (error) {
        skip(error)
        return undefined
      }
    },
    /** The same of what is read from another file. */
    attemptAsync: <T>(read: () => Promise<T>): Promise<T | undefined> => read().catch(skip),
    /** How many were skipped, and the error of the first of them. */
    count: (): number => count,
    first: (): UserError | undefined => first,
  }
}
