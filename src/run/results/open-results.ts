import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isRegularFile } from '../../basics/files.ts'
import { UserError } from '../../errors.ts'
import { openRunFolder, type Results } from './results.ts'
import { openSeries } from './series.ts'

/** Opens a results folder, of a run or series, by its path or its name below `root`. Throws UserError. */
export async function openResults(name: string, root: string): Promise<Results> {
  for (const folder of [name, join(root, name)]) {
    const results = (await openRunFolder(folder)) ?? (await openSeries(folder, openRunFolder))
    if (results) return results
  }
  const known = await runsIn(root)
  throw new UserError(
    `${name}: is not a results folder (it has no manifest.json)${known.length > 0 ? `; in ${root}: ${known.join(', ')}` : ''}`,
  )
}

async function runsIn(root: string): Promise<readonly string[]> {
  const names = await readdir(root).catch(() => [])
  return names.filter((name) => isResultsFolder(join(root, name))).sort()
}

const isResultsFolder = (folder: string): boolean =>
  ['manifest.json', 'series.json'].some((name) => isRegularFile(join(folder, name)))
