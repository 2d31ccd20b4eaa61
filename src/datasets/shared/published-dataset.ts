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
 * The corpora that `read` gives, each with the counts since the one before; the last also with what follows it. Throws
 * UserError, the first error or the counts, where no question is left.
 */
async function* countedCorpora(
  path: string,
  choice: OnBadRecord | undefined,
  read: (counting: Counting) => AsyncIterable<Corpus>,
): AsyncGenerator<Corpus> {
  let counts: { readonly holds: Counts; readonly leftOut: Counts } = noCounts
  const adder = (kind: 'holds' | 'leftOut'): Counting['holds'] => {
    return (item, count = 1) => {
      if (count > 0) counts = { ...counts, [kind]: addFields(counts[kind], { [item]: count }) }
    }
  }
  const leftOut = adder('leftOut')
  const bad = malformedRecords(choice, () => leftOut('records that could not be read'))
  const withCounts = (corpus: Corpus): Corpus => {
    const holds = addFields(corpus.holds ?? {}, counts.holds)
    const missing = addFields(corpus.leftOut ?? {}, counts.leftOut)
    const first = bad.first()
    counts = noCounts
    return {
      ...corpus,
      ...(Object.keys(holds).length > 0 && { holds }),
      ...(Object.keys(missing).length > 0 && { leftOut: missing }),
      ...(first && { firstBadRecord: first.message }),
    }
  }
  // one is held back, so that the last can count what follows it
  let last: Corpus | undefined
  let questions = 0
  for await (const corpus of read({ bad, holds: adder('holds'), leftOut })) {
    if (last) yield last
    last = withCounts(corpus)
    questions += corpus.questions.length
  }
  if (!last || questions === 0) throw bad.first() ?? withoutQuestions(path, counts.holds, counts.leftOut)
  yield withCounts(last)
}

const noCounts = { holds: {}, leftOut: {} }

type Counts = Readonly<Record<string, number>>

function withoutQuestions(path: string, holds: Counts, leftOut: Counts): UserError {
  const list = (counts: Counts) =>
    Object.entries(counts)
      .map(([item, count]) => `${item} (${count})`)
      .join(', ') || 'nothing'
  if (Object.keys(holds).length === 0) return new UserError(`${path}: contains no questions`)
  return new UserError(
    `${path}: no questions remain of ${list(holds)} (left out: ${list(leftOut)}); check the options of the dataset`,
  )
}
