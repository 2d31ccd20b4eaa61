import type { Command } from 'commander'
import { cacheOption, repeatableConfig, examples, withLimits } from '../flags.ts'
import { variantOf } from '../../text/names.ts'
import type { Plan } from '../../config/index.ts'
import { UserError } from '../../errors.ts'
import { scoreTable } from '../../report/render/tables.ts'
import { rescore, type Results } from '../../run/index.ts'
import { progressBars } from '../terminal/progress-bars.ts'
import { openRun } from '../open-run.ts'
import { exitCodes, interruptible } from '../ending.ts'
import { describeScores } from './run.ts'
import { plansOf, settingsOf, type PlanFlags, type UsageLimitFlags } from '../plan.ts'
import { print, printJson, type JsonFlag } from '../terminal/print.ts'
import { formatTable } from '../terminal/format-table.ts'
import { writeTables } from '../../library/write-tables.ts'

interface ScoreFlags extends UsageLimitFlags, JsonFlag, Pick<PlanFlags, 'config' | 'cache' | 'cacheFolder'> {
  readonly trust: boolean
  readonly results: string
}

/** The plan of a run in its config. Throws UserError if there is none. */
function planOfRun(plans: readonly Plan[], { folder, manifest }: Results): Plan {
  const variant = variantOf(manifest.varied ?? [])
  const plan = plans.length > 1 ? plans.find(({ variedValues: varied }) => variantOf(varied) === variant) : plans[0]
  if (!plan)
    throw new UserError(
      `${folder}: the config has no run with ${variant || 'nothing varied'}; name the config of this run`,
    )
  return plan
}

export const setUp = (command: Command): Command =>
  withLimits(command)
    .argument('<run>', 'results folder, or its name')
    .addOption(
      repeatableConfig(
        'config of the run (repeatable); its judge and scorers replace those that the results folder names',
      ),
    )
    .option('--trust', 'follow the files, addresses and variables that the results folder names', false)
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .addOption(cacheOption())
    .option('--no-cache', 'do not use the call cache on disk')
    .option('--json', 'print JSON only', false)
    .action(scoreCommand)
    .addHelpText('after', examples('gembench score quickstart-1a2b3c4d'))

/** `gembench score`: scores stored answers again; follows names in the folder only with `--trust` or `--config`. */
export async function scoreCommand(name: string, flags: ScoreFlags): Promise<void> {
  const results = await openRun(name, flags.results)
  const { config, trust: isTrusted } = flags
  if (config && isTrusted)
    throw new UserError('--config and --trust exclude each other: a config replaces what the results folder names')
  const plans = config && (await plansOf({ ...flags, config, set: [] }))
  const progress = flags.json ? undefined : progressBars()
  const settings = settingsOf(flags, interruptible())
  const counts = { made: 0, failed: 0, skipped: 0 }
  try {
    for (const run of results.runs ?? [results]) {
      const plan = plans && planOfRun(plans, run)
      const { made, failed, skipped } = await rescore(run, settings, progress, {
        isTrusted,
        ...(plan && { plan }),
      })
      counts.made += made
      counts.failed += failed
      counts.skipped += skipped
      if (run !== results) await writeTables(run.folder)
    }
  } finally {
    progress?.close()
  }
  const { manifest, table } = await writeTables(results.folder)
  if (counts.failed > 0) process.exitCode = exitCodes.incomplete
  if (flags.json) {
    printJson({ folder: results.folder, scores: counts, ...table })
    return
  }
  print(formatTable(scoreTable(manifest, table)))
  print(`\n${describeScores(counts)}. Tables: ${results.folder}/`)
}
