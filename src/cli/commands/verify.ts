import type { Command } from 'commander'
import { cacheOption, examples } from '../flags.ts'
import pc from 'picocolors'
import { verify, type VerifySettings } from '../../library/verify.ts'
import { exitCodes, interruptible } from '../ending.ts'
import { print, printJson, type JsonFlag } from '../terminal/print.ts'
import { plain } from '../../text/characters.ts'

type VerifyFlags = JsonFlag & VerifySettings

export const setUp = (command: Command): Command =>
  command
    .argument('<run>', 'results folder, or its name; calls.jsonl.gz in it ("publish") holds its calls')
    .option(
      '--trust',
      'follow the files, addresses and variables that the results folder names, and start its plug-ins and programs',
      false,
    )
    .addOption(cacheOption())
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option('--json', 'print JSON only', false)
    .action(verifyCommand)
    .addHelpText('after', examples('gembench verify results/published/quickstart'))

async function verifyCommand(name: string, { json, ...settings }: VerifyFlags): Promise<void> {
  const { folder, ok: allOk, checks } = await verify(name, { ...settings, signal: interruptible() })
  if (!allOk) process.exitCode = exitCodes.incomplete
  if (json) printJson({ folder, checks })
  else
    for (const { check, ok, message } of checks) {
      const outcome = words[String(ok)] ?? ''
      print(`${outcome}  ${plain(check)}: ${plain(message)}`)
    }
}

const words: Readonly<Record<string, string>> = {
  true: 'same   ',
  false: pc.red('differs'),
  null: 'unknown',
  undefined: 'none   ',
}
