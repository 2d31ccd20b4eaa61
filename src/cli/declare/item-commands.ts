import { Command } from 'commander'
import type { CheckFlags } from '../commands/check.ts'
import type { JsonFlag } from '../terminal/print.ts'
import { collect } from './flag-values.ts'

/** Commands about what a config can name. */
export function declareItemCommands(gembench: Command): void {
  gembench
    .command('ls')
    .description('List the methods, datasets, scorers or models that a config can name, with their options')
    .addArgument(
      new Command().createArgument('<what>', 'what to list').choices(['methods', 'datasets', 'scorers', 'models']),
    )
    .option('--json', 'print JSON only', false)
    .action(async (what: 'methods' | 'datasets' | 'scorers' | 'models', flags: JsonFlag) =>
      (await import('../commands/ls.ts')).lsCommand(what, flags),
    )

  gembench
    .command('check')
    .description('Check a plug-in file (method, scorer or dataset) before it is used in a run')
    .argument('<file>', '.ts, .js or .mjs file that exports the plug-in')
    .option('--path <path>', 'file or folder that the dataset reads')
    .option('--set <option=value>', 'set an option of the plug-in (repeatable)', collect, [])
    .option('--json', 'print JSON only', false)
    .action(async (file: string, flags: CheckFlags) => (await import('../commands/check.ts')).checkCommand(file, flags))
}
