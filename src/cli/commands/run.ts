import type { Command } from 'commander'
import { examples, withGate, withLimits, withPlan } from '../flags.ts'
import { join, relative } from 'node:path'
import { report } from '../../library/report.ts'
import { runPlans, runPlansAgain } from '../../library/write-tables.ts'
import { reportMark, refuseForeignFile } from '../../basics/files.ts'
import { memoise } from '../../basics/memoise.ts'
import { tableFiles } from '../../report/render/formats.ts'
import { failureNotes } from '../../report/render/notes.ts'
import type { Table } from '../../report/table/table.ts'
import type { Row, ScorerRecord } from '../../records.ts'
import { formatCount, plural } from '../../text/amounts.ts'
import type { ScoreCounts } from '../../run/progress.ts'
import { withProgress } from '../terminal/progress-bars.ts'
import { exitCodes, interruptible } from '../ending.ts'
import { closeGate, refuseOtherJunit, type GateCase, type GateFlags } from '../gate.ts'
import { checkThresholds, validateThresholds } from '../../report/gate/thresholds.ts'
import { plansOf, settingsOf, type PlanFlags, type UsageLimitFlags } from '../plan.ts'
import { plain } from '../../text/characters.ts'
import { rowName } from '../../text/names.ts'
import { print, printJson, printNotice } from '../terminal/print.ts'
import { printTables } from '../terminal/print-table.ts'

export interface RunFlags extends PlanFlags, UsageLimitFlags, GateFlags {
  readonly report?: boolean
  readonly quiet: boolean
  readonly full: boolean
  readonly again: boolean
  readonly json: boolean
}

export const setUp = (command: Command): Command =>
  withGate(withLimits(withPlan(command)))
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option(
      '--workers <redis>',
      'let workers do the work: address of the Redis at which `gembench work` listens, such as redis://localhost:6379',
    )
    .option('--report', 'also write report.html, the page of `gembench report`, into the results folder', false)
    .option('--quiet', 'print only errors and failures', false)
    .option('--full', 'print all columns, notes, costs and files, not only the short table', false)
    .option(
      '--again',
      'repeat all trials with cached replies (unless --no-cache); the old results move to RESULTS/earlier-N when the new ones are complete',
      false,
    )
    .option('--json', 'print JSON only', false)
    .action(runCommand)
    .addHelpText(
      'after',
      examples(
        'gembench run -c configs/quickstart.yaml',
        'gembench run --limit 3 --methods bm25,vector --set budget.tokens=500',
        'gembench run -c configs/quickstart.yaml --workers redis://10.0.0.5:6379',
      ),
    )

export async function runCommand(flags: RunFlags): Promise<void> {
  const { min = [], quiet, full, json } = flags
  const signal = interruptible()
  const plans = await plansOf(flags)
  await refuseOtherJunit(flags)
  const settings = {
    ...settingsOf(flags, signal),
    // several runs of a series have the same warnings
    warn: memoise(printNotice),
    // rows of a series get their names with the table
    async begins(folder: string, rows?: readonly Row[], scorers: readonly ScorerRecord[] = []) {
      if (rows) validateThresholds(min, scorers, rows)
      if (flags.report) await refuseForeignFile(pageIn(folder), reportMark, 'move it, or leave out --report')
    },
  }
  const work = flags.again ? runPlansAgain : runPlans
  const outcome = await withProgress(!quiet && !json, (progress) =>
    work({ plans, settings: { ...settings, ...progress } }),
  )
  const { folder, manifest, table, trials, scores } = outcome
  if (flags.report) await report(outcome, { output: pageIn(folder) })
  const cases = table.rows.map(rowCase)
  process.exitCode = cases.some(({ error }) => error) ? exitCodes.incomplete : exitCodes.done
  await closeGate(manifest.name, cases, checkThresholds(min, manifest, table), flags)
  if (json) printJson({ ...foldersOf(outcome), trials, scores, ...table })
  else if (!quiet) printOutcome(outcome, flags.report === true, full)
  else for (const note of failureNotes(manifest, table)) printNotice(plain(note))
}

const pageIn = (folder: string) => join(folder, 'report.html')

/** Whether every trial and score of a row was made, as a case of a gate. */
function rowCase({ failed, failedScores, ...row }: Table['rows'][number]): GateCase {
  const name = `${rowName(row)}: no trial and no score failed`
  if (failed + failedScores === 0) return { name }
  return { name, error: `${plural(failed, 'trial')} and ${plural(failedScores, 'score')} failed` }
}

type RunOutcome = Awaited<ReturnType<typeof runPlans>> & { readonly archive?: string | undefined }

/** The results folder, and for a series those of its runs. */
const foldersOf = ({ folder, manifest, runs, archive }: RunOutcome) => ({
  folder,
  ...(manifest.series && { folders: runs }),
  ...(archive !== undefined && { archive }),
})

function printOutcome(outcome: RunOutcome, hasPage: boolean, isFull: boolean): void {
  const { folder, manifest, table, trials, scores, archive } = outcome
  if (trials.made === 0 && scores.made === 0) {
    const isSingle = trials.kept === 1
    const count = formatCount(trials.kept)
    const all = isSingle ? 'the only trial is' : `all ${count} trials are`
    const pronoun = isSingle ? 'it' : 'them'
    print(`Nothing to do: ${all} complete; --again repeats ${pronoun}.`)
  }
  printTables([{ manifest, table }], { isShort: !isFull })
  if (isFull) printCounts(outcome)
  if (archive !== undefined) print(`Earlier results: ${pathOf(archive)}`)
  if (hasPage) print(`Report: ${pathOf(pageIn(folder))}`)
  print(`Next: npx gembench ${hasPage ? 'show' : 'report'} ${pathOf(folder)}`)
}

const pathOf = (path: string) => relative(process.cwd(), path) || '.'

function printCounts({ folder, manifest, table, trials, scores, runs, figures }: RunOutcome): void {
  const total = (field: 'calls' | 'cached' | 'promptTokens' | 'completionTokens' | 'embeddedTokens') =>
    formatCount(table.usage.reduce((sum, cell) => sum + cell[field], 0))
  const newTrials = formatCount(trials.made)
  const earlierTrials = formatCount(trials.kept)
  const trialCounts = `${newTrials} new (${trials.failed} failed), ${earlierTrials} earlier`
  print(`\nTrials: ${trialCounts}. Scores: ${describeScores(scores)}.`)
  const calls = `${total('calls')} (${total('cached')} cached)`
  const tokens = [
    `${total('promptTokens')} prompt`,
    `${total('completionTokens')} completion`,
    `${total('embeddedTokens')} embedded`,
  ]
  print(`Calls: ${calls}. Tokens: ${tokens.join(', ')}.`)
  const lines = manifest.series ? ['series.json'] : ['trials.jsonl', 'scores.jsonl', 'manifest.json']
  const files = [...tableFiles.map(([, file]) => file), ...lines]
  print(`Files: ${pathOf(folder)}/  (${files.join(', ')})`)
  if (manifest.series) print(`Runs: ${runs.map(pathOf).join('/  ')}/`)
  if (figures.length > 0) print(`Figures: ${pathOf(folder)}/figures/  (${figures.join(', ')})`)
}

/** The numbers of scores that were made, failed, or were skipped. */
export const describeScores = ({ made, failed, skipped }: Omit<ScoreCounts, 'kept'>): string =>
  `${plural(made - skipped, 'score')} (${failed} failed${skipped > 0 ? `, ${skipped} not scored` : ''})`
