import { existsSync } from 'node:fs'
import { mkdir, rename, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { lockFolder } from './lock.ts'

/**
 * Moves complete results folders from `source` to `results`; folders of these names move to `results/earlier-N` first.
 * Returns that archive, undefined if there was nothing to move. Throws UserError if another process uses a folder.
 */
export async function archiveResults(
  source: string,
  results: string,
  names: readonly string[],
): Promise<string | undefined> {
  const earlier = names.filter((name) => existsSync(join(results, name)))
  for (const name of earlier) {
    const release = await lockFolder(join(results, name))
    await release()
  }
  const archive = earlier.length > 0 ? freeArchive(results) : undefined
  if (archive !== undefined) await mkdir(archive)
  if (archive !== undefined) for (const name of earlier) await rename(join(results, name), join(archive, name))
  for (const name of names) await rename(join(source, name), join(results, name))
  // stays if it holds an interrupted run of another config
  await rmdir(source).catch(() => undefined)
  return archive
}

function freeArchive(results: string): string {
  let number = 1
  while (existsSync(join(results, `earlier-${number}`))) number++
  return join(results, `earlier-${number}`)
}
