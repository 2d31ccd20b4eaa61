import { itemAt } from '../../basics/collections.ts'
import pc from 'picocolors'
import { diffDocument, openDiff } from '../../api/diff.ts'
import { UserError } from '../../errors.ts'
import type { RunDiff } from '../../report/diff/diff-runs.ts'
import { gateOf } from '../../report/diff/gate.ts'
import { changeNames } from '../../report/diff/question-changes.ts'
import {
  changesGrid,
  diffNotes,
  documentWords,
  outcomeLines,
  scoreShown,
  testLines,
  changedQuestions,
  detailed,
  type QuestionDetail,
} from '../../report/diff/words.ts'
import { plural } from '../../report/render/amounts.ts'
import { rightAnswers } from '../../report/show/words.ts'
import { printNotes } from '../open-run.ts'
import { exitCodes } from '../ending.ts'
import { cutText, lineWidth, printLabelled, sideBySide } from '../terminal/columns.ts'
import { print, printJson, printNotice, type JsonFlag } from '../terminal/print.ts'
import { plain } from '../../text/characters.ts'
import { terminalGrid } from '../terminal/terminal-grid.ts'

export interface DiffFlags extends JsonFlag {
  readonly metric?: string
  readonly failIf?: 'worse'
  readonly margin?: number
  readonly acceptMissing?: boolean
  readonly limit: number
  readonly all: boolean
  readonly results: string
}

/** `gembench diff`: two runs or two rows, question by question, with a test; a gate where `--fail-if` is given. */
export async function diffCommand(before: string, after: string, flags: DiffFlags): Promise<void> {
  const { results, metric, margin } = flags
  const named = { ...(metric !== undefined && { metric }), ...(margin !== undefined && { margin }) }
  const opened = await openDiff(before, after, { results, ...named })
  const { diff, sides, notes } = opened
  printNotes(notes)
  if (flags.json) printJson(await diffDocument(opened))
  else {
    const most = flags.all ? Infinity : flags.limit
    report(diff, await detailed(diff, sides, (row) => changedQuestions(row).slice(0, most)))
  }
  if (flags.failIf) closeGate(diff, flags.acceptMissing)
}

/**
 * Ends with 0 where no row is worse by more than the margin, 4 where one is worse or questions are missing, 6 where it
 * cannot be told.
 */
function closeGate(diff: RunDiff, acceptMissing?: boolean): void {
  const { outcome, reason } = gateOf(diff, acceptMissing)
  if (outcome === 'no verdict') throw new UserError(plain(`--fail-if worse: ${reason}`))
  const shown = outcome === 'undecided' ? 'cannot be told' : outcome
  printNotice(`${outcome === 'passed' ? pc.green(shown) : pc.red(shown)} ${plain(`--fail-if worse: ${reason}`)}`)
  process.exitCode = exitCodeOf[outcome]
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
  print(`\n${terminalGrid(changesGrid(diff))}\n`)
  for (const line of testLines(diff)) print(plain(line))
  rows.forEach((row, index) => {
    const shown = itemAt(details, index)
    const left = changedQuestions(row).length - shown.length
    if (shown.length + left > 0) print(`\n${pc.bold(plain(row.name))}`)
    for (const one of shown) printQuestion(one)
    if (left > 0)
      print(
        `\n${pc.dim(`${plural(left, 'more question')} with a change; --all shows every one, --json also the others`)}`,
      )
  })
}

function printQuestion({ id, change, before, after, texts, documents }: QuestionDetail): void {
  const { text, reference } = texts.before.question
  print(`\n${pc.bold(changeNames[change])}  ${scoreShown(before)} → ${scoreShown(after)}  ${pc.dim(cut(id))}`)
  printLabelled(
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
