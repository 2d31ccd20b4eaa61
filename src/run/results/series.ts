import { existsSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { makeNamedFolder, removeEmptyFolders } from '../../basics/files.ts'
import { UserError } from '../../errors.ts'
import { resultsFormat, type SeriesRecord } from '../../records.ts'
import { hashOf } from '../../text/hash.ts'
import { shapeFaults } from '../../text/shape-faults.ts'
import { combineRuns } from './combine-runs.ts'
import { elsewhere } from './lock.ts'
import { damaged } from './read-lines.ts'
import { replaceFile } from './replace-file.ts'
import { seriesForm } from './result-forms.ts'
import type { Results } from './results.ts'

const fileName = 'series.json'

/** The folder of a series that has begun. */
export interface BegunSeries {
  readonly folder: string
  /** Removes what was made for it, where no run of it has begun. */
  undo(): Promise<void>
}

/** Writes which runs share a table, into `<results>/<name>-series-<hash>/`. */
export async function writeSeries(
  results: string,
  { name, varied, runs }: Pick<SeriesRecord, 'name' | 'varied' | 'runs'>,
): Promise<BegunSeries> {
  const hash = hashOf({ varied, runs }).slice(0, 8)
  const folder = join(results, `${name}-series-${hash}`)
  const made = makeNamedFolder(folder, elsewhere)
  const record: SeriesRecord = { format: resultsFormat, name, hash, varied, runs }
  await replaceFile(join(folder, fileName), `${JSON.stringify(record, null, 2)}\n`)
  return {
    folder,
    async undo() {
      if (!made.includes(folder) || runs.some((run) => existsSync(join(results, run)))) return
      await rm(join(folder, fileName), { force: true })
      removeEmptyFolders(made)
    },
  }
}

/** The runs of a series as one, read by `open`, which is undefined of a folder that holds none; undefined where the folder is of no series. Throws UserError where no run has begun. */
export async function openSeries(
  folder: string,
  open: (folder: string) => Promise<Results | undefined>,
): Promise<Results | undefined> {
  const record = await readSeries(folder)
  if (!record) return undefined
  const found = await Promise.all(
    record.runs.map(async (name) => ({
      name,
      // a published series has its runs within
      run: (await open(join(folder, name))) ?? (await open(join(dirname(resolve(folder)), name))),
    })),
  )
  const [first, ...others] = found.flatMap(({ run }) => run ?? [])
  const missing = found.flatMap(({ name, run }) => (run ? [] : [name]))
  if (!first)
    throw new UserError(
      `${folder}: none of its runs is beside it (${missing.join(', ')}); run the config again, or bring their folders`,
    )
  return combineRuns(folder, record, [first, ...others], missing)
}

async function readSeries(folder: string): Promise<SeriesRecord | undefined> {
  const file = join(folder, fileName)
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  })
  if (text === undefined) return undefined
  let record: unknown
  try {
    record = JSON.parse(text)
  } catch {
    throw damaged(file, `is no ${basename(file)} of gembench`)
  }
  const [fault] = shapeFaults(seriesForm, record, {})
  if (fault) throw damaged(file, fault.message)
  return record as SeriesRecord
}
