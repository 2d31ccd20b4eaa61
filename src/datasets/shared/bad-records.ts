import { z } from 'zod'
import { UserError } from '../../errors.ts'
import type { Corpus } from '../../types.ts'

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

/**
 * The corpora that `read` gives; each counts the bad records that were skipped since the one before, and the first corpus that counts any
 * tells of the first. Throws the error of the first bad record where no corpus or no question is left.
 */
export async function* skippingBad(
  choice: z.output<typeof onBadRecord>,
  read: (bad: BadRecords) => AsyncIterable<Corpus>,
): AsyncGenerator<Corpus> {
  const bad = badRecords(choice)
  let told = 0
  const counted = (corpus: Corpus): Corpus => {
    const skipped = bad.count() - told
    const first = told === 0 ? bad.first() : undefined
    told = bad.count()
    if (skipped === 0) return corpus
    return {
      ...corpus,
      leftOut: { ...corpus.leftOut, 'records that could not be read': skipped },
      ...(first && { firstBadRecord: first.message }),
    }
  }
  // one is held back, so that the last can count what follows it
  let last: Corpus | undefined
  let questions = 0
  for await (const corpus of read(bad)) {
    if (last) yield counted(last)
    last = corpus
    questions += corpus.questions.length
  }
  const first = bad.first()
  if (first && questions === 0) throw first
  if (last) yield counted(last)
}
