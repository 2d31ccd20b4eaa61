import { relative } from 'node:path'
import pc from 'picocolors'
import { costGrid, scoreGrid } from '../report/grid.ts'
import { conditionsOf, notesOf } from '../report/notes.ts'
import type { Table } from '../report/table.ts'
import { run, type Outcome } from '../run/index.ts'
import { bars } from './bars.ts'
import { exitCodes } from './fail.ts'
import { interruptible } from './interrupt.ts'
import { planOf, settingsOf, type PlanFlags } from './plan.ts'
import { print, printJson } from './print.ts'
import { plain, terminalGrid } from './terminal-grid.ts'
import { writeTables } from './write-tables.ts'

export interface RunFlags extends PlanFlags {
  readonly quiet: boolean
  readonly json: boolean
}

/** `gembench run`: everything from configs to tables. */
export async function runCommand(flags: RunFlags): Promise<void> {
  const signal = interruptible()
  const plan = await planOf(flags)
  const progress = flags.quiet || flags.json ? undefined : bars()
  const outcome = await run(plan, settingsOf(flags, signal), progress).finally(() => progress?.close())
  const { table, figures } = await writeTables(outcome.folder)
  const incomplete = table.rows.some(({ failed, failedScores }) => failed + failedScores > 0)
  process.exitCode = incomplete ? exitCodes.incomplete : exitCodes.done
  if (flags.json) printJson({ folder: outcome.folder, trials: outcome.trials, scores: outcome.scores, ...table })
  else if (!flags.quiet) report(outcome, table, figures)
}

function report({ folder, manifest, trials, scores }: Outcome, table: Table, figures: readonly string[]): void {
  const path = relative(process.cwd(), folder) || '.'
  const total = (field: 'calls' | 'cached' | 'promptTokens' | 'completionTokens' | 'embeddedTokens'): string =>
    table.usage.reduce((sum, one) => sum + one[field], 0).toLocaleString('en-US')
  print(`${pc.bold(plain(manifest.name))}  ${pc.dim(plain(conditionsOf(manifest)))}\n`)
  print(terminalGrid(scoreGrid(manifest, table)))
  print('')
  for (const note of notesOf(manifest, table)) print(pc.dim(plain(note)))
  print(`\n${pc.bold('Cost')}  ${pc.dim('calls and tokens; a call answered from the cache is counted as if made')}\n`)
  print(terminalGrid(costGrid(manifest, table)))
  print('')
  print(
    trials.made === 0 && scores.made === 0
      ? `Complete: all ${trials.kept.toLocaleString('en-US')} trials were there; nothing was asked.`
      : `Asked ${trials.made} trials (${trials.kept} were there, ${trials.failed} failed), gave ${scores.made} scores (${scores.failed} failed).`,
  )
  print(
    `${total('calls')} calls (${total('cached')} from the cache): ${total('promptTokens')} prompt, ${total('completionTokens')} completion and ${total('embeddedTokens')} embedded tokens.`,
  )
  print(
    `Files   ${path}/  (table.md, table.csv, usage.csv, table.tex, table.json, trials.jsonl, scores.jsonl, manifest.json)`,
  )
  if (figures.length > 0) print(`Figures ${path}/figures/  (${figures.join(', ')})`)
  print(`Next    gembench table ${path} --format latex`)
}
