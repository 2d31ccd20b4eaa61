import { Argument, type Command } from 'commander'
import { UserError } from '../../errors.ts'
import type { CacheExportFlags, CacheFlags } from '../commands/cache.ts'
import type { CheckFlags } from '../commands/check.ts'
import type { Listed } from '../commands/listed.ts'
import type { JsonFlag } from '../terminal/print.ts'
import { cacheOption, collect } from './flags.ts'

/** Commands about what a config can name, and about datasets and cached calls. */
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
  declareMoved(data, 'ls', 'gembench ls datasets')
  declareMoved(data, 'check', 'gembench check PATH --use NAME')

  declareCacheCommands(gembench.command('cache').description('Export or import the call cache as JSONL'))
}

/** A command that has another name now: it only says so. */
function declareMoved(parent: Command, name: string, now: string): void {
  parent
    .command(name, { hidden: true })
    .argument('[any...]')
    .allowUnknownOption()
    .action(() => {
      throw new UserError(`gembench ${parent.name()} ${name} is "${now}" now`)
    })
}

function declareCacheCommands(cache: Command): void {
  cache
    .command('export')
    .description(
      'Write every cached call to a file, or those of one run; after an import, the same run needs no network',
    )
    .argument('<file>', 'JSONL file; packed by gzip where the name ends in .gz')
    .option('--run <run>', 'only the calls that the run in this results folder has used')
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .addOption(cacheOption())
    .action(async (file: string, flags: CacheExportFlags) =>
      (await import('../commands/cache.ts')).cacheExportCommand(file, flags),
    )
  cache
    .command('import')
    .description('Add the calls of an exported file; calls that the cache has already stay as they are')
    .argument('<file>', 'JSONL file; packed by gzip where the name ends in .gz')
    .addOption(cacheOption())
    .action(async (file: string, flags: CacheFlags) =>
      (await import('../commands/cache.ts')).cacheImportCommand(file, flags),
    )
}
