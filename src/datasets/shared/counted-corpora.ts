import { z } from 'zod'
import { addFields } from '../../basics/add-fields.ts'
import { UserError } from '../../errors.ts'
import type { Corpus } from '../../types.ts'

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
