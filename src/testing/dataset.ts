import { isDeepStrictEqual } from 'node:util'
import { once } from '../basics/memoise.ts'
import { checkDataset, datasetChecksum, type Counts } from '../datasets/index.ts'
import { messageOf, UserError } from '../errors.ts'
import type { Corpus, Dataset } from '../types.ts'
import {
  checksOf,
  firstFault,
  nameChecks,
  optionChecks,
  parsedOptions,
  type Check,
  type Fault,
  brief,
} from './check.ts'

export interface DatasetCase {
  /** A real or hand-made copy: a file or folder. */
  readonly path: string
  /** Options as a config has them. */
  readonly options?: unknown
  /** What that copy holds. */
  readonly counts?: Partial<Counts>
}

/**
 * What every dataset promises, as checks for any test framework: unique ids, evidence in its own documents, the same
 * each time. `for (const { name, run } of datasetChecks(mine, { path: 'copy.json' })) test(name, run)`
 */
export function datasetChecks(dataset: Dataset, { path, options: given = {}, counts }: DatasetCase): readonly Check[] {
  const check = checksOf(`dataset "${dataset.name}"`)
  const missing = (['files', 'corpora'] as const).filter((name) => typeof dataset[name] !== 'function')
  const described = [
    ...nameChecks(check, dataset),
    check('says whence it comes and on what terms', () =>
      firstFault(['source', 'licence'] as const, (name) =>
        typeof dataset[name] === 'string' && dataset[name] !== '' ? undefined : `has no ${name}; expected a text`,
      ),
    ),
    check('says whether its questions name their evidence', () =>
      ([true, false, 'some'] as readonly unknown[]).includes(dataset.evidence)
        ? undefined
        : `evidence is ${brief(dataset.evidence)}; expected true, false or 'some'`,
    ),
    check('has functions that name its files and read them', () =>
      firstFault(missing, (name) => `has no function ${name}(path, options); ${wanted[name]}`),
    ),
    ...optionChecks(check, dataset.options, given),
  ]
  const parsed = parsedOptions(dataset.options, given)
  if (!parsed || missing.length > 0) return described
  const { options } = parsed
  const read = once(() => gather(dataset.corpora(path, options)))
  // a reading that fails is said by one check; those that need it have nothing to say then
  const readable = async (fault: (corpora: readonly Corpus[]) => Fault | Promise<Fault>): Promise<Fault> => {
    const corpora = await read().catch(() => undefined)
    return corpora && fault(corpora)
  }
  const promised = once(() => checkDataset(dataset, path, options))
  return [
    ...described,
    check('names its files, and their bytes stand still', () => filesFault(dataset, path, options)),
    check('keeps the promises of every dataset', async () => {
      const { questions } = await promised()
      return questions > 0 ? undefined : `holds no question (${path})`
    }),
    check('holds what was counted', async () => {
      const counted = await promised().catch(() => undefined)
      if (!counted) return undefined
      const found = new Map<string, unknown>(Object.entries(counted))
      const wrong = Object.entries(counts ?? {}).find(([name, count]) => !isDeepStrictEqual(found.get(name), count))
      return (
        wrong &&
        `holds ${wrong[0]} ${JSON.stringify(found.get(wrong[0]))}; expected ${JSON.stringify(wrong[1])} (${path})`
      )
    }),
    check('reads the same twice, and can be left early', () =>
      readable(async (first) => {
        if (!isDeepStrictEqual(await gather(dataset.corpora(path, options)), first))
          return `reads otherwise at the second time (${path}); expected equal corpora`
        for await (const one of dataset.corpora(path, options))
          return isDeepStrictEqual(one, first[0])
            ? undefined
            : `reads another first corpus when it is left early (${path})`
        return undefined
      }),
    ),
    check('names evidence only where it says so', () =>
      readable((corpora) =>
        firstFault(
          corpora.flatMap(({ questions }) => questions),
          ({ id, evidence }) =>
            dataset.evidence === 'some' || dataset.evidence === (evidence !== undefined)
              ? undefined
              : `question "${id}" names ${evidence ? 'evidence' : 'no evidence'}, and the dataset says evidence: ${dataset.evidence}`,
        ),
      ),
    ),
    check('says in one line what is missing', () => missingFault(dataset, `${path}.is-not-there`, options)),
  ]
}

const wanted = {
  files: 'expected one that gives the files that the path stands for: their bytes tell results apart',
  corpora: 'expected one that reads the files: async *corpora(path, options) { yield { id, documents, questions } }',
}

async function filesFault(dataset: Dataset, path: string, options: unknown): Promise<Fault> {
  const files = await dataset.files(path, options)
  if (!Array.isArray(files) || files.length === 0)
    return `files() gave ${brief(files)} for ${path}; expected a list of paths`
  const [first, second] = [await datasetChecksum(files), await datasetChecksum(await dataset.files(path, options))]
  return first === second
    ? undefined
    : `files() gave other bytes at the second time (${path}); expected the same files in one order`
}

/** What is not there must be said by a UserError in one line that names it. */
async function missingFault(dataset: Dataset, path: string, options: unknown): Promise<Fault> {
  const expected = 'expected a UserError of one line that names it'
  const attempts = {
    files: () => dataset.files(path, options),
    corpora: () => gather(dataset.corpora(path, options)),
  }
  for (const [name, attempt] of Object.entries(attempts)) {
    const error: unknown = await attempt().then(
      () => undefined,
      (thrown: unknown) => thrown ?? 'nothing',
    )
    if (error === undefined) return `${name}() says nothing of the missing path ${path}; ${expected}`
    // a plug-in's file may hold a copy of the class
    const one = error instanceof Error ? error : new Error(brief(error))
    if (one.name !== new UserError('').name || one.message.includes('\n') || !one.message.includes(path))
      return `${name}() says of the missing path ${path}: ${one.name} "${messageOf(one)}"; ${expected}`
  }
  return undefined
}

/** All that an async iterable gives, in order. */
export async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
