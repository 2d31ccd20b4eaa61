import type { Command } from 'commander'
import type { CacheFlags } from '../commands/cache.ts'
import type { CheckFlags as DataCheckFlags } from '../commands/data.ts'
import type { JsonFlag } from '../print.ts'
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
  const transfer = (name: 'export' | 'import', description: string): void => {
    cache
      .command(name)
      .description(description)
      .argument('<file>', 'JSONL file')
      .addOption(cacheOption())
      .action(async (file: string, flags: CacheFlags) =>
        (await import('../commands/cache.ts')).cacheCommand(name, file, flags),
      )
  }
  transfer('export', 'Write every cached call to a file; after an import, the same run needs no network')
  transfer('import', 'Add the calls of an exported file; calls that the cache has already stay as they are')
}
