import type { Command } from 'commander'
import { examples, fraction } from '../flags.ts'
import pc from 'picocolors'
import { power, type PowerSettings } from '../../library/power.ts'
import { pairsTable, plansTable, plansTitle, powerTitle } from '../../report/power/messages.ts'
import { print, printJson, type JsonFlag } from '../terminal/print.ts'
import { plain } from '../../text/characters.ts'
import { formatTable } from '../terminal/format-table.ts'

type PowerFlags = JsonFlag & PowerSettings

export const setUp = (command: Command): Command =>
  command
    .argument('<run>', 'results folder of a pilot, or its name')
    .requiredOption('--difference <fraction>', 'difference to find, .03 for 3 points', fraction)
    .option(
      '--metric <metric>',
      'metric to compare rows on, by its name, its title or scorer.metric (default: as the table)',
    )
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option('--json', 'print JSON only', false)
    .action(powerCommand)
    .addHelpText('after', examples('gembench power quickstart-1a2b3c4d --difference .03'))

async function powerCommand(name: string, { json, ...settings }: PowerFlags) {
  const result = await power(name, settings)
  if (json) {
    printJson(result)
    return
  }
  print(`${pc.bold(plain(`${result.scorer}.${result.metric}`))}  ${pc.dim(plain(powerTitle(result)))}`)
  if (result.pairs.some(({ reason }) => reason === null)) print(`\n${formatTable(pairsTable(result))}`)
  if (result.plans.length > 0) {
    print(`\n${plain(plansTitle(result))}\n`)
    print(formatTable(plansTable(result)))
  }
  print('')
  for (const note of result.notes) print(pc.dim(plain(note)))
}
