import pc from 'picocolors'
import { powerOf, type PowerSettings } from '../../api/power.ts'
import { pairsGrid, plansGrid, plansTitle, powerTitle, powerNotes } from '../../report/power/words.ts'
import { printNotes } from '../open-run.ts'
import { print, printJson, type JsonFlag } from '../terminal/print.ts'
import { plain } from '../../text/characters.ts'
import { terminalGrid } from '../terminal/terminal-grid.ts'

export type PowerFlags = JsonFlag & PowerSettings

/** `gembench power`: the questions, repeats and judge runs that a difference needs, from a run's variance. */
export async function powerCommand(name: string, { json, ...settings }: PowerFlags): Promise<void> {
  const { found, warnings, synthetic } = await powerOf(name, settings, '--')
  printNotes(warnings)
  if (json) {
    printJson(found)
    return
  }
  print(
    `${pc.bold(plain(`${found.scorer}.${found.metric}`))}  ${pc.dim(plain([powerTitle(found), ...synthetic].join('; ')))}`,
  )
  if (found.pairs.some(({ reason }) => reason === null)) print(`\n${terminalGrid(pairsGrid(found))}`)
  if (found.plans.length > 0) print(`\n${plain(plansTitle(found))}\n\n${terminalGrid(plansGrid(found))}`)
  print('')
  for (const note of powerNotes(found)) print(pc.dim(plain(note)))
}
