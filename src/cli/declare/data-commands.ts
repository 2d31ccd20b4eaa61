import { Argument, type Command } from 'commander'
import type { CheckFlags } from '../commands/check.ts'
import type { Listed } from '../commands/listed.ts'
import type { JsonFlag } from '../terminal/print.ts'
import { collect } from './flags.ts'

/** Commands about what a config can name, and about datasets. */
export function declareDataCommands(gembench: Command): void {
  gembench
    .command('ls')
    .description(
      'List the methods, datasets, scorers or models that a config can name, with their options; of datasets, whether their files are present',
    )
    .addArgument(
      new Argument('<what>', 'what to list').choices(['methods', 'datasets', 'scorers', 'models'] satisfies Listed[]),
    )
    .option('--json', 'print JSON only', false)
    .action(async (what: Listed, flags: JsonFlag) => (await import('../commands/ls.ts')).lsCommand(what, flags))

  gembench
    .command('check')
    .description(
      'Check a plug-in file (method, scorer or dataset) before it is used in a run; with --use, read a file or folder as a dataset and count its corpora, documents and questions, or check a program as the method command runs it',
    )
    .argument('<path>', '.ts, .js or .mjs file that exports the plug-in; with --use, the program, or the dataset')
    .option(
      '--use <name>',
      'command: <path> is a program; else the dataset that it is read as, or a .ts, .js or .mjs file that exports one',
    )
    .option('--path <path>', 'file or folder that the dataset of a plug-in file reads')
    .option('--set <option=value>', 'set an option of the plug-in or dataset (repeatable)', collect, [])
    .option('--json', 'print JSON only', false)
    .action(async (path: string, flags: CheckFlags) => (await import('../commands/check.ts')).checkCommand(path, flags))

  const data = gembench.command('data').description('Download datasets')
  data
    .command('get')
    .description('Download a dataset from its official address into datasets/<name>/')
    .argument('<name>', 'name of the dataset')
    .action(async (name: string) => (await import('../commands/data.ts')).dataGetCommand(name))
}
