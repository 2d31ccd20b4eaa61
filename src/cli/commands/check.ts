import { Option, type Command } from 'commander'
import { collect, examples } from '../flags.ts'
import { checkFile, checkProgram } from '../../testing/check-file.ts'
import { exitCodes } from '../ending.ts'
import { optionValues } from '../plan.ts'
import { checkDataset } from './data.ts'
import { print, printJson, type JsonFlag } from '../terminal/print.ts'
import { plural } from '../../text/amounts.ts'
import { plain } from '../../text/characters.ts'

interface CheckFlags extends JsonFlag {
  readonly use?: string
  readonly path?: string
  readonly set: readonly string[]
}

export const setUp = (command: Command): Command =>
  command
    .argument('<path>', '.ts, .js or .mjs file that exports the plug-in; with --use, the program, or the dataset')
    .option(
      '--use <name>',
      'command: <path> is a program; else the dataset that it is read as, or a .ts, .js or .mjs file that exports one',
    )
    .addOption(new Option('--path <path>', 'file or folder that the dataset of a plug-in file reads').conflicts('use'))
    .option('--set <option=value>', 'set an option of the plug-in or dataset (repeatable)', collect, [])
    .option('--json', 'print JSON only', false)
    .action(checkCommand)
    .addHelpText(
      'after',
      examples('gembench check ./mine.ts', 'gembench check ./notes --use files --set questions=questions.csv'),
    )

async function checkCommand(file: string, { use, path, set, json }: CheckFlags): Promise<void> {
  if (use !== undefined && use !== 'command') {
    return checkDataset(file, { use, set, json })
  }
  const options = optionValues(set)
  const plugIns = await (use === undefined
    ? checkFile(file, { options, ...(path !== undefined && { path }) })
    : checkProgram(file, options))
  const findings = plugIns.flatMap((plugIn) => plugIn.findings)
  const holds = findings.length === 0
  process.exitCode = holds ? exitCodes.done : exitCodes.usage
  if (json) {
    printJson({ file, holds, plugIns })
    return
  }
  for (const finding of findings) print(plain(`${file}: ${finding}`))
  const names = plugIns.map(({ kind, name }) => `${kind} "${name}"`).join(', ')
  const result = holds ? 'all checks passed' : plural(findings.length, 'finding')
  print(plain(`${file}: ${names}: ${result}`))
}
