import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { UserError } from '../../errors.ts'
import { openRunFolder, type Results } from './results.ts'
import { openSeries } from './series.ts'

/** Opens a results folder, of a run or of a series, named by its path or by its name below the folder that holds the results folders. Throws UserError when it is none. */
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
  const found = await Promise.all(names.map(async (name) => ((await isResultsFolder(join(root, name))) ? [name] : [])))
  return found.flat().sort()
}

/** Whether a folder holds the results of a run or of a series. */
export const isResultsFolder = async (folder: string): Promise<boolean> =>
  (await isFile(join(folder, 'manifest.json'))) || (await isFile(join(folder, 'series.json')))

const isFile = (file: string): Promise<boolean> =>
  stat(file).then(
    (found) => found.isFile(),
    () => false,
  )
