import { checkFile, checkProgram, type CheckedPlugIn } from '../../testing/check-file.ts'
import { exitCodes } from '../ending.ts'
import { optionValues, refuseFlags } from '../plan.ts'
import { checkDataset } from './data.ts'
import { print, printJson, type JsonFlag } from '../terminal/print.ts'
import { plain } from '../../text/characters.ts'

export interface CheckFlags extends JsonFlag {
  readonly use?: string
  readonly path?: string
  readonly set: readonly string[]
}

/** `gembench check`: whether a plug-in or program keeps its promises; a line a fault, exit code 2. */
export async function checkCommand(file: string, { use, path, set, json }: CheckFlags): Promise<void> {
  if (use !== undefined && use !== 'command') {
    refuseFlags('--use', { '--path': path }, 'the dataset reads the path that is checked')
    return checkDataset(file, { use, set, json })
  }
  if (use !== undefined) refuseFlags('--use', { '--path': path }, 'a program reads no dataset')
  const options = optionValues(set)
  const checked = await (use === undefined
    ? checkFile(file, { options, ...(path !== undefined && { path }) })
    : checkProgram(file, options))
  const faults = checked.flatMap(({ checks }) => checks.flatMap(({ fault }) => fault ?? []))
  process.exitCode = faults.length > 0 ? exitCodes.usage : exitCodes.done
  if (json) {
    printJson({ file, holds: faults.length === 0, plugIns: checked })
    return
  }
  for (const fault of faults) print(plain(`${file}: ${fault}`))
  print(plain(summaryOf(file, checked, faults.length)))
}

function summaryOf(file: string, checked: readonly CheckedPlugIn[], faults: number): string {
  const names = checked.map(({ kind, name }) => `${kind} "${name}"`).join(', ')
  const total = checked.reduce((sum, { checks }) => sum + checks.length, 0)
  return faults === 0
    ? `${file}: ${names}: all ${total} checks hold`
    : `${file}: ${names}: ${faults} of ${total} checks failed`
}
