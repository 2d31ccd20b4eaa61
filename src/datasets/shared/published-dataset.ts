import { fieldsOf } from '../../define.ts'
import { UserError } from '../../errors.ts'
import { malformedRecords, type MalformedRecords } from '../../formats/malformed-records.ts'
import type { Corpus, Dataset, Download, OnBadRecord } from '../../types.ts'

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

interface PublishedDataset<O, I, F extends readonly string[]>
  extends Omit<Dataset<O, I>, 'files' | 'corpora' | 'evidence'>, Partial<Pick<Dataset, 'evidence'>> {
  files(path: string, options: O): Promise<F>
  corpora(reading: Reading<O, F>): AsyncIterable<Corpus>
}

/** Files to download from one address, with the digests that are known. */
export const filesBelow = (
  address: string,
  names: readonly string[],
  digests: Readonly<Record<string, string>> = {},
): Download['files'] =>
  names.map((name) => {
    const { [name]: sha256 } = digests
    return { url: `${address}/${encodeURIComponent(name)}`, name, ...(sha256 !== undefined && { sha256 }) }
  })

/** Options that only choose among the files of a folder: unused where the path is that of the file itself. */
const choosing = ['setting', 'subset', 'split']

/** A dataset whose malformed records and counts are passed on with its corpora. */
export function publishedDataset<O, I, const F extends readonly string[]>(
  dataset: PublishedDataset<O, I, F>,
): Dataset<O, I> {
  const names = choosing.filter((name) => Object.hasOwn(fieldsOf(dataset.options), name))
  return {
    unused: ([file], path) => (file === path ? names : []),
    evidence: false,
    ...dataset,
    corpora: (path, options, onBadRecord) =>
      countedCorpora(path, onBadRecord, async function* (counting) {
        yield* dataset.corpora({ ...counting, path, options, files: await dataset.files(path, options) })
      }),
  }
}

/**
 * The corpora that `read` gives, each with the counts until the next one came. Throws UserError, the first error or the
 * counts, where no question is left.
 */
async function* countedCorpora(
  path: string,
  choice: OnBadRecord | undefined,
  read: (counting: Counting) => AsyncIterable<Corpus>,
): AsyncGenerator<Corpus> {
  let counts: { readonly holds: Counts; readonly leftOut: Counts } = { holds: {}, leftOut: {} }
  const adder = (kind: 'holds' | 'leftOut'): Counting['holds'] => {
    return (item, count = 1) => {
      if (count > 0) counts[kind][item] = (counts[kind][item] ?? 0) + count
    }
  }
  const leftOut = adder('leftOut')
  const bad = malformedRecords(choice, () => leftOut('records that could not be read'))
  const withCounts = (corpus: Corpus): Corpus => {
    const first = bad.first()
    const present = Object.entries(counts).filter(([, items]) => Object.keys(items).length > 0)
    counts = { holds: {}, leftOut: {} }
    return { ...corpus, ...Object.fromEntries(present), ...(first && { firstBadRecord: first.message }) }
  }
  // one is held back, so that the last can count what follows it
  let last: Corpus | undefined
  let questions = 0
  for await (const corpus of read({ bad, holds: adder('holds'), leftOut })) {
    if (last) yield withCounts(last)
    last = corpus
    questions += corpus.questions.length
  }
  if (!last || questions === 0) throw bad.first() ?? withoutQuestions(path, counts.holds, counts.leftOut)
  yield withCounts(last)
}

type Counts = Record<string, number>

function withoutQuestions(path: string, holds: Counts, leftOut: Counts) {
  const list = (counts: Counts) => Object.entries(counts).map(([item, count]) => `${item} (${count})`)
  if (Object.keys(holds).length === 0) return new UserError(`${path}: contains no questions`)
  return new UserError(
    `${path}: no questions remain of ${list(holds).join(', ')} (left out: ${list(leftOut).join(', ')}); check the options of the dataset`,
  )
}
