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
  readonly method?: string
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
    .option('-m, --method <label>', 'which method of the config')
    .option('--corpus <id>', 'which corpus of the dataset (default: the first)')
    .option('--json', 'print JSON only', false)
    .action(queryCommand)
    .addHelpText('after', examples("gembench query 'Who built the mill?' -m bm25 --prompt"))

/** `gembench query`: one question, its passages and the answer. */
async function queryCommand(question: string, flags: QueryFlags): Promise<void> {
  if (question.trim() === '') throw new UserError(messages.emptyQuestion)
  const reply = await replyTo(question, flags)
  if (!reply.question && !/\s/.test(question.trim())) printNotice(messages.unknownId(question))
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
    print(messages.passage(index + 1, describePassage({ ...passage, spans: [] })))
    if (why) print(pc.dim(`   ${plain(describeTrace(why).join('; '))}`))
    print(`   ${plain(text)}\n`)
  }
  if (reply.passages.length === 0) print(pc.dim(messages.noPassages(reply.stopped)))
  const { answer } = reply
  if (!answer) {
    print(pc.dim(messages.noAnswer))
    return
  }
  if (flags.prompt) printPrompt(reply)
  print(messages.answer(answer, reply.stopped))
}

function printPrompt({ prompt }: QueryReply): void {
  if (!prompt) print(pc.dim(messages.noPrompt))
  for (const { role, content } of prompt?.messages ?? [])
    print(`${pc.bold(role)}\n${content.split('\n').map(plain).join('\n')}\n`)
}

async function replyTo(question: string, flags: QueryFlags): Promise<QueryReply> {
  const { method, corpus } = flags
  const plan = await planOf(flags)
  if (method === undefined) throw new UserError(messages.noMethod)
  const asking = { method, question, ...(corpus !== undefined && { corpus }) }
  return query(plan, asking, settingsOf(flags, interruptible()))
}

const messages = {
  emptyQuestion: 'the question is empty; write gembench query "the question"',
  unknownId: (id: string) => `note: no question has the id "${plain(id)}", so it was taken as a question`,
  passage: (rank: number, description: string) => `${pc.bold(`${rank}.`)} ${pc.dim(plain(description))}`,
  noPassages: (reason: QueryReply['stopped']) =>
    reason === 'end' ? 'no passages were retrieved' : `no passages: ${whyEmpty(reason)}`,
  noAnswer: 'no answer (answers: none)',
  answer: (answer: NonNullable<QueryReply['answer']>, reason: QueryReply['stopped']) =>
    `${pc.bold('answer')} ${plain(answer.text)}${answer.choice == null ? '' : pc.dim(` (option ${answer.choice + 1})`)}${answer.canned ? pc.dim(` (${fixedAnswer(reason)})`) : ''}`,
  noPrompt: 'no prompt: the answer is fixed',
  noMethod: 'no method: give one of the config with --method LABEL',
}
