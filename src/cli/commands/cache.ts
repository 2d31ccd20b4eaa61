import { resolve } from 'node:path'
import { plural } from '../../report/render/amounts.ts'
import { callsOf, exportCalls, importCalls, openResults } from '../../run/index.ts'
import { print, printNotice } from '../terminal/print.ts'

export interface CacheFlags {
  readonly cacheFolder: string
}

export interface CacheExportFlags extends CacheFlags {
  readonly run?: string
  readonly results: string
}

/** `gembench cache export`: the call cache, or the calls of one run, as a JSONL file. */
export async function cacheExportCommand(file: string, { cacheFolder, run, results }: CacheExportFlags): Promise<void> {
  const keys = run === undefined ? {} : { keys: await callsOf(await openResults(run, results)) }
  const count = await exportCalls(resolve(cacheFolder), file, { ...keys, warn: printNotice })
  print(`wrote ${plural(count, 'call')} to ${file}`)
}

/** `gembench cache import`: adds the calls of such a file. */
export async function cacheImportCommand(file: string, { cacheFolder }: CacheFlags): Promise<void> {
  const { added, same, conflicting } = await importCalls(resolve(cacheFolder), file, printNotice)
  print(
    `added ${plural(added, 'call')}; skipped ${same} that the cache has already and ${conflicting.length} that the cache has with another reply`,
  )
}
