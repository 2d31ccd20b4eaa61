import { Command } from 'commander'

/** Runs a command line. Rejects with the command's error, or CommanderError for an invalid line. */
export async function parse(version: string, line: readonly string[]): Promise<void> {
  await (await program(version, line)).parseAsync(line, { from: 'user' })
}

/**
 * The commands with their help. Loads only the files of commands named in `line`, so that `--help` is fast; all without
 * a line.
 */
export async function program(version: string, line?: readonly string[]): Promise<Command> {
  const terms = new Map<string, string>()
  const gembench = plainCommand('gembench')
    .description('Compares retrieval-augmented generation methods fairly.')
    .version(version)
    .configureHelp({
      showGlobalOptions: false,
      subcommandTerm: (command) => terms.get(command.name()) ?? command.name(),
    })
  for (const [heading, commands] of Object.entries(groups))
    for (const [term, description] of Object.entries(commands)) {
      const [name = ''] = term.split(' ')
      terms.set(name, term)
      const command = plainCommand(name).description(description).helpGroup(heading)
      gembench.addCommand(command)
      if (!line || line.includes(name)) (await files[name]?.())?.setUp(command)
    }
  return gembench
}

const plainCommand = (name: string): Command =>
  new Command(name).exitOverride().showHelpAfterError('(see --help)').configureHelp({ showGlobalOptions: false })

/** The commands with their summaries, grouped, in the order of the help. */
const groups: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'The first day:': {
    'init [options] [folder]':
      'Write gembench.yaml, the default config, for a folder of your documents. With --new, write a plug-in and its test',
    'validate [options]': 'Check a config without running it',
    'run [options]': 'Ask the questions, score the answers and print the tables; run again to resume',
    'show [options] <run> [question]':
      'Show questions of a run: the reference answer, and the context, answer and scores of every row',
    'report [options] <runs...>':
      'Write runs as one HTML page: the leading method, costs, and every question side by side. The first run is compared with each of the others',
  },
  'Start:': {
    'ls [options] <what> [name]':
      'List the methods, datasets, scorers or models that a config can name, with their options',
    data: 'Download datasets',
    'questions [options]':
      'Draft questions with evidence from your documents by the language model of the config. Tables mark them as synthetic',
    'plan [options]': 'Estimate the calls, tokens, money and time of a run by method and phase, without a call',
  },
  'Run:': {
    'score [options] <run>': 'Score the stored answers of a run again with the current scorers',
    'train [options]':
      'Train the network of graph-of-records on the documents of the dataset. Writes its weights and a chart of the losses',
    'work [options] <redis>':
      'Build indexes and answer questions for every `gembench run --workers` on a Redis, until Ctrl-C. Keys never go through Redis',
  },
  'Read:': {
    'table [options] <runs...>':
      'Print the tables of one or several runs. For several, also which rows lead over all of them',
    'query [options] <question>': 'Ask one question of one method and show its passages',
    'graph [options]': 'Draw the graph that a method builds from a corpus, as one HTML page',
  },
  'Compare:': {
    'diff [options] <before> <after>': 'Compare two runs, or two rows, question by question, with a paired test',
    'power [options] <run>':
      'Estimate the questions, repeats and judge runs that a difference needs, from the variance of a small run',
  },
  'Papers:': {
    'reproduce [options] [name]': "Run the configs of a paper's table and print our numbers beside the paper's",
  },
  'Check:': {
    'check [options] <path>':
      'Check a plug-in file (method, scorer, dataset or provider). With --use, check a program, or read a file or folder as a dataset',
    judge: 'Check the judge of a scorer against the labels of people',
    'verify [options] <run>':
      'Check digests, trials, scores and tables of a results folder without calling a model. Exit code 3 if one differs or cannot be checked',
  },
  'Maintain:': {
    'publish [options] <run> <folder>':
      'Write a finished run into a folder to share, with the calls that `gembench verify` needs to check it offline',
  },
}

/** The file of each command; its `setUp` adds arguments, flags and action. */
const files: Readonly<Record<string, () => Promise<{ readonly setUp: (command: Command) => unknown }>>> = {
  init: () => import('./commands/init.ts'),
  validate: () => import('./commands/validate.ts'),
  run: () => import('./commands/run.ts'),
  show: () => import('./commands/show.ts'),
  report: () => import('./commands/report.ts'),
  ls: () => import('./commands/ls.ts'),
  data: () => import('./commands/data.ts'),
  questions: () => import('./commands/questions.ts'),
  plan: () => import('./commands/plan.ts'),
  score: () => import('./commands/score.ts'),
  train: () => import('./commands/papers/train.ts'),
  work: () => import('./commands/work.ts'),
  table: () => import('./commands/table.ts'),
  query: () => import('./commands/query.ts'),
  graph: () => import('./commands/graph.ts'),
  diff: () => import('./commands/diff.ts'),
  power: () => import('./commands/power.ts'),
  reproduce: () => import('./commands/papers/reproduce.ts'),
  check: () => import('./commands/check.ts'),
  judge: () => import('./commands/judge.ts'),
  verify: () => import('./commands/verify.ts'),
  publish: () => import('./commands/publish.ts'),
}
