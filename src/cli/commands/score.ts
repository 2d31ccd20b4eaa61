import { Option, type Command } from 'commander'
import { cacheOption, repeatableConfig, examples, withLimits } from '../flags.ts'
import { scoreTable } from '../../report/render/tables.ts'
import { withProgress } from '../terminal/progress-bars.ts'
import { openRun } from '../open-run.ts'
import { exitCodes, interruptible } from '../ending.ts'
import { describeScores } from './run.ts'
import { plansOf, settingsOf, type PlanFlags, type UsageLimitFlags } from '../plan.ts'
import { print, printJson, type JsonFlag } from '../terminal/print.ts'
import { formatTable } from '../terminal/format-table.ts'
import { scoreRun } from '../../library/score-run.ts'

interface ScoreFlags extends UsageLimitFlags, JsonFlag, Pick<PlanFlags, 'config' | 'cache' | 'cacheFolder'> {
  readonly trust: boolean
  readonly results: string
}

export const setUp = (command: Command): Command =>
  withLimits(command)
    .argument('<run>', 'results folder, or its name')
    .addOption(
      repeatableConfig(
        'config of the run (repeatable); its judge and scorers replace those that the results folder names',
      ),
    )
    .addOption(
      new Option('--trust', 'follow the files, addresses and variables that the results folder names')
        .default(false)
        .conflicts('config'),
    )
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .addOption(cacheOption())
    .option('--no-cache', 'do not use the call cache on disk')
    .option('--json', 'print JSON only', false)
    .action(scoreCommand)
    .addHelpText('after', examples('gembench score quickstart-1a2b3c4d'))

export async function scoreCommand(name: string, flags: ScoreFlags): Promise<void> {
  const { config, trust: isTrusted, json } = flags
  const results = await openRun(name, flags.results)
  const plans = config && (await plansOf({ ...flags, config, set: [] }))
  const settings = settingsOf(flags, interruptible())
  const { scores, manifest, table } = await withProgress(!json, (progress) =>
    scoreRun(results, { ...settings, ...progress }, { isTrusted, ...(plans && { plans }) }),
  )
  if (scores.failed > 0) process.exitCode = exitCodes.incomplete
  if (json) {
    printJson({ folder: results.folder, scores, ...table })
    return
  }
  print(formatTable(scoreTable(manifest, table)))
  print(`\n${describeScores(scores)}. Tables: ${results.folder}/`)
}
