import { z } from 'zod'
import { UserError } from '../../errors.ts'
import type { Corpus } from '../../types.ts'
import { addFields } from '../../basics/collections.ts'

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

/** The option of a dataset of which a paper takes the first items only. */
export const firstItems = (what: string, taken: string) =>
  z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe(`Largest number of ${what}, the first ones after all filters; ${taken}; null: all`)

/** Counts what the files hold and what is left out of them, while they are read. A count of 0 is none. */
export interface Counting {
  readonly holds: (what: string, count?: number) => void
  readonly leftOut: (what: string, count?: number) => void
}

/** Says of each item in turn whether it is one of the first so many, and counts those that are not; null: all are. */
export function firstOnly(items: number | null, what: string, { leftOut }: Pick<Counting, 'leftOut'>): () => boolean {
  let taken = 0
  return () => {
    if (taken === items) {
      leftOut(`${what} beyond the number asked for`)
      return false
    }
    taken++
    return true
  }
}

/**
 * The corpora that `read` gives, each with what was counted since the one before; the last also with what follows it. Throws UserError with
 * all counts where no corpus is left.
 */
export async function* countedCorpora(
  path: string,
  read: (counting: Counting) => AsyncIterable<Corpus>,
): AsyncGenerator<Corpus> {
  const [holds, leftOut] = [new Map<string, number>(), new Map<string, number>()]
  const counting: Counting = {
    holds: (what, count = 1) => add(holds, what, count),
    leftOut: (what, count = 1) => add(leftOut, what, count),
  }
  const counted = (corpus: Corpus): Corpus => {
    const own = {
      holds: addFields(corpus.holds ?? {}, taken(holds)),
      leftOut: addFields(corpus.leftOut ?? {}, taken(leftOut)),
    }
    const met = Object.entries(own).filter(([, counts]) => Object.keys(counts).length > 0)
    return { ...corpus, ...Object.fromEntries(met) }
  }
  // one is held back, so that the last can count what follows it
  let last: Corpus | undefined
  for await (const corpus of read(counting)) {
    if (last) yield last
    last = counted(corpus)
  }
  if (!last) throw new UserError(`${path}: no question is left; it holds ${list(holds)}; left out: ${list(leftOut)}`)
  yield counted(last)
}

/** The counts, which begin anew. */
function taken(counts: Map<string, number>): Readonly<Record<string, number>> {
  const all = Object.fromEntries(counts)
  counts.clear()
  return all
}

function add(counts: Map<string, number>, what: string, count: number): void {
  if (count > 0) counts.set(what, (counts.get(what) ?? 0) + count)
}

const list = (counts: ReadonlyMap<string, number>): string =>
  Array.from(counts, ([what, count]) => `${what} (${count})`).join(', ') || 'nothing'

/** The number of words of a text: runs of signs without white space, as GoR counts them. */
export const wordCount = (text: string): number => text.match(/\S+/g)?.length ?? 0

/** Counts what is left out of a dataset, by what it is. */
export interface Tally {
  readonly add: (what: string) => void
  /** The counts, by the names of what it is, so that the order on disk does not count. */
  counts(): Readonly<Record<string, number>>
}

/** A tally that has counted nothing yet. */
export function tally(): Tally {
  const counts = new Map<string, number>()
  return {
    add: (what) => void counts.set(what, (counts.get(what) ?? 0) + 1),
    counts: () => Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))),
  }
}
