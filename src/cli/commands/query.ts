import type { Command } from 'commander'
import { repeatableConfig, examples, withPlan } from '../flags.ts'
import pc from 'picocolors'
import { UserError } from '../../errors.ts'
import { query, type QueryReply } from '../../run/index.ts'
import { planOf, settingsOf, type PlanFlags } from '../plan.ts'
import { describeOutcome, describeQuestion, whyEmpty } from '../../report/show/messages.ts'
import { interruptible } from '../ending.ts'
import { printTitledLines } from '../terminal/wrap-text.ts'
import { print, printJson, printNotice } from '../terminal/print.ts'
import { printPassages } from './show.ts'
import { plain } from '../../text/characters.ts'

interface QueryFlags extends PlanFlags {
  readonly method: string
  readonly corpus?: string
  readonly prompt: boolean
  readonly json: boolean
}

export const setUp = (command: Command): Command =>
  withPlan(
    command,
    repeatableConfig('config file (repeatable); later ones override earlier ones (default: gembench.yaml)'),
  )
    .argument('<question>', 'the question, or the id of one of the dataset, which also shows its reference answer')
    .option('--prompt', 'show the prompt of the answer', false)
    .requiredOption('-m, --method <label>', 'which method of the config')
    .option('--corpus <id>', 'which corpus of the dataset (default: the first)')
    .option('--json', 'print JSON only', false)
    .action(queryCommand)
    .addHelpText('after', examples("gembench query 'Who built the mill?' -m bm25 --prompt"))

async function queryCommand(question: string, flags: QueryFlags) {
  if (question.trim() === '') throw new UserError('the question is empty; write gembench query "the question"')
  const { method, corpus } = flags
  const request = { method, question, ...(corpus !== undefined && { corpus }) }
  const reply = await query(await planOf(flags), request, settingsOf(flags, interruptible()))
  if (!reply.question && !/\s/.test(question.trim()))
    printNotice(`note: no question has the id "${plain(question)}", so it was taken as a question`)
  if (flags.json) {
    printJson(reply)
    return
  }
  if (reply.question) {
    printTitledLines(describeQuestion(reply.question))
    print('')
  }
  const { answer, passages } = reply
  printPassages(passages, '', Infinity)
  if (passages.length === 0) print(pc.dim(`no passages: ${whyEmpty(reply.stopped)}`))
  if (answer && flags.prompt) printPrompt(reply)
  const outcome = answer ? describeOutcome({ answer, stopped: reply.stopped }) : 'none (answers: none)'
  print('')
  printTitledLines([['answer', [outcome]]], { most: Infinity })
}

function printPrompt({ prompt }: QueryReply) {
  if (!prompt) print(pc.dim('no prompt: the answer is fixed'))
  for (const { role, content } of prompt?.messages ?? [])
    print(`${pc.bold(role)}\n${content.split('\n').map(plain).join('\n')}\n`)
}
