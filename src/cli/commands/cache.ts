import { resolve } from 'node:path'
import { exportCalls, importCalls } from '../run/index.ts'
import { print } from './print.ts'

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
    print(`wrote ${await exportCalls(resolve(cacheFolder), file)} calls to ${file}`)
    return
  }
  const { added, same, conflicting } = await importCalls(resolve(cacheFolder), file)
  print(
    `added ${added} calls; ${same} were there already; ${conflicting.length} differ from what is there, which was kept`,
  )
}
