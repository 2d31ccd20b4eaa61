import pc from 'picocolors'
import { query } from '../run/index.ts'
import type { Trace } from '../types.ts'
import { interruptible } from './interrupt.ts'
import { planOf, settingsOf, type PlanFlags } from './plan.ts'
import { print, printJson } from './print.ts'
import { plain } from './terminal-grid.ts'

export interface QueryFlags extends PlanFlags {
  readonly method: string
  readonly corpus?: string
  readonly json: boolean
}

/** `gembench query`: one question, its passages and the answer. */
export async function queryCommand(question: string, flags: QueryFlags): Promise<void> {
  const asking = { method: flags.method, question, ...(flags.corpus !== undefined && { corpus: flags.corpus }) }
  const reply = await query(await planOf(flags), asking, settingsOf(flags, interruptible()))
  if (flags.json) {
    printJson(reply)
    return
  }
  for (const [index, { text, score, kind, tokens, from, why }] of reply.passages.entries()) {
    print(
      `${pc.bold(`${index + 1}.`)} ${pc.dim(`${kind} ${from.length > 3 ? `${from.length} chunks` : from.join(', ')}  score ${score.toPrecision(4)}  ${tokens} tokens`)}`,
    )
    if (why)
      print(
        pc.dim(
          `   ${plain(
            Object.entries(why)
              .map(([name, value]) => `${name}: ${shown(value)}`)
              .join('; '),
          )}`,
        ),
      )
    print(`   ${plain(text)}\n`)
  }
  if (reply.passages.length === 0) print(pc.dim('no passages'))
  print(
    `${pc.bold('answer')} ${plain(reply.answer.text)}${reply.answer.canned ? pc.dim(' (canned: no context was found)') : ''}`,
  )
}

const shown = (value: Trace[string]): string =>
  typeof value === 'number' && !Number.isInteger(value)
    ? value.toPrecision(4)
    : Array.isArray(value)
      ? value.map((one) => shown(one as string | number)).join(' ')
      : String(value)
