import { Command, InvalidArgumentError, Option } from 'commander'
import type { CacheFlags } from './cache.ts'
import type { CheckFlags } from './data.ts'
import type { GraphFlags } from './graph.ts'
import type { JsonFlag } from './print.ts'
import type { QueryFlags } from './query.ts'
import type { ReproduceFlags } from './reproduce.ts'
import type { RunFlags } from './run.ts'
import type { ScoreFlags } from './score.ts'
import type { TableFlags } from './table.ts'

/** The command line. Every command loads its own code, so that `--version` and `--help` answer at once. */
export function program(version: string): Command {
  const gembench = new Command('gembench')
    .description('Compares retrieval-augmented generation methods fairly.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(--help shows what there is)')
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })

  withPlan(gembench.command('run'), 'Ask, score and print the tables; run again to resume')
    .option('--results <folder>', 'folder of all results', 'results')
    .option('--quiet', 'print nothing but errors', false)
    .option('--json', 'print only JSON', false)
    .action(async (flags: RunFlags) => (await import('./run.ts')).runCommand(flags))

  withPlan(gembench.command('validate'), 'Check a config without running it')
    .option('--json', 'print the resolved config as JSON', false)
    .action(async (flags: RunFlags) => (await import('./validate.ts')).validateCommand(flags))

  withPlan(gembench.command('query'), 'Ask one question of one method and show its passages')
    .argument('<question>', 'the question')
    .requiredOption('-m, --method <label>', 'which method of the config')
    .option('--corpus <id>', 'which corpus of the dataset (default: the first)')
    .option('--json', 'print only JSON', false)
    .action(async (question: string, flags: QueryFlags) => (await import('./query.ts')).queryCommand(question, flags))

  withPlan(gembench.command('graph'), 'Draw the graph that a method keeps of a corpus, as one HTML page', false)
    .option(
      '--text <file>',
      'a text file instead of a config: gem-rag, offline, unless --method and --set say otherwise',
    )
    .option('-m, --method <label>', 'which method (default: the first of the config that keeps a graph)')
    .option('--corpus <id>', 'which corpus of the dataset (default: the first)')
    .option('--ask <question>', 'look up this question too (repeatable)', collect, [])
    .addOption(new Option('--format <format>', 'what to write').choices(['html', 'graphml', 'json']).default('html'))
    .option('-o, --output <file>', 'where to write it (default: graph.<format>)')
    .option('--force', 'overwrite a file that this command did not make', false)
    .action(async (flags: GraphFlags) => (await import('./graph.ts')).graphCommand(flags))

  gembench
    .command('reproduce')
    .description("Run the configs of a paper's table and print our cells beside the paper's")
    .argument('[name]', 'which table: see them without a name; or a file of your own in their form')
    .option('--offline', 'run the twins that need no key and no download', false)
    .option('--limit <questions>', 'ask only the first questions', wholeNumber)
    .addOption(cacheOption())
    .option('--no-cache', 'keep no calls on disk')
    .option('--results <folder>', 'folder of all results', 'results')
    .option('--json', 'print only JSON', false)
    .action(async (name: string | undefined, flags: ReproduceFlags) =>
      (await import('./reproduce.ts')).reproduceCommand(name, flags),
    )

  gembench
    .command('score')
    .description('Score a finished run again with the scorers as they are now; the answers stay')
    .argument('<run>', 'results folder, or its name')
    .option('--results <folder>', 'folder of all results', 'results')
    .addOption(cacheOption())
    .option('--no-cache', 'keep no calls on disk')
    .option('--json', 'print only JSON', false)
    .action(async (run: string, flags: ScoreFlags) => (await import('./score.ts')).scoreCommand(run, flags))

  gembench
    .command('table')
    .description('Print the tables of one or several runs')
    .argument('<runs...>', 'results folders, or their names')
    .addOption(
      new Option('--format <format>', 'how to print; csv holds the scores, usage-csv the tokens that they cost')
        .choices(['md', 'csv', 'usage-csv', 'json', 'latex'])
        .default('md'),
    )
    .option('--results <folder>', 'folder of all results', 'results')
    .action(async (runs: string[], flags: TableFlags) => (await import('./table.ts')).tableCommand(runs, flags))

  gembench
    .command('ls')
    .description('List what a config can name, with options and defaults')
    .addArgument(
      new Command().createArgument('<what>', 'what to list').choices(['methods', 'datasets', 'scorers', 'models']),
    )
    .option('--json', 'print only JSON', false)
    .action(async (what: 'methods' | 'datasets' | 'scorers' | 'models', flags: JsonFlag) =>
      (await import('./ls.ts')).lsCommand(what, flags),
    )

  addData(gembench.command('data').description('Datasets: what there is, bring one, check one'))
  addCache(gembench.command('cache').description('The call cache: take it along as JSONL'))
  return gembench
}

/** The options of every command that reads configs. */
function withPlan(command: Command, description: string, required = true): Command {
  return command
    .description(description)
    .addOption(
      new Option('-c, --config <file...>', 'config files; later ones override earlier ones').makeOptionMandatory(
        required,
      ),
    )
    .option('--set <path=value>', 'set one config value (repeatable)', collect, [])
    .option('--limit <questions>', 'ask only the first questions', wholeNumber)
    .option('--methods <labels>', 'only these methods, by label, separated by commas', commaList)
    .addOption(cacheOption())
    .option('--no-cache', 'keep no calls on disk')
}

function addData(data: Command): void {
  data
    .command('ls')
    .description('Show every dataset and which are here')
    .option('--json', 'print only JSON', false)
    .action(async (flags: JsonFlag) => (await import('./data.ts')).dataListCommand(flags))
  data
    .command('get')
    .description('Bring a dataset from its official address into datasets/<name>/')
    .argument('<name>', 'name of the dataset')
    .action(async (name: string) => (await import('./data.ts')).dataGetCommand(name))
  data
    .command('check')
    .description('Read a file or folder as a dataset and count what it holds')
    .argument('<path>', 'file or folder')
    .requiredOption('--use <name>', 'which dataset it is')
    .option('--set <option=value>', 'set an option of the dataset (repeatable)', collect, [])
    .option('--json', 'print only JSON', false)
    .action(async (path: string, flags: CheckFlags) => (await import('./data.ts')).dataCheckCommand(path, flags))
}

function addCache(cache: Command): void {
  const transfer = (name: 'export' | 'import', description: string): void => {
    cache
      .command(name)
      .description(description)
      .argument('<file>', 'JSONL file')
      .addOption(cacheOption())
      .action(async (file: string, flags: CacheFlags) => (await import('./cache.ts')).cacheCommand(name, file, flags))
  }
  transfer('export', 'Write every kept call to a file, with which a run replays without a network')
  transfer('import', 'Add the calls of such a file; what is there already is kept')
}

const cacheOption = (): Option =>
  new Option('--cache-folder <folder>', 'where calls and built models are kept').env('GEMBENCH_CACHE').default('.cache')

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value]

const commaList = (value: string): readonly string[] => value.split(',').map((one) => one.trim())

function wholeNumber(value: string): number {
  if (!/^[1-9]\d*$/.test(value)) throw new InvalidArgumentError('It must be a whole number from 1.')
  return Number(value)
}
