import type { Command } from 'commander'
import { repeatableConfig, examples, withPlan } from '../flags.ts'
import pc from 'picocolors'
import { UserError } from '../../errors.ts'
import { query, type QueryReply } from '../../run/index.ts'
import { planOf, settingsOf, type PlanFlags } from '../plan.ts'
import { fixedAnswer, describePassage, describeQuestion, whyEmpty, describeTrace } from '../../report/show/messages.ts'
import { interruptible } from '../ending.ts'
import { printTitledLines } from '../terminal/wrap-text.ts'
import { print, printJson, printNotice } from '../terminal/print.ts'
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
  for (const [index, passage] of reply.passages.entries()) {
    const { text, why } = passage
    print(`${pc.bold(`${index + 1}.`)} ${pc.dim(plain(describePassage({ ...passage, spans: [] })))}`)
    if (why) print(pc.dim(`   ${plain(describeTrace(why).join('; '))}`))
    print(`   ${plain(text)}\n`)
  }
  const { answer, passages } = reply
  if (passages.length === 0) {
    const isEmpty = reply.stopped === 'end'
    const reason = isEmpty ? ' were retrieved' : `: ${whyEmpty(reply.stopped)}`
    print(pc.dim(`no passages${reason}`))
  }
  if (!answer) {
    print(pc.dim('no answer (answers: none)'))
    return
  }
  if (flags.prompt) printPrompt(reply)
  const choice = answer.choice == null ? '' : pc.dim(` (option ${answer.choice + 1})`)
  const remark = answer.canned ? pc.dim(` (${fixedAnswer(reply.stopped)})`) : ''
  print(`${pc.bold('answer')} ${plain(answer.text)}${choice}${remark}`)
}

function printPrompt({ prompt }: QueryReply) {
  if (!prompt) print(pc.dim('no prompt: the answer is fixed'))
  for (const { role, content } of prompt?.messages ?? [])
    print(`${pc.bold(role)}\n${content.split('\n').map(plain).join('\n')}\n`)
}
