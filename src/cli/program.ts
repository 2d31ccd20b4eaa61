import { Argument, Command } from 'commander'
import { shells, type Shell } from './commands/completion.ts'
import { declareDataCommands } from './declare/data-commands.ts'
import { addExamples } from './declare/examples.ts'
import { declareResultsCommands } from './declare/results-commands.ts'
import { declareRunCommands } from './declare/run-commands.ts'

/** The commands by what one wants, in the order of the help. */
const groups: Readonly<Record<string, readonly string[]>> = {
  'The first day:': ['init', 'validate', 'run', 'show', 'report'],
  'Start:': ['ls', 'data', 'questions', 'plan'],
  'Run:': ['score', 'train', 'work'],
  'Read:': ['table', 'query', 'graph'],
  'Compare:': ['diff', 'power'],
  'Papers:': ['reproduce', 'audit'],
  'Check:': ['check', 'judge', 'verify'],
  'Maintain:': ['cache', 'publish', 'completion'],
}

/** The command line. Every command loads its own code, so that `--version` and `--help` answer at once. */
export function program(version: string): Command {
  const declared = plainCommand('')
  declareRunCommands(declared)
  declareResultsCommands(declared)
  declareDataCommands(declared)
  const gembench = plainCommand('gembench')
    .description('Compares retrieval-augmented generation methods fairly.')
    .version(version)
  declared
    .command('completion')
    .description('Print a script that completes commands and flags in a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .action(async (shell: Shell) => {
      const { scriptOf } = await import('./commands/completion.ts')
      process.stdout.write(scriptOf(shell, gembench))
    })
  for (const [heading, names] of Object.entries(groups))
    for (const name of names) {
      const command = declared.commands.find((one) => one.name() === name)
      if (command) gembench.addCommand(command.helpGroup(heading))
    }
  addExamples(gembench)
  return gembench
}

const plainCommand = (name: string): Command =>
  new Command(name)
    .exitOverride()
    .showHelpAfterError('(see --help)')
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })
