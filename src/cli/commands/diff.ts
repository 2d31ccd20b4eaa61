import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pc from 'picocolors'
import { UserError } from '../../errors.ts'
import {
  changedQuestions,
  detailed,
  type QuestionDetail,
  changeNames,
  changesGrid,
  diffNotes,
  outcomeLines,
  scoreShown,
  testLines,
} from '../../report/diff/words.ts'
import { diffRuns, type RowDiff, type RunDiff, gateOf } from '../../report/diff/diff-runs.ts'
import type { DiffSide } from '../../report/diff/pair-rows.ts'
import { plural } from '../../report/render/amounts.ts'
import { rightAnswers } from '../../report/show/words.ts'
import { openRun } from '../open-run.ts'
import { exitCodes } from '../ending.ts'
import { cutText, lineWidth, printLabelled, sideBySide } from '../terminal/columns.ts'
import { print, printJson, printNotice, type JsonFlag } from '../terminal/print.ts'
import { plain } from '../../text/plain.ts'
import { terminalGrid } from '../terminal/terminal-grid.ts'

export interface DiffFlags extends JsonFlag {
  readonly metric?: string
  readonly failIf?: 'worse'
  readonly limit: number
  readonly all: boolean
  readonly results: string
}

/** `gembench diff`: two runs or two rows, question by question, with a test; a gate where `--fail-if` is given. */
export async function diffCommand(before: string, after: string, flags: DiffFlags): Promise<void> {
  const sides = [await openSide(before, flags.results), await openSide(after, flags.results)] as const
  const diff = await diffRuns(...sides, flags.metric)
  if (flags.json) {
    const notUnchanged = ({ questions }: RowDiff) => questions.filter(({ change }) => change !== 'unchanged')
    printJson(documentOf(diff, await detailed(diff, sides, notUnchanged)))
  } else {
    const most = flags.all ? Infinity : flags.limit
    report(diff, await detailed(diff, sides, (row) => changedQuestions(row).slice(0, most)))
  }
  if (flags.failIf) closeGate(diff)
}

/** A results folder, or a row of one: what follows the first # behind the name of a folder. */
async function openSide(name: string, root: string): Promise<DiffSide> {
  const marks = [...name.matchAll(/#/g)].map(({ index }) => index)
  const isFolder = (folder: string): boolean =>
    [folder, join(root, folder)].some((one) =>
      ['manifest.json', 'series.json'].some((file) => existsSync(join(one, file))),
    )
  const mark = isFolder(name) ? undefined : (marks.find((index) => isFolder(name.slice(0, index))) ?? marks[0])
  const folder = name.slice(0, mark)
  const results = await openRun(folder, root)
  return { ...results, name: folder, ...(mark !== undefined && { row: name.slice(mark + 1) }) }
}

/** Ends with 4 where a row is worse, and never with 0 where nothing can be concluded. */
function closeGate(diff: RunDiff): void {
  const gate = gateOf(diff)
  if (gate.outcome === 'passed') return
  if (gate.outcome === 'no verdict') throw new UserError(plain(`--fail-if worse: ${gate.reason}`))
  printNotice(`${pc.red(gate.outcome)} ${plain(`--fail-if worse: ${gate.reason}`)}`)
  process.exitCode = gate.outcome === 'worse' ? exitCodes.worse : exitCodes.incomplete
}

/** Everything, with the texts of the questions that were chosen. */
const documentOf = (diff: RunDiff, details: readonly (readonly QuestionDetail[])[]) => ({
  ...diff,
  rows: diff.rows.map((row, index) => {
    const textsOf = new Map(details[index]?.map(({ id, texts }) => [id, texts]))
    const questions = row.questions.map((question) => {
      const texts = textsOf.get(question.id)
      if (!texts) return question
      const [before, after] = [texts.before, texts.after].map(({ question: _question, ...outcome }) => outcome)
      const { text, reference } = texts.before.question
      return { ...question, question: text, reference, outcomes: { before, after } }
    })
    return { ...row, questions }
  }),
})

function report(diff: RunDiff, details: readonly (readonly QuestionDetail[])[]): void {
  const { before, after, scorer, metric, rows } = diff
  print(
    `${pc.bold(plain(`${scorer}.${metric}`))}  ${pc.dim(plain(`before ${before}, after ${after}; means in percent`))}`,
  )
  for (const note of diffNotes(diff)) print(pc.dim(plain(note)))
  print(`\n${terminalGrid(changesGrid(diff))}\n`)
  for (const line of testLines(diff)) print(plain(line))
  rows.forEach((row, index) => {
    const shown = details[index] ?? []
    const left = changedQuestions(row).length - shown.length
    if (shown.length + left > 0) print(`\n${pc.bold(plain(row.name))}`)
    for (const one of shown) printQuestion(one)
    if (left > 0)
      print(
        `\n${pc.dim(`${plural(left, 'more question')} with a change; --all shows every one, --json also the others`)}`,
      )
  })
}

function printQuestion({ id, change, before, after, texts }: QuestionDetail): void {
  const { text, reference } = texts.before.question
  print(`\n${pc.bold(changeNames[change])}  ${scoreShown(before)} → ${scoreShown(after)}  ${pc.dim(cut(id))}`)
  printLabelled(
    [
      ['question', [text]],
      ['right', [rightAnswers(reference).join(' | ')]],
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
