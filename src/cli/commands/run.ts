import type { Command } from 'commander'
import { examples, withLimits, withPlan } from '../flags.ts'
import { join, relative } from 'node:path'
import { writeReport } from '../../library/report.ts'
import { runPlans } from '../../library/write-tables.ts'
import { plainTable, type TextTable } from '../../report/render/text-table.ts'
import { reportMark, refuseForeignFile } from '../../basics/files.ts'
import { failureNotes } from '../../report/render/notes.ts'
import type { Table } from '../../report/table/table.ts'
import { formatCount, plural } from '../../text/amounts.ts'
import { createProfile, type Profile, type SeriesOutcome } from '../../run/index.ts'
import type { ScoreCounts } from '../../run/settings.ts'
import { progressBars } from '../terminal/progress-bars.ts'
import { exitCodes, interruptible } from '../ending.ts'
import { plansOf, settingsOf, type PlanFlags, type SpendingFlags } from '../plan.ts'
import { plain } from '../../text/characters.ts'
import { rowName } from '../../text/names.ts'
import { UserError } from '../../errors.ts'
import { print, printJson, printNotice } from '../terminal/print.ts'
import { printAcross, printTable } from '../terminal/print-table.ts'
import { formatTable } from '../terminal/format-table.ts'

export interface RunFlags extends PlanFlags, SpendingFlags {
  readonly report?: boolean
  readonly profile: boolean
  readonly quiet: boolean
  readonly notes: boolean
  readonly json: boolean
}

export const setUp = (command: Command): Command =>
  withLimits(withPlan(command))
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option(
      '--workers <redis>',
      'let workers build the indexes and ask the questions: the address of a Redis at which `gembench work` listens, such as redis://localhost:6379',
    )
    .option('--report', 'also write report.html, the page of `gembench report`, into the results folder', false)
    .option(
      '--profile',
      'also print where the time went, by phase and method; the run then does one thing at a time, so that it takes longer',
      false,
    )
    .option('--quiet', 'print only errors, and what failed with its reasons', false)
    .option('--notes', 'print all notes under the table, not only the five that matter most', false)
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
  if (flags.profile && flags.workers !== undefined)
    throw new UserError('--profile cannot be used with --workers: what they do takes no time of this process')
  const profile = flags.profile ? createProfile() : undefined
  const pageIn = (folder: string): string => join(folder, 'report.html')
  const settings = {
    ...settingsOf(flags, signal),
    ...(profile && { profile }),
    ...(flags.report && {
      begins: (folder: string) => refuseForeignFile(pageIn(folder), reportMark, 'move it, or leave out --report'),
    }),
  }
  const progress = flags.quiet || flags.json ? undefined : progressBars()
  const outcome = await runPlans({ plans, settings }, progress).finally(() => progress?.close())
  const { table, figures } = outcome
  const page = pageIn(outcome.folder)
  if (flags.report) await writeReport([outcome], { output: page })
  const incomplete = table.rows.some(({ failed, failedScores }) => failed + failedScores > 0)
  process.exitCode = incomplete ? exitCodes.incomplete : exitCodes.done
  const times = profile && profileTable(profile, outcome.manifest.methods.map(rowName))
  if (flags.json) printJson({ ...namesOf(outcome), trials: outcome.trials, scores: outcome.scores, ...table })
  else if (!flags.quiet)
    report(outcome, table, figures, { page: flags.report === true ? page : undefined, allNotes: flags.notes })
  else for (const note of failureNotes(outcome.manifest, table)) printNotice(plain(note))
  if (times) printNotice(`\nTime  ${timesNote}\n\n${formatTable(times)}`)
}

/** The results folder, and for a series those of its runs. */
const namesOf = ({ folder, manifest, runs }: SeriesOutcome) => ({ folder, ...(manifest.series && { folders: runs }) })

interface Shown {
  readonly page: string | undefined
  readonly allNotes: boolean
}

function report(outcome: SeriesOutcome, table: Table, figures: readonly string[], { page, allNotes }: Shown): void {
  const { folder, manifest, trials, scores, runs } = outcome
  const displayPath = (file: string): string => relative(process.cwd(), file) || '.'
  const path = displayPath(folder)
  const total = (field: 'calls' | 'cached' | 'promptTokens' | 'completionTokens' | 'embeddedTokens'): string =>
    table.usage.reduce((sum, row) => sum + row[field], 0).toLocaleString('en-US')
  const ofTexts = (field: 'embeddedTexts' | 'newTexts' | 'newEmbeddedTokens'): number =>
    table.usage.reduce((sum, { [field]: count = 0 }) => sum + count, 0)
  printTable({ manifest, table }, { allNotes })
  printAcross([{ manifest, table }])
  print('')
  print(
    trials.made === 0 && scores.made === 0
      ? `Complete: all trials (${trials.kept.toLocaleString('en-US')}) and their scores are in the results folder already; nothing was asked.`
      : `Asked ${plural(trials.made, 'trial')} (${trials.failed} failed) and made ${describeScores(scores)}; ${plural(trials.kept, 'trial was', 'trials were')} done before.`,
  )
  print(
    `Calls of all trials in the folder: ${total('calls')} (${total('cached')} from the cache). Tokens: ${total('promptTokens')} prompt, ${total('completionTokens')} completion, ${total('embeddedTokens')} embedded.`,
  )
  const inputCount = ofTexts('embeddedTexts')
  if (inputCount > 0)
    print(
      `Texts to be embedded: ${formatCount(inputCount)}; really embedded ${formatCount(ofTexts('newTexts'))}, of ${formatCount(ofTexts('newEmbeddedTokens'))} tokens: the others were known, from the cache or another row.`,
    )
  const dataFiles = manifest.series ? 'series.json' : 'trials.jsonl, scores.jsonl, manifest.json'
  print(`Files   ${path}/  (table.md, table.csv, usage.csv, table.tex, table.json, ${dataFiles})`)
  if (manifest.series)
    print(`Runs    ${runs.map(displayPath).join('/  ')}/  (trials.jsonl, scores.jsonl, manifest.json, …)`)
  if (figures.length > 0) print(`Figures ${path}/figures/  (${figures.join(', ')})`)
  if (page !== undefined) print(`Report  ${displayPath(page)}`)
  print(`Next    gembench table ${path} --format latex`)
}

/** The caption of a profile. */
const timesNote =
  'seconds of wall time, and of processor time of all threads (CPU), of a run that did one thing at a time'

/** Times of each row by phase; the rest is start-up and files. */
function profileTable(profile: Profile, rows: readonly string[]): TextTable {
  const ofRow = rows.map((row) => [row, rowPhases.map((phase) => profile.spent(phase, row))] as const)
  const ofProgram = (['prepare', 'tables'] as const).map((phase) => [phase, profile.spent(phase, '')] as const)
  const phaseTimes = [...ofRow.flatMap(([, times]) => times), ...ofProgram.map(([, times]) => times)]
  const total = profile.total()
  const [wall, cpu] = [total.wall - sum(phaseTimes, 'wall'), total.cpu - sum(phaseTimes, 'cpu')]
  const line = (name: string, times: readonly Spent[], all: Spent): readonly string[] => [
    name,
    ...[...times, all].flatMap(formatTime),
  ]
  const alone = (name: string, all: Spent): readonly string[] => [
    name,
    ...rowPhases.flatMap(() => ['', '']),
    ...formatTime(all),
  ]
  return plainTable(
    ['', ...[...rowPhases, 'all'].flatMap((phase) => [phase, 'CPU'])],
    [
      ...ofRow.map(([row, times]) => line(row, times, { wall: sum(times, 'wall'), cpu: sum(times, 'cpu') })),
      ...ofProgram.map(([phase, times]) => alone(phase, times)),
      alone('rest', { wall, cpu }),
      alone('all', total),
    ],
  )
}

type Spent = ReturnType<Profile['spent']>

const rowPhases = ['index', 'retrieve', 'answer', 'score'] as const

const sum = (times: readonly Spent[], of: keyof Spent): number => times.reduce((total, time) => total + time[of], 0)

const formatTime = ({ wall, cpu }: Spent): readonly string[] => [seconds(wall), seconds(cpu)]

const seconds = (ms: number): string => (ms / 1000).toFixed(2)

/** The numbers of scores that were made, failed, or were skipped. */
export const describeScores = ({ made, failed, skipped }: Omit<ScoreCounts, 'kept'>): string =>
  `${plural(made - skipped, 'score')} (${failed} failed${skipped > 0 ? `, ${skipped} not scored` : ''})`
