import { Option, type Command } from 'commander'
import pc from 'picocolors'
import { UserError } from '../../errors.ts'
import { openDiff, type DiffSettings } from '../../library/diff.ts'
import type { RunDiff } from '../../report/diff/diff-runs.ts'
import { changesTable, diffNotes, gateOf, outcomeLines, testLines } from '../../report/diff/messages.ts'
import { changeNames } from '../../report/diff/question-changes.ts'
import {
  changedQuestions,
  withTexts,
  type DetailedDiff,
  type DetailedQuestion,
} from '../../report/diff/question-texts.ts'
import { checkThresholds } from '../../report/gate/thresholds.ts'
import { formatScore, rightAnswers } from '../../report/show/messages.ts'
import { tableOf } from '../../report/table/table.ts'
import { plural } from '../../text/amounts.ts'
import { plain } from '../../text/characters.ts'
import { rowName } from '../../text/names.ts'
import { exitCodes } from '../ending.ts'
import { examples, fraction, withGate, wholeNumber } from '../flags.ts'
import { closeGate, refuseOtherJunit, type GateCase, type GateFlags } from '../gate.ts'
import { printNote } from '../open-run.ts'
import { formatTable } from '../terminal/format-table.ts'
import { print, printJson, printNotice, type JsonFlag } from '../terminal/print.ts'
import { cutText, printTitledLines } from '../terminal/wrap-text.ts'

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
        'worse: exit code 4 if a row is worse or questions are missing, 6 if undecided, 3 if incomplete, 2 without a verdict',
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

export async function diffCommand(before: string, after: string, flags: DiffFlags): Promise<void> {
  const { failIf, acceptMissing, min = [] } = flags
  if (flags.junit !== undefined && !failIf && min.length === 0)
    throw new UserError('--junit: nothing to write; add --fail-if worse or --min METRIC=VALUE')
  await refuseOtherJunit(flags)
  const { diff, sides } = await openDiff(before, after, { ...flags, warn: printNote })
  const { rows } = await withTexts(diff, sides)
  if (flags.json) printJson({ ...diff, rows })
  else printDiff(diff, rows, flags.all ? Infinity : flags.limit)
  const [, { manifest, row, ...results }] = sides
  const namedRows = manifest.methods.filter((record) => rowName(record) === row)
  const rowsOfGate = row === undefined ? undefined : namedRows
  const checks = min.length === 0 ? [] : checkThresholds(min, manifest, await tableOf(manifest, results), rowsOfGate)
  const cases = failIf ? rowCases(diff, acceptMissing) : []
  await closeGate(`${diff.before} to ${diff.after}`, cases, checks, flags)
  if (failIf) endComparison(diff, acceptMissing)
}

/** Whether each row is no worse, as cases of a gate. */
const rowCases = (diff: RunDiff, acceptMissing?: boolean): readonly GateCase[] =>
  diff.rows.map((row) => {
    const name = `${row.name}: not worse`
    const { outcome, reason } = gateOf({ ...diff, rows: [row] }, acceptMissing)
    if (outcome === 'passed') return { name }
    const isFailure = outcome === 'worse' || outcome === 'missing'
    return isFailure ? { name, failure: reason } : { name, error: reason }
  })

/** Prints the outcome of the gate and sets its exit code. Throws UserError without a verdict. */
function endComparison(diff: RunDiff, acceptMissing?: boolean) {
  const { outcome, reason } = gateOf(diff, acceptMissing)
  const text = plain(`--fail-if worse: ${reason}`)
  if (outcome === 'no verdict') throw new UserError(text)
  const title = outcome === 'undecided' ? 'not determined' : outcome
  printNotice(`${outcome === 'passed' ? pc.green(title) : pc.red(title)} ${text}`)
  // a threshold that is not met stays a failure
  process.exitCode ??= gateCodes[outcome]
}

const gateCodes = {
  passed: exitCodes.done,
  worse: exitCodes.worse,
  missing: exitCodes.worse,
  undecided: exitCodes.undecided,
  incomplete: exitCodes.incomplete,
} as const

/** Prints at most so many changed questions of each row. */
function printDiff(diff: RunDiff, rows: DetailedDiff['rows'], most: number) {
  const runs = `before ${diff.before}, after ${diff.after}; means in percent`
  const score = plain(`${diff.scorer}.${diff.metric}`)
  print(`${pc.bold(score)}  ${pc.dim(plain(runs))}`)
  for (const note of diffNotes(diff)) print(pc.dim(plain(note)))
  print(`\n${formatTable(changesTable(diff))}\n`)
  for (const line of testLines(diff)) print(plain(line))
  for (const { name, questions } of rows) {
    const changes = changedQuestions(questions)
    if (changes.length > 0) print(`\n${pc.bold(plain(name))}`)
    for (const question of changes.slice(0, most)) printQuestion(question, diff.scorer)
    if (changes.length > most)
      print(`\n${pc.dim(`${plural(changes.length - most, 'more question')} with a change: --all`)}`)
  }
}

function printQuestion({ id, change, before, after, ...texts }: DetailedQuestion, scorer: string) {
  const cellOf = (score: number | null) => (score === null ? '–' : formatScore(score))
  const scores = `${cellOf(before)} → ${cellOf(after)}`
  print(`\n${pc.bold(changeNames[change])}  ${scores}  ${pc.dim(cutText(id, longest))}`)
  const { question = '', reference, trials } = texts
  if (!reference || !trials) return
  printTitledLines(
    [
      ['question', [question]],
      ['right', [rightAnswers(reference).join(' | ')]],
      ['before', outcomeLines(trials.before, reference, scorer)],
      ['after', outcomeLines(trials.after, reference, scorer)],
    ],
    { most: longest },
  )
}

const longest = 600
