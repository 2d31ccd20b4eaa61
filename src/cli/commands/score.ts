import pc from 'picocolors'
import { UserError } from '../../errors.ts'
import { scoreGrid } from '../../report/render/grid.ts'
import { plural } from '../../report/render/plural.ts'
import { rescore } from '../../run/index.ts'
import { progressBars } from '../progress-bars.ts'
import { openRun } from '../open-run.ts'
import { exitCodes } from '../fail.ts'
import { interruptible } from '../interrupt.ts'
import { planOf, settingsOf, type SpendingFlags } from '../plan.ts'
import { print, printJson } from '../print.ts'
import { terminalGrid } from '../terminal-grid.ts'
import { writeTables } from '../write-tables.ts'

export interface ScoreFlags extends SpendingFlags {
  readonly config?: readonly string[]
  readonly trust: boolean
  readonly results: string
  readonly cache: boolean
  readonly cacheFolder: string
  readonly json: boolean
}

/** `gembench score`: scores what was answered again; nothing is asked of a method or the answerer, and what the folder names is not followed unasked. */
export async function scoreCommand(name: string, flags: ScoreFlags): Promise<void> {
  const results = await openRun(name, flags.results)
  const { config, trust: trusted } = flags
  if (config && trusted)
    throw new UserError('--config replaces what the results folder names: give either --config or --trust')
  const trust = { trusted, ...(config && { plan: await planOf({ ...flags, config, set: [] }) }) }
  const progress = flags.json ? undefined : progressBars()
  const settings = settingsOf(flags, interruptible())
  const counts = await rescore(results, settings, progress, trust).finally(() => progress?.close())
  const { manifest, table } = await writeTables(results.folder)
  if (counts.failed > 0) process.exitCode = exitCodes.incomplete
  if (flags.json) {
    printJson({ folder: results.folder, scores: counts, ...table })
    return
  }
  print(terminalGrid(scoreGrid(manifest, table)))
  print(
    `\nMade ${plural(counts.made, 'score')} (${pc.bold(String(counts.failed))} failed) and rewrote the tables in ${results.folder}.`,
  )
}
