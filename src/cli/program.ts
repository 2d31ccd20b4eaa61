import { Argument, Command } from 'commander'
import { shells, type Shell } from './completion/shells.ts'
import { declareCacheCommands, declareDataCommands } from './declare/data-commands.ts'
import { addExamples } from './declare/examples.ts'
import { declareItemCommands } from './declare/item-commands.ts'
import { declareJudgeCommands } from './declare/judge-commands.ts'
import { declareResultsCommands } from './declare/results-commands.ts'
import { declareRunCommands } from './declare/run-commands.ts'

/** The command line. Every command loads its own code, so that `--version` and `--help` answer at once. */
export function program(version: string): Command {
  const gembench = new Command('gembench')
    .description('Compares retrieval-augmented generation methods fairly.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(see --help)')
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })

  declareRunCommands(gembench)
  declareResultsCommands(gembench)
  declareJudgeCommands(
    gembench.command('judge').description('Check the judge of a scorer against the labels of people'),
  )
  declareItemCommands(gembench)
  declareDataCommands(gembench.command('data').description('List, download or check datasets'))
  declareCacheCommands(gembench.command('cache').description('Export or import the call cache as JSONL'))
  gembench
    .command('completion')
    .description('Print a script that completes commands and flags in a shell')
    .addArgument(new Argument('<shell>', 'which shell').choices(shells))
    .action(async (shell: Shell) => {
      const { completionsOf } = await import('./completion/completions.ts')
      const { scriptOf } = await import('./completion/scripts.ts')
      process.stdout.write(scriptOf(shell, completionsOf(gembench)))
    })
  addExamples(gembench)
  return gembench
}
