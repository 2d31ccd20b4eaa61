import { resolve } from 'node:path'
import { plain } from '../../text/characters.ts'
import { plural } from '../../report/render/amounts.ts'
import { openResults, publish } from '../../run/index.ts'
import { print, printNotice } from '../terminal/print.ts'
import { tablePaths, writeTables } from '../../api/write-tables.ts'

export interface PublishFlags {
  readonly cacheFolder: string
  readonly results: string
  readonly calls: boolean
}

/** `gembench publish`: a run, its tables and its calls in one folder, which `gembench verify` checks. */
export async function publishCommand(
  run: string,
  folder: string,
  { results, cacheFolder, calls }: PublishFlags,
): Promise<void> {
  const opened = await openResults(run, results)
  const beside = await tablePaths(folder)
  const kept = { cacheFolder: resolve(cacheFolder), calls }
  const used = await publish(opened, { folder, ...kept, beside, warn: printNotice })
  await writeTables(folder)
  print(
    `wrote ${plain(folder)} ${calls ? 'with' : 'without the'} ${plural(used, 'call')}; check it with: gembench verify ${plain(folder)}`,
  )
}
