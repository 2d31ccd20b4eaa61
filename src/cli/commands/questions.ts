import type { Command } from 'commander'
import { examples, wholeNumber, withCache, withConfig, withLimits } from '../flags.ts'
import { relative } from 'node:path'
import pc from 'picocolors'
import { dollars } from '../../basics/dollars.ts'
import { formatCount, formatDollars, plural } from '../../text/amounts.ts'
import { attemptsEach, callsPerDraft, writeDrafts, type DraftOutcome, type DraftPlan } from '../../run/index.ts'
import { plain } from '../../text/characters.ts'
import { exitCodes, interruptible } from '../ending.ts'
import { planOf, settingsOf, type PlanFlags, type UsageLimitFlags } from '../plan.ts'
import { print, printJson, printNotice, type JsonFlag } from '../terminal/print.ts'

interface QuestionsFlags extends Omit<PlanFlags, 'limit' | 'methods'>, UsageLimitFlags, JsonFlag {
  readonly count: number
  readonly output?: string
}

export const setUp = (command: Command): Command =>
  withLimits(withCache(withConfig(command)))
    .option('--count <number>', 'how many questions; each gets at most three drafts', wholeNumber, 20)
    .option(
      '-o, --output <file>',
      'file to write, .csv or .jsonl; never overwrites questions (default: the question file of the config)',
    )
    .option('--json', 'print JSON only', false)
    .action(questionsCommand)
    .addHelpText(
      'after',
      examples('gembench questions --count 20', 'gembench questions -c notes.yaml -o drafts.jsonl --budget-usd .50'),
    )

async function questionsCommand(flags: QuestionsFlags): Promise<void> {
  const { count, output, json } = flags
  const plan = await planOf(flags)
  const request = { count, ...(output !== undefined && { output }) }
  const outcome = await writeDrafts(plan, request, settingsOf(flags, interruptible()), (draftPlan) => {
    if (!json) printNotice(plain(knownLine(draftPlan, count)))
  })
  const failed = outcome.firstFailure !== undefined || outcome.questions.length === 0
  if (failed) process.exitCode = exitCodes.incomplete
  if (json) printJson(outcome)
  else for (const line of linesOf(outcome, count)) print(plain(line))
}

function knownLine({ model, documents, chunks, leftOut, mostCalls }: DraftPlan, count: number): string {
  const sources = `${plural(chunks, 'chunk')} of ${plural(documents, 'document')}`
  const drafting = `Drafting ${plural(count, 'question')} with ${model} from ${sources}`
  const perQuestion = `${callsPerDraft} per draft, ${attemptsEach} drafts per question`
  const most = `At most ${plural(mostCalls, 'call')}: ${perQuestion}.`
  return `${drafting}${listCounts('; left out: ', leftOut)}. ${most}`
}

function linesOf({ questions, attempts, leftOut, ...outcome }: DraftOutcome, count: number): readonly string[] {
  const { file, isRead, model, usage, price, firstFailure } = outcome
  const path = relative(process.cwd(), file)
  const cost = price ? ` (${formatDollars(dollars(usage, price))})` : ''
  const calls = formatCount(usage.calls)
  const cachedCalls = formatCount(usage.cached)
  const prompt = formatCount(usage.promptTokens)
  const completion = formatCount(usage.completionTokens)
  const tokens = `${prompt} prompt, ${completion} completion`
  const noQuestions = 'No draft passed its checks, so no file was written.'
  return [
    questions.length === 0
      ? noQuestions
      : `wrote ${path}: ${plural(questions.length, 'question')}, each with its evidence and the tag "synthetic"`,
    ...(questions.length < count ? [`${count} were requested: no other draft passed its checks`] : []),
    `Drafts: ${attempts}${listCounts('; left out: ', leftOut)}`,
    ...(firstFailure === undefined ? [] : [`First failed call: ${firstFailure}`]),
    `Calls: ${calls} (${cachedCalls} from the cache). Tokens: ${tokens}${cost}.`,
    ...(questions.length === 0
      ? []
      : [
          `Read them first: every table names ${model} as their author. Their answers are short, so set answers: short in the config.`,
          isRead
            ? 'Next: npx gembench run'
            : `Next: set dataset.questions in the config to ${pc.bold(path)}, then npx gembench run`,
        ]),
  ]
}

/** `; left out: asked already 2, …`; empty without counts. */
function listCounts(before: string, counts: Readonly<Record<string, number>>): string {
  const all = Object.entries(counts).map(([name, count]) => `${name} ${count}`)
  return all.length === 0 ? '' : before + all.join(', ')
}
