import { Option, type Command } from 'commander'
import { examples, fraction, withGate, wholeNumber } from '../flags.ts'
import { closeGate, refuseOtherJunit, type GateFlags } from '../gate.ts'
import { checkThresholds } from '../../report/gate/thresholds.ts'
import type { GateCase } from '../../report/gate/junit.ts'
import { tableOf } from '../../report/table/table.ts'
import { rowName } from '../../text/names.ts'
import { itemAt } from '../../basics/collections.ts'
import pc from 'picocolors'
import { diffDocument, openDiff, type DiffSettings } from '../../library/diff.ts'
import { UserError } from '../../errors.ts'
import type { RunDiff } from '../../report/diff/diff-runs.ts'
import { gateOf } from '../../report/diff/gate.ts'
import { changeNames } from '../../report/diff/question-changes.ts'
import {
  changesTable,
  diffNotes,
  documentWords,
  outcomeLines,
  formatScore,
  testLines,
  changedQuestions,
  questionDetails,
  type QuestionDetail,
} from '../../report/diff/messages.ts'
import { plural } from '../../text/amounts.ts'
import { rightAnswers } from '../../report/show/messages.ts'
import { printNotes } from '../open-run.ts'
import { exitCodes } from '../ending.ts'
import { cutText, lineWidth, printTitledLines, sideBySide } from '../terminal/wrap-text.ts'
import { print, printJson, printNotice, type JsonFlag } from '../terminal/print.ts'
import { plain } from '../../text/characters.ts'
import { formatTable } from '../terminal/format-table.ts'

interface DiffFlags extends JsonFlag, DiffSettings, GateFlags {
  readonly failIf?: 'worse'
  readonly limit: number
  readonly all: boolean
}

export const setUp = (command: Command): Command =>
  withGate(command)
    .argument('<before>', 'results folder, its name, or one row of it: FOLDER#ROW, such as quickstart-1a2b3c4d#vector')
    .argument('<after>', 'the same; a row that only one of them names is compared in both')
    .option(
      '--metric <metric>',
      'metric to compare, by its name, its title or scorer.metric: a column of the table in percent (default: the first)',
    )
    .addOption(
      new Option(
        '--fail-if <outcome>',
        'worse: exit code 4 if a row is worse or questions are missing, 6 if undecided, 3 if a run is incomplete, 2 without a verdict, else 0',
      ).choices(['worse']),
    )
    .option(
      '--margin <fraction>',
      'loss that --fail-if accepts, .03 for 3 points (default: compare.margin of the config; without one only a significant loss fails)',
      fraction,
    )
    .option('--accept-missing', 'let --fail-if ignore questions without a score in the second run')
    .addOption(
      new Option('--limit <questions>', 'show at most so many changed questions of a row')
        .argParser(wholeNumber)
        .default(10),
    )
    .option('--all', 'show every changed question', false)
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option('--json', 'print JSON only', false)
    .action(diffCommand)
    .addHelpText(
      'after',
      examples(
        'gembench diff results/base-1a2b3c4d results/new-5e6f7a8b --fail-if worse',
        'gembench diff quickstart-1a2b3c4d#vector quickstart-1a2b3c4d#raptor --metric qasper-f1.answerF1',
      ),
    )

/** `gembench diff`: compares two runs or rows by question, with a test; a gate with `--fail-if`. */
export async function diffCommand(before: string, after: string, flags: DiffFlags): Promise<void> {
  if (flags.junit !== undefined && !flags.failIf && !flags.min)
    throw new UserError('--junit: nothing to write; add --fail-if worse or --min METRIC=VALUE')
  await refuseOtherJunit(flags)
  const comparison = await openDiff(before, after, flags)
  const { diff, sides, notes } = comparison
  printNotes(notes)
  if (flags.json) printJson(await diffDocument(comparison))
  else {
    const most = flags.all ? Infinity : flags.limit
    report(diff, await questionDetails(diff, sides, (row) => changedQuestions(row).slice(0, most)))
  }
  const cases = flags.failIf ? rowCases(diff, flags.acceptMissing) : []
  await closeGate(`${diff.before} to ${diff.after}`, cases, await thresholdChecks(sides[1], flags), flags)
  if (flags.failIf) endComparison(diff, flags.acceptMissing)
}

type DiffSides = Awaited<ReturnType<typeof openDiff>>['sides']

/** The rows of the second run against `--min`. */
async function thresholdChecks({ manifest, row, ...results }: DiffSides[1], { min = [] }: DiffFlags) {
  if (min.length === 0) return []
  const rows = row === undefined ? undefined : manifest.methods.filter((record) => rowName(record) === row)
  return checkThresholds(min, manifest, await tableOf(manifest, results), rows)
}

/** Whether each row is no worse, as cases of a gate. */
const rowCases = (diff: RunDiff, acceptMissing?: boolean): readonly GateCase[] =>
  diff.rows.map((row) => {
    const { outcome, reason } = gateOf({ ...diff, rows: [row] }, acceptMissing)
    const isFailure = outcome === 'worse' || outcome === 'missing'
    return {
      name: `${row.name}: not worse`,
      ...(outcome !== 'passed' && (isFailure ? { failure: reason } : { error: reason })),
    }
  })

/**
 * Exit code 0 if no row is worse by more than the margin, 4 if one is worse or questions are missing, 6 if undecided.
 */
function endComparison(diff: RunDiff, acceptMissing?: boolean): void {
  const { outcome, reason } = gateOf(diff, acceptMissing)
  if (outcome === 'no verdict') throw new UserError(plain(`--fail-if worse: ${reason}`))
  const outcomeText = outcome === 'undecided' ? 'not determined' : outcome
  printNotice(
    `${outcome === 'passed' ? pc.green(outcomeText) : pc.red(outcomeText)} ${plain(`--fail-if worse: ${reason}`)}`,
  )
  // a threshold that is not met stays a failure
  process.exitCode ??= exitCodeOf[outcome]
}

const exitCodeOf = {
  passed: exitCodes.done,
  worse: exitCodes.worse,
  missing: exitCodes.worse,
  undecided: exitCodes.undecided,
  incomplete: exitCodes.incomplete,
} as const

function report(diff: RunDiff, details: readonly (readonly QuestionDetail[])[]): void {
  const { before, after, scorer, metric, rows } = diff
  print(
    `${pc.bold(plain(`${scorer}.${metric}`))}  ${pc.dim(plain(`before ${before}, after ${after}; means in percent`))}`,
  )
  for (const note of diffNotes(diff)) print(pc.dim(plain(note)))
  print(`\n${formatTable(changesTable(diff))}\n`)
  for (const line of testLines(diff)) print(plain(line))
  rows.forEach((row, index) => {
    const questions = itemAt(details, index)
    const hiddenCount = changedQuestions(row).length - questions.length
    if (questions.length + hiddenCount > 0) print(`\n${pc.bold(plain(row.name))}`)
    for (const question of questions) printQuestion(question)
    if (hiddenCount > 0) print(`\n${pc.dim(`${plural(hiddenCount, 'more question')} with a change: --all`)}`)
  })
}

function printQuestion({ id, change, before, after, texts, documents }: QuestionDetail): void {
  const { text, reference } = texts.before.question
  print(`\n${pc.bold(changeNames[change])}  ${formatScore(before)} → ${formatScore(after)}  ${pc.dim(cut(id))}`)
  printTitledLines(
    [
      ['question', [text]],
      ['right', [rightAnswers(reference).join(' | ')]],
      ...(documents ? [['documents', [documentWords(documents)]] as const] : []),
    ],
    { most: longest },
  )
  const [title = '', ...lines] = sideBySide(
    ['before', ...outcomeLines(texts.before).map(cut)],
    ['after', ...outcomeLines(texts.after).map(cut)],
    lineWidth(),
  )
  print(pc.dim(title))
  for (const line of lines) print(line)
}

const longest = 600
const cut = (text: string): string => cutText(text, longest)
