import { type Command, Option } from 'commander'
import type { GraphFlags } from '../commands/graph.ts'
import type { PlanCommandFlags } from '../commands/plan.ts'
import type { QuestionsFlags } from '../commands/questions.ts'
import type { QueryFlags } from '../commands/query.ts'
import type { ReproduceFlags } from '../commands/papers/reproduce.ts'
import type { RunFlags } from '../commands/run.ts'
import type { TrainFlags } from '../commands/papers/train.ts'
import type { ValidateFlags } from '../commands/validate.ts'
import type { WorkFlags } from '../commands/work.ts'
import {
  cacheOption,
  configsOneByOne,
  withCache,
  withConfig,
  withLimits,
  withPlan,
  collect,
  commaList,
  shareAboveZero,
  wholeNumber,
} from './flags.ts'

/** Commands that read a config. */
export function declareRunCommands(gembench: Command): void {
  gembench
    .command('init')
    .description('Write gembench.yaml, the config of every command that names none, for a folder of your documents')
    .argument('[folder]', 'folder of the documents', '.')
    .action(async (folder: string) => (await import('../commands/init.ts')).initCommand(folder))

  withLimits(
    withCache(
      withConfig(
        gembench.command('questions'),
        'Draft questions with evidence from your documents with the complete model of the config; each is answered with and without its evidence, and marked "synthetic" in every table',
      ),
    ),
  )
    .option('--count <number>', 'how many questions; at most three drafts are asked for, for each', wholeNumber, 20)
    .option(
      '-o, --output <file>',
      'file to write, .csv or .jsonl; one that holds questions is refused (default: where the config reads its questions)',
    )
    .option(
      '--min-f1 <number>',
      'least token F1 of an answer of the model and the drafted answer for both to count as the same',
      shareAboveZero,
      0.5,
    )
    .option('--keep-known', 'keep questions that the model answers right without their evidence, unasked', false)
    .option('--json', 'print JSON only', false)
    .action(async (flags: QuestionsFlags) => (await import('../commands/questions.ts')).questionsCommand(flags))

  withLimits(
    withPlan(gembench.command('run'), 'Ask the questions, score the answers and print the tables; run again to resume'),
  )
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option(
      '--workers <redis>',
      'let workers build the indexes and ask the questions: the address of a Redis at which `gembench work` listens, such as redis://localhost:6379',
    )
    .option('--report', 'also write report.html, the page of `gembench report`, into the results folder', false)
    .option(
      '--profile',
      'also print where the time went, by phase and method; the run then does one thing at a time, so that it takes longer',
      false,
    )
    .option('--quiet', 'print only errors, and what failed with its reasons', false)
    .option('--notes', 'print all notes under the table, not only the five that matter most', false)
    .option('--json', 'print JSON only', false)
    .action(async (flags: RunFlags) => (await import('../commands/run.ts')).runCommand(flags))

  gembench
    .command('work')
    .description(
      'Build indexes and ask questions for every `gembench run --workers` on a Redis, until Ctrl-C; documents, questions, answers and cached calls go through Redis, keys never do',
    )
    .argument('<redis>', 'address of the Redis, such as redis://localhost:6379 or rediss://NAME:PASSWORD@HOST:PORT')
    .option(
      '--allow <name>',
      'a program, plug-in file or variable of the environment that runs may use here (repeatable); nothing else of these is run or read',
      collect,
      [],
    )
    .option(
      '--concurrency <number>',
      'indexes and questions at the same time (default: as the config of the run says)',
      wholeNumber,
    )
    .addOption(cacheOption())
    .option('--no-cache', 'do not use the call cache on disk')
    .action(async (redis: string, flags: WorkFlags) => (await import('../commands/work.ts')).workCommand(redis, flags))

  withPlan(gembench.command('validate'), 'Check a config without running it')
    .option(
      '--models',
      'also call every model of the config once for each task that the rows and scorers ask, and say what its server takes (schema, system role, token field), how long a vector is and whether long texts are cut; the call cache is not used',
      false,
    )
    .option('--json', 'print the resolved config as JSON', false)
    .action(async (flags: ValidateFlags) => (await import('../commands/validate.ts')).validateCommand(flags))

  withPlan(
    gembench.command('plan'),
    'Estimate the calls, tokens, money and time of a run by method and phase, without a call',
  )
    .option(
      '--ask-programs',
      'also run programs, servers and plug-ins of rows; their usage is unknown otherwise',
      false,
    )
    .option('--results <folder>', 'folder that holds the results folders; calls timed there tell the time', 'results')
    .option('--json', 'print JSON only', false)
    .action(async (flags: PlanCommandFlags) => (await import('../commands/plan.ts')).planCommand(flags))

  withPlan(
    gembench.command('query'),
    'Ask one question of one method and show its passages',
    configsOneByOne('config file (repeatable); later ones override earlier ones (default: gembench.yaml)'),
  )
    .argument('<question>', 'the question, or the id of one of the dataset, whose right answer is then shown too')
    .option('--prompt', 'show the prompt that the answer was asked with', false)
    .option('-m, --method <label>', 'which method of the config')
    .option('--corpus <id>', 'which corpus of the dataset (default: the first)')
    .option('--json', 'print JSON only', false)
    .action(async (question: string, flags: QueryFlags) =>
      (await import('../commands/query.ts')).queryCommand(question, flags),
    )

  withPlan(gembench.command('graph'), 'Draw the graph that a method builds from a corpus, as one HTML page')
    .option(
      '--text <file>',
      'draw a text file instead of a config; gem-rag with offline models, unless --method or --set changes them',
    )
    .option('-m, --method <label>', 'which method (default: the first of the config that has a graph)')
    .option('--corpus <id>', 'which corpus of the dataset (default: the first)')
    .option('--ask <question>', 'also look up this question (repeatable)', collect, [])
    .addOption(new Option('--format <format>', 'file format').choices(['html', 'graphml', 'json']).default('html'))
    .option(
      '-o, --output <file>',
      'file to write; a page in a results folder is linked from the report of that run (default: graph.<format>)',
    )
    .option('--force', 'overwrite a file that this command did not make', false)
    .action(async (flags: GraphFlags) => (await import('../commands/graph.ts')).graphCommand(flags))

  withLimits(
    withPlan(
      gembench.command('train'),
      'Train the network of graph-of-records on the documents of the dataset; writes its weights and a chart of the losses',
    ),
  )
    .option('-m, --method <label>', 'which row of graph-of-records (default: the first)')
    .option('-o, --output <file>', 'file of the weights (default: the one that the row names, or weights.json)')
    .option('--force', 'overwrite a file that this command did not make', false)
    .option('--quiet', 'show no progress', false)
    .action(async (flags: TrainFlags) => (await import('../commands/papers/train.ts')).trainCommand(flags))

  withLimits(gembench.command('reproduce'))
    .description("Run the configs of a paper's table and print our numbers beside the paper's")
    .argument('[name]', 'name of a table, or a JSON file of the same form; without a name, the tables are listed')
    .option('--offline', 'run the offline variants, which need no key and no download', false)
    .option('--plan', 'print what the runs are expected to cost, and run nothing', false)
    .option('--only <names>', 'only these rows of the paper, or runs (datasets), separated by commas', commaList)
    .option('--limit <questions>', 'ask only the first questions', wholeNumber)
    .addOption(cacheOption())
    .option('--no-cache', 'do not use the call cache on disk')
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option('--json', 'print JSON only', false)
    .action(async (name: string | undefined, flags: ReproduceFlags) =>
      (await import('../commands/papers/reproduce.ts')).reproduceCommand(name, flags),
    )
}
