import { UserError } from '../errors.ts'
import type { OnBadRecord } from '../types.ts'

export type MalformedRecords = ReturnType<typeof malformedRecords>

/** Handles malformed records of one reading of a dataset; `onSkip` is called for each that is skipped. */
export function malformedRecords(choice: OnBadRecord = 'stop', onSkip?: () => void) {
  let first: UserError | undefined
  const skips = choice === 'skip'
  const skip = (error: unknown): undefined => {
    if (!skips || !(error instanceof UserError)) throw error
    first ??= error
    onSkip?.()
    return undefined
  }
  return {
    skips,
    /** The result of `read`; undefined where it throws a UserError and malformed records are skipped. */
    attempt<T>(read: () => T): T | undefined {
      try {
        return read()
      } catch (error) {
        skip(error)
        return undefined
      }
    },
    /** The same, asynchronously. */
    attemptAsync: <T>(read: () => Promise<T>): Promise<T | undefined> => read().catch(skip),
    /** The first error. */
    first: (): UserError | undefined => first,
  }
}
