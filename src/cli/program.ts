import { Command, InvalidArgumentError, Option } from 'commander'
import type { AuditFlags } from './commands/audit.ts'
import type { CacheFlags } from './commands/cache.ts'
import type { CheckFlags } from './commands/check.ts'
import type { CheckFlags as DataCheckFlags } from './commands/data.ts'
import type { DiffFlags } from './commands/diff.ts'
import type { GraphFlags } from './commands/graph.ts'
import type { JudgeCheckFlags, JudgeSampleFlags } from './commands/judge.ts'
import type { PowerFlags } from './commands/power.ts'
import type { JsonFlag } from './print.ts'
import type { QueryFlags } from './commands/query.ts'
import type { ReproduceFlags } from './commands/reproduce.ts'
import type { RunFlags } from './commands/run.ts'
import type { ScoreFlags } from './commands/score.ts'
import type { ShowFlags } from './commands/show.ts'
import type { TableFlags } from './commands/table.ts'

/** The command line. Every command loads its own code, so that `--version` and `--help` answer at once. */
export function program(version: string): Command {
  const gembench = new Command('gembench')
    .description('Compares retrieval-augmented generation methods fairly.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(see --help)')
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })

  gembench
    .command('init')
    .description('Write gembench.yaml, the config of every command that names none, for a folder of your documents')
    .argument('[folder]', 'folder of the documents', '.')
    .action(async (folder: string) => (await import('./commands/init.ts')).initCommand(folder))

  withLimits(
    withPlan(gembench.command('run'), 'Ask the questions, score the answers and print the tables; run again to resume'),
  )
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option('--quiet', 'print errors only', false)
    .option('--json', 'print JSON only', false)
    .action(async (flags: RunFlags) => (await import('./commands/run.ts')).runCommand(flags))

  withPlan(gembench.command('validate'), 'Check a config without running it')
    .option('--json', 'print the resolved config as JSON', false)
    .action(async (flags: RunFlags) => (await import('./commands/validate.ts')).validateCommand(flags))

  withPlan(
    gembench.command('plan'),
    'Estimate the calls, tokens, money and time of a run by method and phase, without a call',
  )
    .option('--results <folder>', 'folder that holds the results folders; calls timed there tell the time', 'results')
    .option('--json', 'print JSON only', false)
    .action(async (flags: RunFlags) => (await import('./commands/plan.ts')).planCommand(flags))

  withPlan(gembench.command('query'), 'Ask one question of one method and show its passages')
    .argument('<question>', 'the question, or the id of one of the dataset, whose right answer is then shown too')
    .option('--prompt', 'show the prompt that the answer was asked with', false)
    .option('-m, --method <label>', 'which method of the config')
    .option(
      '--graph <file>',
      'ask an index that `gembench graph --format gem` wrote; models and budget are those of the config, or defaults changed with --set',
    )
    .option('--corpus <id>', 'which corpus of the dataset (default: the first)')
    .option('--json', 'print JSON only', false)
    .action(async (question: string, flags: QueryFlags) =>
      (await import('./commands/query.ts')).queryCommand(question, flags),
    )

  withPlan(gembench.command('graph'), 'Draw the graph that a method builds from a corpus, as one HTML page')
    .option(
      '--text <file>',
      'draw a text file instead of a config; gem-rag with offline models, unless --method or --set changes them',
    )
    .option('-m, --method <label>', 'which method (default: the first of the config that has a graph)')
    .option('--corpus <id>', 'which corpus of the dataset (default: the first)')
    .option('--ask <question>', 'also look up this question (repeatable)', collect, [])
    .addOption(
      new Option('--format <format>', 'file format; gem is the whole index, for `gembench query --graph`')
        .choices(['html', 'graphml', 'json', 'gem'])
        .default('html'),
    )
    .option('-o, --output <file>', 'file to write (default: graph.<format>, or graph.gem.json)')
    .option('--force', 'overwrite a file that this command did not make', false)
    .action(async (flags: GraphFlags) => (await import('./commands/graph.ts')).graphCommand(flags))

  withLimits(gembench.command('reproduce'))
    .description("Run the configs of a paper's table and print our numbers beside the paper's")
    .argument('[name]', 'name of a table, or a JSON file of the same form; without a name, the tables are listed')
    .option('--offline', 'run the offline variants, which need no key and no download', false)
    .option('--limit <questions>', 'ask only the first questions', wholeNumber)
    .addOption(cacheOption())
    .option('--no-cache', 'do not use the call cache on disk')
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option('--json', 'print JSON only', false)
    .action(async (name: string | undefined, flags: ReproduceFlags) =>
      (await import('./commands/reproduce.ts')).reproduceCommand(name, flags),
    )

  gembench
    .command('audit')
    .description("Check a paper's table against itself: which n its percentages allow, its sums, run noise and claims")
    .argument('<table>', 'name of a table ("gembench reproduce" lists them), or a JSON file of the same form')
    .option('--n <from..to>', 'numbers of questions to try, such as 50..2086 (default: as the file says)')
    .option('--json', 'print JSON only', false)
    .action(async (name: string, flags: AuditFlags) => (await import('./commands/audit.ts')).auditCommand(name, flags))

  withLimits(gembench.command('score'))
    .description('Score the stored answers of a run again with the current scorers; no question is asked again')
    .argument('<run>', 'results folder, or its name')
    .option(
      '-c, --config <file...>',
      'config of the run: its judge and scorers are used, whatever the results folder names',
    )
    .option('--trust', 'follow the files, addresses and variables that the results folder names', false)
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .addOption(cacheOption())
    .option('--no-cache', 'do not use the call cache on disk')
    .option('--json', 'print JSON only', false)
    .action(async (run: string, flags: ScoreFlags) => (await import('./commands/score.ts')).scoreCommand(run, flags))

  gembench
    .command('table')
    .description('Print the tables of one or several runs')
    .argument('<runs...>', 'results folders, or their names')
    .addOption(
      new Option('--format <format>', 'output format; csv holds the scores, usage-csv the calls and tokens')
        .choices(['md', 'csv', 'usage-csv', 'json', 'latex'])
        .default('md'),
    )
    .option('--labels <file>', 'CSV file of "judge sample" with verdicts: adds the means that they correct (PPI++)')
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option('--baseline <row>', 'compare every row with this one (default: as the config says, else all pairs)')
    .option('--no-baseline', 'compare all pairs of rows')
    .option('--metric <metric>', 'compare rows on this metric, by its name, its title or scorer.metric')
    .addOption(
      new Option('--alternative <alternative>', 'what a test of a row against the baseline looks for').choices([
        'two-sided',
        'greater',
        'less',
      ]),
    )
    .option(
      '--margin <fraction>',
      'also test which rows are the same within this difference, .03 for 3 points',
      fraction,
    )
    .action(async (runs: string[], flags: TableFlags) =>
      (await import('./commands/table.ts')).tableCommand(runs, flags),
    )

  gembench
    .command('diff')
    .description(
      'Compare two runs, or two rows, question by question: what got worse, what got better, and a paired test',
    )
    .argument('<before>', 'results folder, its name, or one row of it: FOLDER#ROW, such as quickstart-1a2b3c4d#vector')
    .argument('<after>', 'the same; where only one of the two names a row, that row is compared in both')
    .option(
      '--metric <metric>',
      'metric to compare, by its name, its title or scorer.metric: a column of the table in percent (default: the first)',
    )
    .addOption(
      new Option(
        '--fail-if <outcome>',
        'worse: exit code 4 if a row is worse at p <= .05, 2 if a row has no verdict, 3 if a run has not ended or questions failed only now',
      ).choices(['worse']),
    )
    .addOption(
      new Option('--limit <questions>', 'show at most so many changed questions of a row')
        .argParser(wholeNumber)
        .default(10),
    )
    .option('--all', 'show every changed question', false)
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option('--json', 'print JSON only', false)
    .addHelpText(
      'after',
      `
Examples:
  gembench diff results/base-1a2b3c4d results/new-5e6f7a8b --fail-if worse
  gembench diff quickstart-1a2b3c4d#vector quickstart-1a2b3c4d#raptor --metric qasper-f1.answerF1`,
    )
    .action(async (before: string, after: string, flags: DiffFlags) =>
      (await import('./commands/diff.ts')).diffCommand(before, after, flags),
    )

  gembench
    .command('power')
    .description(
      'Say how many questions, repeats and judge runs it takes to find a difference, and what they cost, from a small run',
    )
    .argument('<run>', 'results folder of a pilot, or its name')
    .requiredOption('--difference <fraction>', 'difference to find, .03 for 3 points', fraction)
    .option('--rows <rows>', 'only these rows, separated by commas (default: those that the table compares)', rowList)
    .option(
      '--metric <metric>',
      'metric to compare rows on, by its name, its title or scorer.metric (default: as the table)',
    )
    .addOption(
      new Option('--power <fraction>', 'how often the difference is to be found, .5 or more')
        .argParser(fromHalf)
        .default(0.8),
    )
    .addOption(
      new Option('--alpha <fraction>', 'level of the test of one pair, below .5').argParser(belowHalf).default(0.05),
    )
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option('--json', 'print JSON only', false)
    .action(async (run: string, flags: PowerFlags) => (await import('./commands/power.ts')).powerCommand(run, flags))

  gembench
    .command('show')
    .description(
      'Show questions of a run: what is right, and the context, answer and scores of every row, with reasons',
    )
    .argument('<run>', 'results folder, or its name')
    .argument('[question]', 'id of a question, its words, or a part of them that no other question has')
    .option('--failures', 'show the questions of which a trial or a score failed', false)
    .option('--different', 'show the questions that rows have different scores for', false)
    .option('--metric <metric>', 'metric of --different, by its name or scorer.metric (default: the first)')
    .option('--methods <labels>', 'only these rows, by label, separated by commas', commaList)
    .addOption(new Option('--limit <questions>', 'show at most so many questions').argParser(wholeNumber).default(10))
    .option('--full', 'do not cut long texts', false)
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option('--json', 'print JSON only', false)
    .action(async (run: string, question: string | undefined, flags: ShowFlags) =>
      (await import('./commands/show.ts')).showCommand(run, question, flags),
    )

  gembench
    .command('ls')
    .description('List the methods, datasets, scorers or models that a config can name, with their options')
    .addArgument(
      new Command().createArgument('<what>', 'what to list').choices(['methods', 'datasets', 'scorers', 'models']),
    )
    .option('--json', 'print JSON only', false)
    .action(async (what: 'methods' | 'datasets' | 'scorers' | 'models', flags: JsonFlag) =>
      (await import('./commands/ls.ts')).lsCommand(what, flags),
    )

  gembench
    .command('check')
    .description('Check a plug-in file (method, scorer or dataset) before it is used in a run')
    .argument('<file>', '.ts, .js or .mjs file that exports the plug-in')
    .option('--path <path>', 'file or folder that the dataset reads')
    .option('--set <option=value>', 'set an option of the plug-in (repeatable)', collect, [])
    .option('--json', 'print JSON only', false)
    .action(async (file: string, flags: CheckFlags) => (await import('./commands/check.ts')).checkCommand(file, flags))

  addJudge(gembench.command('judge').description('Check the judge of a scorer against the labels of people'))
  addData(gembench.command('data').description('List, download or check datasets'))
  addCache(gembench.command('cache').description('Export or import the call cache as JSONL'))
  return gembench
}

/** The options of every command that reads configs. */
function withPlan(command: Command, description: string): Command {
  return command
    .description(description)
    .option('-c, --config <file...>', 'config files; later ones override earlier ones (default: gembench.yaml)')
    .option('--set <path=value>', 'set one config value (repeatable)', collect, [])
    .option('--limit <questions>', 'ask only the first questions', wholeNumber)
    .option('--methods <labels>', 'only these methods, by label, separated by commas', commaList)
    .addOption(cacheOption())
    .option('--no-cache', 'do not use the call cache on disk')
}

function addJudge(judge: Command): void {
  judge
    .command('sample')
    .description(
      'Write answers to questions drawn at random, for a person to judge in the column "verdict" of a CSV file; rows and scores are not shown',
    )
    .argument('<run>', 'results folder, or its name')
    .option('--scorer <label>', 'scorer that asks the judge (default: the first of the run that asks one)')
    .option(
      '--size <questions>',
      'questions to draw; the answer of every row to each of them is taken',
      wholeNumber,
      100,
    )
    .option('--methods <labels>', 'only the answers of these methods, by label, separated by commas', commaList)
    .option('--seed <number>', 'seed of the draw (default: the seed of the run)', wholeOrZero)
    .option(
      '--context',
      'show the passages too; always so for faithfulness, context-precision and context-recall',
      false,
    )
    .option('-o, --output <file>', 'file to write; an existing one is never overwritten', 'labels.csv')
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .action(async (run: string, flags: JudgeSampleFlags) =>
      (await import('./commands/judge.ts')).judgeSampleCommand(run, flags),
    )
  judge
    .command('check')
    .description(
      'Print how far the judge agrees with the labels of people, and means and differences of rows that these labels correct (PPI++)',
    )
    .argument('<run>', 'results folder that the answers were drawn from, or its name')
    .argument(
      '<labels>',
      'CSV file of "judge sample" with verdicts: numbers as the judge gives them, mostly 0 to 1, or yes and no',
    )
    .option('--scorer <label>', 'another scorer than that of the labels')
    .option(
      '--metric <metric>',
      'metric of the scorer, by its name, its title or scorer.metric (default: that of its first column)',
    )
    .option(
      '--threshold <score>',
      'of graded scores, count this and more as right, for κ, sensitivity and specificity',
      score,
    )
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option('--json', 'print JSON only', false)
    .action(async (run: string, labels: string, flags: JudgeCheckFlags) =>
      (await import('./commands/judge.ts')).judgeCheckCommand(run, labels, flags),
    )
}

/** The options of every command that makes many calls. */
function withLimits(command: Command): Command {
  return command
    .option(
      '--budget-calls <number>',
      'stop with exit code 5 before this command makes more calls to models than this; calls to local models and every batch of embedded texts count, cached calls do not',
      wholeNumber,
    )
    .option(
      '--budget-tokens <number>',
      'the same for tokens: those of prompts, replies and embedded texts; a reply counts at its greatest length until it has come',
      wholeNumber,
    )
    .option(
      '--budget-usd <dollars>',
      'the same for money, by the prices in the config; models on this computer cost nothing where they have no price',
      positiveNumber,
    )
}

function addData(data: Command): void {
  data
    .command('ls')
    .description('List every dataset and whether its files are present')
    .option('--json', 'print JSON only', false)
    .action(async (flags: JsonFlag) => (await import('./commands/data.ts')).dataListCommand(flags))
  data
    .command('get')
    .description('Download a dataset from its official address into datasets/<name>/')
    .argument('<name>', 'name of the dataset')
    .action(async (name: string) => (await import('./commands/data.ts')).dataGetCommand(name))
  data
    .command('check')
    .description('Read a file or folder as a dataset and count its corpora, documents and questions')
    .argument('<path>', 'file or folder')
    .requiredOption('--use <name>', 'name of the dataset, or a .ts, .js or .mjs file that exports one')
    .option('--set <option=value>', 'set an option of the dataset (repeatable)', collect, [])
    .option('--json', 'print JSON only', false)
    .action(async (path: string, flags: DataCheckFlags) =>
      (await import('./commands/data.ts')).dataCheckCommand(path, flags),
    )
}

function addCache(cache: Command): void {
  const transfer = (name: 'export' | 'import', description: string): void => {
    cache
      .command(name)
      .description(description)
      .argument('<file>', 'JSONL file')
      .addOption(cacheOption())
      .action(async (file: string, flags: CacheFlags) =>
        (await import('./commands/cache.ts')).cacheCommand(name, file, flags),
      )
  }
  transfer('export', 'Write every cached call to a file; after an import, the same run needs no network')
  transfer('import', 'Add the calls of an exported file; calls that the cache has already stay as they are')
}

const cacheOption = (): Option =>
  new Option('--cache-folder <folder>', 'folder of cached calls and downloaded models')
    .env('GEMBENCH_CACHE')
    .default('.cache')

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value]

const commaList = (value: string): readonly string[] => value.split(',').map((one) => one.trim())

/** A comma within brackets is part of a name, such as "raptor (clusters=2, layers=1)". */
const rowList = (value: string): readonly string[] => value.split(/,(?![^(]*\))/).map((one) => one.trim())

function fraction(value: string): number {
  const number = /^\d*\.?\d+$/.test(value) ? Number(value) : NaN
  if (!(number > 0 && number < 1)) throw new InvalidArgumentError('It must be a number above 0 and below 1.')
  return number
}

function fromHalf(value: string): number {
  const number = fraction(value)
  if (number < 0.5) throw new InvalidArgumentError('It must be at least .5 and below 1.')
  return number
}

function belowHalf(value: string): number {
  const number = fraction(value)
  if (number >= 0.5) throw new InvalidArgumentError('It must be above 0 and below .5.')
  return number
}

function wholeNumber(value: string): number {
  if (!/^[1-9]\d*$/.test(value)) throw new InvalidArgumentError('It must be a whole number, 1 or more.')
  return Number(value)
}

function wholeOrZero(value: string): number {
  if (!/^\d+$/.test(value) || !Number.isSafeInteger(Number(value)))
    throw new InvalidArgumentError('It must be a whole number, 0 or more.')
  return Number(value)
}

function score(value: string): number {
  const number = Number(value)
  if (value.trim() === '' || !Number.isFinite(number))
    throw new InvalidArgumentError('It must be a number, such as .5.')
  return number
}
function positiveNumber(value: string): number {
  if (!(Number(value) > 0 && Number(value) < Infinity)) throw new InvalidArgumentError('It must be a number above 0.')
  return Number(value)
}
