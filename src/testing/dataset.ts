import { describe, expect, test } from 'vitest'
import { checkDataset, datasetChecksum, type Counts } from '../datasets/index.ts'
import { UserError } from '../errors.ts'
import type { Corpus, Dataset } from '../types.ts'

export interface DatasetCase {
  /** A real or hand-made copy: a file or folder. */
  readonly path: string
  readonly options?: unknown
  /** What that copy holds. */
  readonly counts?: Partial<Counts>
}

/** What every dataset promises, as a suite of tests: call it at the top of a test file. */
export function testDataset(dataset: Dataset, { path, options: given = {}, counts = {} }: DatasetCase): void {
  const options = dataset.options.parse(given)
  const read = (): Promise<Corpus[]> => gather(dataset.corpora(path, options))

  describe(`dataset ${dataset.name}`, () => {
    test('says what it is, whence it comes and on what terms', () => {
      expect(dataset.name).toMatch(/^[a-z][a-z0-9-]*$/)
      expect(dataset.summary).toMatch(/\.$/)
      expect(dataset.source).not.toBe('')
      expect(dataset.licence).not.toBe('')
    })

    test('needs no option and refuses an unknown one', () => {
      expect(dataset.options.safeParse({}).success).toBe(true)
      expect(dataset.options.safeParse({ 'no such option': 1 }).success).toBe(false)
    })

    test('names its files, and their checksum stands still', async () => {
      const files = await dataset.files(path, options)
      expect(files).not.toEqual([])
      expect(await datasetChecksum(files)).toBe(await datasetChecksum(await dataset.files(path, options)))
    })

    test('keeps the promises of every dataset and holds what was counted', async () => {
      const found = await checkDataset(dataset, path, options)
      expect(found).toMatchObject(counts)
      expect(found.questions).toBeGreaterThan(0)
    })

    test('reads the same twice, and can be left early', async () => {
      const all = await read()
      expect(await read()).toEqual(all)
      for await (const first of dataset.corpora(path, options)) {
        expect(first).toEqual(all[0])
        break
      }
    })

    test('names evidence only where it says so', async () => {
      const named = (await read()).flatMap(({ questions }) => questions).map(({ evidence }) => evidence !== undefined)
      expect(new Set(named)).toEqual(new Set([dataset.evidence]))
    })

    test('says in one line what is missing', async () => {
      const missing = `${path}.is-not-there`
      const error: unknown = await dataset.files(missing, options).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(UserError)
      expect(String(error)).toContain(missing)
      expect(String(error)).not.toContain('\n')
      await expect(gather(dataset.corpora(missing, options))).rejects.toThrow(UserError)
    })
  })
}

/** All that an async iterable gives, in order. */
export async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}
