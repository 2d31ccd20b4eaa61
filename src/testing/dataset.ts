import { isDeepStrictEqual } from 'node:util'
import { checkDataset, corpusFaults, datasetChecksum, type Counts } from '../datasets/index.ts'
import { messageOf, UserError } from '../errors.ts'
import type { Dataset } from '../types.ts'
import { plugInFindings } from './findings.ts'

export interface DatasetCase {
  /** A real or hand-made copy: a file or folder. */
  readonly path: string
  /** Options as a config has them. */
  readonly options?: unknown
  /** What that copy holds. */
  readonly counts?: Partial<Counts>
}

/**
 * Violations of the contract of a dataset, a line each: unique ids, evidence in its own documents, determinism. Without
 * a path only fields and options are checked.
 */
export const datasetFindings = (
  dataset: Dataset,
  { path, options: optionValues = {}, counts = {} }: Partial<DatasetCase>,
): Promise<readonly string[]> =>
  plugInFindings('dataset', dataset, optionValues, async (options, report) => {
    if (path === undefined) {
      report('nothing was read; give a file or folder with --path (see Dataset.files)')
      return
    }
    const first = await dataset.files(path, options)
    const second = await dataset.files(path, options)
    if (first.length === 0) report(`files() returned no path for ${path}`)
    if ((await datasetChecksum(first)) !== (await datasetChecksum(second)))
      report(`files() returned other bytes of ${path} the second time; return the same files in order`)
    const corpora = await gather(dataset.corpora(path, options))
    const faultsOf = corpusFaults(dataset)
    for (const corpus of corpora) {
      for (const problem of faultsOf(corpus)) report(problem, path)
    }
    const questions = corpora.flatMap((corpus) => corpus.questions)
    if (questions.length === 0) report(`holds no question (${path})`)
    for (const { id, evidence } of questions) {
      if (!evidence || dataset.evidence !== false) continue
      report(`question "${id}" names evidence; declare evidence: true or 'some'`, path)
    }
    if (!isDeepStrictEqual(await gather(dataset.corpora(path, options)), corpora))
      report(`reads other corpora of ${path} the second time; yield the same in order`)
    const actual = new Map<string, unknown>(
      Object.keys(counts).length > 0 ? Object.entries(await checkDataset(dataset, path, options)) : [],
    )
    for (const [name, count] of Object.entries(counts))
      if (!isDeepStrictEqual(actual.get(name), count))
        report(`holds ${name} ${JSON.stringify(actual.get(name))}; expected ${JSON.stringify(count)}`)
    const missing = `${path}.is-not-there`
    const calls = {
      files: () => dataset.files(missing, options),
      corpora: () => gather(dataset.corpora(missing, options)),
    }
    for (const [name, call] of Object.entries(calls)) {
      const error: unknown = await call().catch((failure: unknown) => failure)
      if (error instanceof UserError && error.message.includes(missing) && !error.message.includes('\n')) continue
      const outcome = error instanceof Error ? `threw ${error.name} "${messageOf(error)}"` : 'threw no Error'
      report(`${name}() ${outcome} for the missing path ${missing}; throw a UserError of 'gembench' that names it`)
    }
  })

/** All items of an async iterable, in order. */
export async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collection: T[] = []
  for await (const item of items) collection.push(item)
  return collection
}
