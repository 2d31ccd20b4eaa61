import { addFields } from '../../basics/collections.ts'
import { fieldsOf } from '../../define.ts'
import { UserError } from '../../errors.ts'
import { malformedRecords, type MalformedRecords } from '../../formats/malformed-records.ts'
import type { Corpus, Dataset, OnBadRecord } from '../../types.ts'

export { malformedRecords, type MalformedRecords }

/** Counts what the files of a dataset hold and what is left out, while they are read. Counts of 0 are ignored. */
export interface Counting {
  readonly bad: MalformedRecords
  readonly holds: (item: string, count?: number) => void
  readonly leftOut: (item: string, count?: number) => void
}

/** The files of a dataset with its options. */
export interface Reading<O = unknown, F = readonly string[]> extends Counting {
  readonly path: string
  readonly files: F
  readonly options: O
}

interface PublishedDataset<O, I, F extends readonly string[]> extends Omit<Dataset<O, I>, 'files' | 'corpora'> {
  files(path: string, options: O): Promise<F>
  corpora(reading: Reading<O, F>): AsyncIterable<Corpus>
}

/** Options that only choose among the files of a folder: unused where the path is that of the file itself. */
const choosing = ['setting', 'subset', 'split']

/** A dataset whose malformed records and counts are passed on with its corpora. */
export function publishedDataset<O, I, const F extends readonly string[]>(
  dataset: PublishedDataset<O, I, F>,
): Dataset<O, I> {
  const names = choosing.filter((name) => Object.hasOwn(fieldsOf(dataset.options), name))
  return {
    unused: ([file], path) => (file === path ? names : []),
    ...dataset,
    corpora: (path, options, onBadRecord) =>
      countedCorpora(path, onBadRecord, async function* (counting) {
        yield* dataset.corpora({ ...counting, path, options, files: await dataset.files(path, options) })
      }),
  }
}

/**
 * The corpora that `read` gives, each with what was counted since the one before, malformed records too; the last also
 * with
 * what follows it. The first that counts malformed records names the first of these. Throws UserError: the first bad
 * record, or the counts, where no question is left.
 */
async function* countedCorpora(
  path: string,
  choice: OnBadRecord | undefined,
  read: (counting: Counting) => AsyncIterable<Corpus>,
): AsyncGenerator<Corpus> {
  const bad = malformedRecords(choice)
  const [holds, leftOut] = [new Map<string, number>(), new Map<string, number>()]
  let skipped = 0
  const withCounts = (corpus: Corpus): Corpus => {
    const first = skipped === 0 ? bad.first() : undefined
    add(leftOut, 'records that could not be read', bad.count() - skipped)
    skipped = bad.count()
    return {
      ...corpus,
      ...(holds.size > 0 && { holds: addFields(corpus.holds ?? {}, takeCounts(holds)) }),
      ...(leftOut.size > 0 && { leftOut: addFields(corpus.leftOut ?? {}, takeCounts(leftOut)) }),
      ...(first && { firstBadRecord: first.message }),
    }
  }
  // one is held back, so that the last can count what follows it
  let last: Corpus | undefined
  let questions = 0
  const counting = {
    bad,
    holds: (item: string, count = 1) => add(holds, item, count),
    leftOut: (item: string, count = 1) => add(leftOut, item, count),
  }
  for await (const corpus of read(counting)) {
    if (last) yield last
    last = withCounts(corpus)
    questions += corpus.questions.length
  }
  if (last && questions > 0) yield withCounts(last)
  else
    throw (
      bad.first() ??
      new UserError(
        holds.size === 0
          ? `${path}: contains no questions`
          : `${path}: no questions remain of ${list(holds)} (left out: ${list(leftOut)}); check the options of the dataset`,
      )
    )
}

/** The counts, which begin anew. */
function takeCounts(counts: Map<string, number>): Readonly<Record<string, number>> {
  const all = Object.fromEntries(counts)
  counts.clear()
  return all
}

function add(counts: Map<string, number>, item: string, count: number): void {
  if (count > 0) counts.set(item, (counts.get(item) ?? 0) + count)
}

const list = (counts: ReadonlyMap<string, number>): string =>
  Array.from(counts, ([item, count]) => `${item} (${count})`).join(', ') || 'nothing'
