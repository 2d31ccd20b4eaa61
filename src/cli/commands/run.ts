import type { Command } from 'commander'
import { examples, withGate, withLimits, withPlan } from '../flags.ts'
import { join, relative } from 'node:path'
import { writeReport } from '../../library/report.ts'
import { runPlans, runPlansAgain } from '../../library/write-tables.ts'
import { plainTable, type TextTable } from '../../report/render/text-table.ts'
import { reportMark, refuseForeignFile } from '../../basics/files.ts'
import { tableFiles } from '../../report/render/formats.ts'
import { failureNotes } from '../../report/render/notes.ts'
import type { GateCase } from '../../report/gate/junit.ts'
import type { Table } from '../../report/table/table.ts'
import type { Row, ScorerRecord } from '../../records.ts'
import { formatCount, plural } from '../../text/amounts.ts'
import { createProfile, type Profile, type Settings } from '../../run/index.ts'
import type { ScoreCounts } from '../../run/progress.ts'
import { progressBars } from '../terminal/progress-bars.ts'
import { exitCodes, interruptible } from '../ending.ts'
import { closeGate, refuseOtherJunit, type GateFlags } from '../gate.ts'
import { checkThresholds, validateThresholds } from '../../report/gate/thresholds.ts'
import { plansOf, settingsOf, type PlanFlags, type UsageLimitFlags } from '../plan.ts'
import { plain } from '../../text/characters.ts'
import { rowName } from '../../text/names.ts'
import { UserError } from '../../errors.ts'
import { print, printJson, printNotice } from '../terminal/print.ts'
import { printAcross, printTable } from '../terminal/print-table.ts'
import { formatTable } from '../terminal/format-table.ts'

export interface RunFlags extends PlanFlags, UsageLimitFlags, GateFlags {
  readonly report?: boolean
  readonly profile: boolean
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
    .option(
      '--profile',
      'also print the time by phase and method; the run then does one thing at a time and takes longer',
      false,
    )
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

/** `gembench run`: everything from configs to tables. */
export async function runCommand(flags: RunFlags): Promise<void> {
  const signal = interruptible()
  const plans = await plansOf(flags)
  if (flags.profile && flags.workers !== undefined) throw new UserError(messages.profiledWorkers)
  const profile = flags.profile ? createProfile() : undefined
  await refuseOtherJunit(flags)
  const pageIn = (folder: string): string => join(folder, 'report.html')
  const settings = {
    ...withoutRepeats(settingsOf(flags, signal)),
    ...(profile && { profile }),
    inspect: (scorers: readonly ScorerRecord[], rows: readonly Row[]) => {
      // rows of a series get their names with the table
      if (plans.length === 1) validateThresholds(flags.min ?? [], scorers, rows)
    },
    ...(flags.report && {
      begins: (folder: string) => refuseForeignFile(pageIn(folder), reportMark, messages.foreignPage),
    }),
  }
  const progress = flags.quiet || flags.json ? undefined : progressBars()
  const runSettings = { plans, settings }
  const outcome = await (flags.again ? runPlansAgain(runSettings, progress) : runPlans(runSettings, progress)).finally(
    () => progress?.close(),
  )
  const { table } = outcome
  const page = pageIn(outcome.folder)
  if (flags.report) await writeReport([outcome], { output: page })
  const incomplete = table.rows.some(({ failed, failedScores }) => failed + failedScores > 0)
  process.exitCode = incomplete ? exitCodes.incomplete : exitCodes.done
  await closeGate(
    outcome.manifest.name,
    rowCases(table),
    checkThresholds(flags.min ?? [], outcome.manifest, table),
    flags,
  )
  const times = profile && profileTable(profile, outcome.manifest.methods.map(rowName))
  if (flags.json) printJson({ ...namesOf(outcome), trials: outcome.trials, scores: outcome.scores, ...table })
  else if (!flags.quiet) printOutcome(outcome, flags.report === true ? page : undefined, flags.full)
  else for (const note of failureNotes(outcome.manifest, table)) printNotice(plain(note))
  if (times) printNotice(messages.times(formatTable(times)))
}

/** Whether every trial and score of a row was made, as cases of a gate. */
const rowCases = ({ rows }: Table): readonly GateCase[] =>
  rows.map(({ failed, failedScores, ...row }) => ({
    name: messages.rowCase(rowName(row)),
    ...(failed + failedScores > 0 && { error: messages.failures(failed, failedScores) }),
  }))

/** A warning that several runs of a series have is printed once. */
function withoutRepeats(settings: Settings): Settings {
  const lines = new Set<string>()
  const { warn } = settings
  return {
    ...settings,
    ...(warn && {
      warn: (line: string) => {
        if (!lines.has(line)) warn(line)
        lines.add(line)
      },
    }),
  }
}

type RunOutcome = Awaited<ReturnType<typeof runPlans>> & { readonly archive?: string | undefined }

/** The results folder, and for a series those of its runs. */
const namesOf = ({ folder, manifest, runs, archive }: RunOutcome) => ({
  folder,
  ...(manifest.series && { folders: runs }),
  ...(archive !== undefined && { archive }),
})

function printOutcome(outcome: RunOutcome, page: string | undefined, isFull: boolean): void {
  const { folder, manifest, table, trials, scores, archive } = outcome
  if (trials.made === 0 && scores.made === 0) print(messages.complete(trials.kept))
  printTable({ manifest, table }, { isFull })
  printAcross([{ manifest, table }], isFull)
  if (isFull) printCounts(outcome)
  if (archive !== undefined) print(messages.archive(archive))
  if (page !== undefined) print(messages.page(page))
  print(messages.next(page === undefined ? 'report' : 'show', folder))
}

const pathOf = (path: string): string => relative(process.cwd(), path) || '.'

function printCounts({ folder, manifest, table, trials, scores, runs, figures }: RunOutcome): void {
  const sumOf = (field: keyof Table['usage'][number]): number =>
    table.usage.reduce((sum, { [field]: count = 0 }) => sum + Number(count), 0)
  print('')
  print(messages.counts(trials, scores))
  print(messages.usage((field) => formatCount(sumOf(field))))
  const texts = sumOf('embeddedTexts')
  const newTexts = sumOf('newTexts')
  if (texts > 0) print(messages.embeddings(newTexts, texts - newTexts))
  print(messages.files(folder, manifest.series !== undefined))
  if (manifest.series) print(messages.runs(runs))
  if (figures.length > 0) print(messages.figures(folder, figures))
}

/** The time of each row by phase, and that of the program: the rest is its start, and files. */
function profileTable(profile: Profile, rows: readonly string[]): TextTable {
  const phases = [
    ...rows.flatMap((row) => (['index', 'retrieve', 'answer', 'score'] as const).map((phase) => ({ row, phase }))),
    ...(['prepare', 'tables'] as const).map((phase) => ({ row: '', phase })),
  ]
  const lines = phases.map(({ row, phase }) => ({ row, phase, ...profile.timeOf(phase, row) }))
  const total = profile.total()
  const rest = lines.reduce((time, { wall, cpu }) => ({ wall: time.wall - wall, cpu: time.cpu - cpu }), total)
  const seconds = (ms: number): string => (ms / 1000).toFixed(2)
  const table = plainTable(
    ['method', 'phase', 'seconds', 'CPU'],
    [...lines, { row: '', phase: 'rest', ...rest }, { row: '', phase: 'all', ...total }].map(
      ({ row, phase, wall, cpu }) => [row, phase, seconds(wall), seconds(cpu)],
    ),
  )
  return { ...table, labels: 2 }
}

/** The numbers of scores that were made, failed, or were skipped. */
export const describeScores = ({ made, failed, skipped }: Omit<ScoreCounts, 'kept'>): string =>
  `${plural(made - skipped, 'score')} (${failed} failed${skipped > 0 ? `, ${skipped} not scored` : ''})`

const messages = {
  profiledWorkers: '--profile cannot be combined with --workers: it measures this process only',
  foreignPage: 'move it, or leave out --report',
  times: (table: string) =>
    `\nTime  seconds of wall time, and of processor time of all threads (CPU), of a run that did one thing at a time\n\n${table}`,
  rowCase: (name: string) => `${name}: no trial and no score failed`,
  failures: (trials: number, scores: number) => `${plural(trials, 'trial')} and ${plural(scores, 'score')} failed`,
  complete: (trials: number) =>
    `Nothing to do: ${trials === 1 ? 'the only trial is' : `all ${formatCount(trials)} trials are`} complete; --again repeats ${trials === 1 ? 'it' : 'them'}.`,
  archive: (folder: string) => `Earlier results: ${pathOf(folder)}`,
  page: (file: string) => `Report: ${pathOf(file)}`,
  next: (command: string, folder: string) => `Next: npx gembench ${command} ${pathOf(folder)}`,
  counts: (trials: RunOutcome['trials'], scores: RunOutcome['scores']) =>
    `Trials: ${formatCount(trials.made)} new (${trials.failed} failed), ${formatCount(trials.kept)} earlier. Scores: ${describeScores(scores)}.`,
  usage: (total: (field: keyof Table['usage'][number]) => string) =>
    `Calls: ${total('calls')} (${total('cached')} cached). Tokens: ${total('promptTokens')} prompt, ${total('completionTokens')} completion, ${total('embeddedTokens')} embedded.`,
  embeddings: (newTexts: number, earlierTexts: number) =>
    `Embeddings: ${formatCount(newTexts)} computed, ${formatCount(earlierTexts)} reused.`,
  files: (folder: string, isSeries: boolean) =>
    `Files: ${pathOf(folder)}/  (${tableFiles.map(([, file]) => file).join(', ')}, ${isSeries ? 'series.json' : 'trials.jsonl, scores.jsonl, manifest.json'})`,
  runs: (folders: readonly string[]) => `Runs: ${folders.map(pathOf).join('/  ')}/`,
  figures: (folder: string, names: readonly string[]) => `Figures: ${pathOf(folder)}/figures/  (${names.join(', ')})`,
}
