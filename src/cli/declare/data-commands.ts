import type { Command } from 'commander'
import type { CacheExportFlags, CacheFlags } from '../commands/cache.ts'
import type { CheckFlags as DataCheckFlags } from '../commands/data.ts'
import type { JsonFlag } from '../terminal/print.ts'
import { cacheOption } from './shared-flags.ts'
import { collect } from './flag-values.ts'

/** The commands of `gembench data`. */
export function declareDataCommands(data: Command): void {
  data
    .command('ls')
    .description('List every dataset and whether its files are present')
    .option('--json', 'print JSON only', false)
    .action(async (flags: JsonFlag) => (await import('../commands/data.ts')).dataListCommand(flags))
  data
    .command('get')
    .description('Download a dataset from its official address into datasets/<name>/')
    .argument('<name>', 'name of the dataset')
    .action(async (name: string) => (await import('../commands/data.ts')).dataGetCommand(name))
  data
    .command('check')
    .description('Read a file or folder as a dataset and count its corpora, documents and questions')
    .argument('<path>', 'file or folder')
    .requiredOption('--use <name>', 'name of the dataset, or a .ts, .js or .mjs file that exports one')
    .option('--set <option=value>', 'set an option of the dataset (repeatable)', collect, [])
    .option('--json', 'print JSON only', false)
    .action(async (path: string, flags: DataCheckFlags) =>
      (await import('../commands/data.ts')).dataCheckCommand(path, flags),
    )
}

/** The commands of `gembench cache`. */
export function declareCacheCommands(cache: Command): void {
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
