import { type Command, Option } from 'commander'
import type { DiffFlags } from '../commands/diff.ts'
import type { PowerFlags } from '../commands/power.ts'
import type { PublishFlags } from '../commands/publish.ts'
import type { ReportSettings } from '../../api/report.ts'
import type { ScoreFlags } from '../commands/score.ts'
import type { ShowFlags } from '../commands/show.ts'
import type { TableFlags } from '../commands/table.ts'
import type { VerifyFlags } from '../commands/verify.ts'
import { declareJudgeCommands } from './judge-commands.ts'
import { cacheOption, commaList, configsOneByOne, fraction, rowList, wholeNumber, withLimits } from './flags.ts'

/** Commands that read results folders, and tables of papers. */
export function declareResultsCommands(gembench: Command): void {
  gembench
    .command('table')
    .description(
      'Print the tables of one or several runs; of several, or a series, also which rows are above others over all of them',
    )
    .argument('<runs...>', 'results folders, or their names')
    .addOption(
      new Option(
        '--format <format>',
        'output format (default: a table for the terminal, md where standard output is none); md and markdown are the same, csv holds the scores, usage-csv the calls and tokens, latex the compared metric with intervals; parquet (trials and scores) and trec (runs and qrels) are files, see --output',
      ).choices(['md', 'markdown', 'csv', 'usage-csv', 'json', 'latex', 'parquet', 'trec']),
    )
    .option(
      '--columns <columns>',
      'only these columns, by title, metric or scorer.metric, separated by commas; all: every one; graph: what is counted in the graphs of rows (terminal, md, csv, latex)',
      commaList,
    )
    .option('-o, --output <folder>', 'folder for the files of parquet and trec; no other file there is overwritten')
    .option('--notes', 'print all notes under the table, not only the five that matter most (terminal, md)', false)
    .option('--pairs', 'print every pair of rows with its difference, intervals and p, too (terminal, md)', false)
    .option(
      '--labels <file>',
      'CSV file of "judge sample" with verdicts: means, letters and p of the judge\'s scorer are those that they correct (PPI++)',
    )
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option(
      '--baseline <row>',
      'compare every row with this one (default: as the config says, else all pairs; of rows of `vary` the first)',
    )
    .option('--no-baseline', 'compare all pairs of rows')
    .option('--metric <metric>', 'compare rows on this metric, by its name, its title or scorer.metric')
    .option(
      '--margin <fraction>',
      'also test which rows are the same within this difference, .03 for 3 points',
      fraction,
    )
    .action(async (runs: string[], flags: TableFlags) =>
      (await import('../commands/table.ts')).tableCommand(runs, flags),
    )

  gembench
    .command('report')
    .description(
      'Write one or several runs as one HTML page: which method leads and how surely, what each costs, and every question side by side; the first run is compared with each of the others; a page of `gembench graph` that stands in a results folder is linked from its method',
    )
    .argument('<runs...>', 'results folders, or their names')
    .option(
      '-o, --output <file>',
      'file to write; what does not fit into one page goes into a folder beside it',
      'report.html',
    )
    .option('--no-texts', 'leave out what datasets and models wrote: questions, passages, answers, prompts and reasons')
    .option('--figures <folder>', 'also write the figures of the page as SVG files into this folder')
    .option('--force', 'overwrite a file that this command did not make, and figures', false)
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .action(async (runs: string[], flags: ReportSettings) =>
      (await import('../commands/report.ts')).reportCommand(runs, flags),
    )

  gembench
    .command('show')
    .description(
      'Show questions of a run: what is right, and the context, answer and scores of every row, with reasons',
    )
    .argument('<run>', 'results folder, or its name')
    .argument(
      '[question]',
      'id of a question, its words, or a part of them that no other question has; without it the questions are listed',
    )
    .option('--failures', 'show the questions of which a trial or a score failed', false)
    .option('--different', 'show the questions that rows have different scores for', false)
    .option('--metric <metric>', 'metric of --different, by its name or scorer.metric (default: the first)')
    .option('--methods <rows>', 'only these rows, by label or name, separated by commas', rowList)
    .addOption(new Option('--limit <questions>', 'show at most so many questions').argParser(wholeNumber).default(10))
    .option('--full', 'do not cut long texts', false)
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option('--json', 'print JSON only', false)
    .action(async (run: string, question: string | undefined, flags: ShowFlags) =>
      (await import('../commands/show.ts')).showCommand(run, question, flags),
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
        'worse: exit code 0 if no row is worse by more than the margin, 4 if a row is worse at p <= .05 or questions of the first run are missing in the second, 6 if neither can be told of the others, 2 if a row has no verdict, 3 if a run has not ended or questions failed only now',
      ).choices(['worse']),
    )
    .option(
      '--margin <fraction>',
      'loss that counts as none for --fail-if, .03 for 3 points (default: compare.margin of the config; without one only a loss that is shown is worse, and the rest passes)',
      fraction,
    )
    .option('--accept-missing', 'let --fail-if pass over questions that have no score in the second run')
    .addOption(
      new Option('--limit <questions>', 'show at most so many changed questions of a row')
        .argParser(wholeNumber)
        .default(10),
    )
    .option('--all', 'show every changed question', false)
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option('--json', 'print JSON only', false)
    .action(async (before: string, after: string, flags: DiffFlags) =>
      (await import('../commands/diff.ts')).diffCommand(before, after, flags),
    )

  gembench
    .command('power')
    .description(
      'Say how many questions, repeats and judge runs it takes to find a difference, from the variance of a small run',
    )
    .argument('<run>', 'results folder of a pilot, or its name')
    .requiredOption('--difference <fraction>', 'difference to find, .03 for 3 points', fraction)
    .option(
      '--metric <metric>',
      'metric to compare rows on, by its name, its title or scorer.metric (default: as the table)',
    )
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option('--json', 'print JSON only', false)
    .action(async (run: string, flags: PowerFlags) => (await import('../commands/power.ts')).powerCommand(run, flags))

  withLimits(gembench.command('score'))
    .description('Score the stored answers of a run again with the current scorers; no question is asked again')
    .argument('<run>', 'results folder, or its name')
    .addOption(
      configsOneByOne(
        'config of the run (repeatable): its judge and scorers are used, whatever the results folder names',
      ),
    )
    .option('--trust', 'follow the files, addresses and variables that the results folder names', false)
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .addOption(cacheOption())
    .option('--no-cache', 'do not use the call cache on disk')
    .option('--json', 'print JSON only', false)
    .action(async (run: string, flags: ScoreFlags) => (await import('../commands/score.ts')).scoreCommand(run, flags))

  gembench
    .command('publish')
    .description(
      'Write a run that has ended into a folder to show to others: its lines, tables and manifest, and the calls that it has used, with which it can be checked and repeated without a network',
    )
    .argument('<run>', 'results folder, or its name; of a series, with its runs within')
    .argument(
      '<folder>',
      'folder to write into; what else stands there stays, and nothing but an earlier publication of the run is overwritten',
    )
    .option(
      '--no-calls',
      'leave the calls out, as where they are too large: "verify" then takes those of its --cache-folder',
    )
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .addOption(cacheOption())
    .action(async (run: string, folder: string, flags: PublishFlags) =>
      (await import('../commands/publish.ts')).publishCommand(run, folder, flags),
    )

  gembench
    .command('verify')
    .description(
      'Check a results folder without a call to a model: its digests and lines; its trials, asked again from kept calls; its scores, made again; its tables, made again from its lines; exit code 3 if one differs or cannot be checked',
    )
    .argument('<run>', 'results folder, or its name; calls.jsonl.gz or calls.jsonl in it ("publish") holds its calls')
    .option(
      '--trust',
      'follow the files, addresses and variables that the results folder names, and start its plug-ins and programs',
      false,
    )
    .addOption(cacheOption())
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option('--json', 'print JSON only', false)
    .action(async (run: string, flags: VerifyFlags) =>
      (await import('../commands/verify.ts')).verifyCommand(run, flags),
    )

  declareJudgeCommands(
    gembench.command('judge').description('Check the judge of a scorer against the labels of people'),
  )
}
