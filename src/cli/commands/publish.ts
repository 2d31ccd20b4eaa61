import { resolve } from 'node:path'
import { plain } from '../../text/characters.ts'
import { plural } from '../../report/render/amounts.ts'
import { openResults, publish } from '../../run/index.ts'
import { print, printNotice } from '../terminal/print.ts'
import { tablePaths, writeTables } from '../../api/write-tables.ts'
import type { CacheFlags } from './cache.ts'

export interface PublishFlags extends CacheFlags {
  readonly results: string
}

/** `gembench publish`: a run, its tables and its calls in one folder, which `gembench verify` checks. */
export async function publishCommand(
  run: string,
  folder: string,
  { results, cacheFolder }: PublishFlags,
): Promise<void> {
  const opened = await openResults(run, results)
  const beside = await tablePaths(folder)
  const calls = await publish(opened, { folder, cacheFolder: resolve(cacheFolder), beside, warn: printNotice })
  await writeTables(folder)
  print(`wrote ${plain(folder)} with ${plural(calls, 'call')}; check it with: gembench verify ${plain(folder)}`)
}
