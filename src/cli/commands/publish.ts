import type { Command } from 'commander'
import { cacheOption, examples } from '../flags.ts'
import { resolve } from 'node:path'
import { plain } from '../../text/characters.ts'
import { plural } from '../../text/amounts.ts'
import { openResults, publish } from '../../run/index.ts'
import { print, printNotice } from '../terminal/print.ts'
import { tablePaths, writeTables } from '../../library/write-tables.ts'

interface PublishFlags {
  readonly cacheFolder: string
  readonly results: string
  readonly calls: boolean
}

export const setUp = (command: Command): Command =>
  command
    .argument('<run>', 'results folder, or its name; of a series, with its runs within')
    .argument('<folder>', 'folder to write into; only an earlier publication of the run is overwritten')
    .option('--no-calls', 'leave out the calls; "verify" then reads those of its --cache-folder')
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .addOption(cacheOption())
    .action(publishCommand)
    .addHelpText('after', examples('gembench publish quickstart-1a2b3c4d results/published/quickstart'))

async function publishCommand(
  run: string,
  folder: string,
  { results, cacheFolder, calls }: PublishFlags,
): Promise<void> {
  const source = await openResults(run, results)
  const beside = await tablePaths(folder)
  const callSettings = { cacheFolder: resolve(cacheFolder), calls }
  const callCount = await publish(source, { folder, ...callSettings, beside, warn: printNotice })
  await writeTables(folder)
  const destination = plain(folder)
  const how = calls ? 'with' : 'without the'
  print(`wrote ${destination} ${how} ${plural(callCount, 'call')}`)
  print(`Next: npx gembench verify ${destination}`)
}
