import { resolve } from 'node:path'
import { plural } from '../../report/render/plural.ts'
import { exportCalls, importCalls } from '../../run/index.ts'
import { print, printNotice } from '../print.ts'

export interface CacheFlags {
  readonly cacheFolder: string
}

/** `gembench cache export|import`: the call cache as a JSONL file. */
export async function cacheCommand(
  direction: 'export' | 'import',
  file: string,
  { cacheFolder }: CacheFlags,
): Promise<void> {
  if (direction === 'export') {
    print(`wrote ${plural(await exportCalls(resolve(cacheFolder), file, printNotice), 'call')} to ${file}`)
    return
  }
  const { added, same, conflicting } = await importCalls(resolve(cacheFolder), file, printNotice)
  print(
    `added ${plural(added, 'call')}; skipped ${same} that the cache has already and ${conflicting.length} that the cache has with another reply`,
  )
}
