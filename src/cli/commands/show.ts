import { Option, type Command } from 'commander'
import { examples, rowList, wholeNumber } from '../flags.ts'
import pc from 'picocolors'
import { rowName, unknownName } from '../../text/names.ts'
import { UserError } from '../../errors.ts'
import type { Manifest, MethodRecord } from '../../records.ts'
import { plural } from '../../text/amounts.ts'
import {
  differentQuestions,
  failedQuestions,
  requireQuestion,
  questionTexts,
  readQuestions,
  type ShownQuestion,
  type ShownTrial,
} from '../../report/show/read-questions.ts'
import {
  describePassage,
  describeQuestion,
  describeTrial,
  describeTrace,
  type PassageLine,
} from '../../report/show/messages.ts'
import { openRun } from '../open-run.ts'
import { plain } from '../../text/characters.ts'
import { print, printJson, type JsonFlag } from '../terminal/print.ts'
import { cutText, lineWidth, printTitledLines, wrapText } from '../terminal/wrap-text.ts'

interface ShowFlags extends JsonFlag {
  readonly failures: boolean
  readonly different: boolean
  readonly metric?: string
  readonly methods?: readonly string[]
  readonly limit: number
  readonly full: boolean
  readonly results: string
}

export const setUp = (command: Command): Command =>
  command
    .argument('<run>', 'results folder, or its name')
    .argument('[question]', 'id of a question; without it the questions are listed')
    .option('--failures', 'show the questions with a failed trial or score', false)
    .option('--different', 'show the questions on which rows have different scores', false)
    .option('--metric <metric>', 'metric of --different, by its name or scorer.metric (default: the first)')
    .option('--methods <rows>', 'only these rows, by label or name, separated by commas', rowList)
    .addOption(new Option('--limit <questions>', 'show at most so many questions').argParser(wholeNumber).default(10))
    .option('--full', 'do not cut long texts', false)
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option('--json', 'print JSON only', false)
    .action(showCommand)
    .addHelpText(
      'after',
      examples('gembench show quickstart-1a2b3c4d q17 --full', 'gembench show quickstart-1a2b3c4d --failures'),
    )

async function showCommand(name: string, question: string | undefined, flags: ShowFlags) {
  const run = { ...(await openRun(name, flags.results)), name }
  const hasFilter = flags.failures || flags.different || flags.metric !== undefined
  if (question === undefined && !hasFilter) return listQuestions(run, flags)
  const rows = rowsOf(run.manifest, flags.methods)
  const { ids, heading, emptyNote } = await chooseQuestions(run, rows, question, flags)
  const questions = await readQuestions(run, rows, ids.slice(0, flags.limit))
  if (flags.json) {
    printJson(questions)
    return
  }
  if (ids.length === 0) print(emptyNote)
  else if (heading !== undefined) print(pc.dim(plain(heading)))
  questions.forEach((entry, index) => {
    if (index > 0 || heading !== undefined) print('')
    printQuestion(entry, flags.full ? Infinity : undefined)
  })
  if (ids.length > questions.length)
    print(pc.dim(`\n${plural(ids.length - questions.length, 'more question')}; --limit shows more`))
}

async function listQuestions(run: Parameters<typeof questionTexts>[0], { json }: ShowFlags) {
  const all = [...(await questionTexts(run))].map(([id, text]) => ({ id, text }))
  if (json) {
    printJson(all)
    return
  }
  for (const { id, text } of all) {
    const line = text.replace(/\s+/g, ' ')
    print(`${plain(id)}  ${cutText(line, 200)}`)
  }
  print(pc.dim('\nShow one by its id, or --different, --failures'))
}

interface Chosen {
  readonly ids: readonly string[]
  readonly heading?: string
  readonly emptyNote: string
}

async function chooseQuestions(
  run: Parameters<typeof differentQuestions>[0],
  rows: readonly MethodRecord[],
  question: string | undefined,
  { failures, different, metric }: ShowFlags,
): Promise<Chosen> {
  const choices = [question !== undefined, failures, different].filter(Boolean)
  if (choices.length !== 1) throw new UserError('name one of: a question by its id, --failures, --different')
  if (metric !== undefined && !different) throw new UserError('--metric needs --different')
  if (question !== undefined) {
    await requireQuestion(question, run)
    return { ids: [question], emptyNote: '' }
  }
  if (failures) return { ids: await failedQuestions(run, rows), emptyNote: 'No trial and no score failed.' }
  const difference = await differentQuestions(run, rows, metric)
  return {
    ids: difference.ids,
    heading: `${plural(difference.ids.length, 'question')} with different scores by ${difference.metric}`,
    emptyNote: `Rows have equal scores on every question (${difference.metric}).`,
  }
}

function rowsOf({ methods }: Manifest, labels: readonly string[] | undefined): readonly MethodRecord[] {
  if (!labels) return methods
  const hasLabel = (row: MethodRecord, label: string) => row.method === label || rowName(row) === label
  const unknown = labels.find((label) => !methods.some((row) => hasLabel(row, label)))
  if (unknown !== undefined) throw new UserError(unknownName('row', unknown, methods.map(rowName)))
  return methods.filter((row) => labels.some((label) => hasLabel(row, label)))
}

function printQuestion({ question, rows }: ShownQuestion, most: number | undefined) {
  print(pc.bold(plain(question.id)))
  printTitledLines(describeQuestion(question), { most })
  for (const { row, trials } of rows) {
    print(`\n${pc.bold(plain(row))}${trials.length === 0 ? pc.dim('  not asked') : ''}`)
    for (const trial of trials) {
      if (trials.length > 1) print(pc.dim(`repeat ${trial.repeat + 1}`))
      printTrial(trial, most)
    }
  }
}

function printTrial(trial: ShownTrial, most: number | undefined) {
  const { context } = trial
  const tokens = context.reduce((sum, passage) => sum + passage.tokens, 0)
  const size = `${plural(context.length, 'passage')}, ${plural(tokens, 'token')}`
  const summary = ['context', [size]] as const
  printTitledLines([...describeTrial(trial), summary], { indent: 2, most })
  printPassages(context, '  ', most)
}

/** Prints passages with their trace and text. `most`: characters before a text is cut. */
export function printPassages(passages: readonly PassageLine[], indent: string, most: number | undefined): void {
  const width = lineWidth() - indent.length - 3
  for (const [index, passage] of passages.entries()) {
    print(`${indent}${pc.bold(`${index + 1}.`)} ${pc.dim(plain(describePassage(passage)))}`)
    const trace = cutText(describeTrace(passage.why ?? {}).join('; '), most)
    if (trace !== '') for (const line of wrapText(trace, width)) print(pc.dim(`${indent}   ${line}`))
    for (const line of wrapText(cutText(passage.text, most), width)) print(`${indent}   ${line}`)
  }
}
