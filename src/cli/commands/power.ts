import type { Command } from 'commander'
import { examples, fraction } from '../flags.ts'
import pc from 'picocolors'
import { powerOf, type PowerSettings } from '../../library/power.ts'
import { pairsTable, plansTable, plansTitle, powerTitle, powerNotes } from '../../report/power/messages.ts'
import { printNotes } from '../open-run.ts'
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

/** `gembench power`: the questions, repeats and judge runs that a difference needs, from a run's variance. */
async function powerCommand(name: string, { json, ...settings }: PowerFlags): Promise<void> {
  const { result: power, warnings, synthetic } = await powerOf(name, settings, '--')
  printNotes(warnings)
  if (json) {
    printJson(power)
    return
  }
  print(
    `${pc.bold(plain(`${power.scorer}.${power.metric}`))}  ${pc.dim(plain([powerTitle(power), ...synthetic].join('; ')))}`,
  )
  if (power.pairs.some(({ reason }) => reason === null)) print(`\n${formatTable(pairsTable(power))}`)
  if (power.plans.length > 0) print(`\n${plain(plansTitle(power))}\n\n${formatTable(plansTable(power))}`)
  print('')
  for (const note of powerNotes(power)) print(pc.dim(plain(note)))
}
