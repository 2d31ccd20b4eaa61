import pc from 'picocolors'
import { UserError } from '../../errors.ts'
import { runPower } from '../../report/power/run-power.ts'
import { powerNotes, pairsGrid, plansGrid, plansTitle, powerTitle } from '../../report/power/words.ts'
import { syntheticNotes, syntheticOf } from '../../report/synthetic.ts'
import { openRun } from '../open-run.ts'
import { rowNamed } from '../../text/names-in-tables.ts'
import { comparedAs } from '../compare-flags.ts'
import { print, printJson, printNotice, type JsonFlag } from '../terminal/print.ts'
import { plain } from '../../text/plain.ts'
import { terminalGrid } from '../terminal/terminal-grid.ts'

export interface PowerFlags extends JsonFlag {
  readonly difference: number
  readonly rows?: readonly string[]
  readonly metric?: string
  readonly power: number
  readonly alpha: number
  readonly results: string
}

/** `gembench power`: the questions, repeats and judge runs that a difference needs, from the variance of a run that there is. */
export async function powerCommand(name: string, flags: PowerFlags): Promise<void> {
  const { difference, power, alpha, metric, rows } = flags
  const results = await openRun(name, flags.results)
  const manifest = comparedAs(results.manifest, {
    ...(metric !== undefined && { metric }),
    ...(rows && { baseline: false }),
  })
  const named =
    rows &&
    [...new Set(rows)].map((row) => {
      const found = rowNamed(row, manifest.methods)
      if (typeof found === 'string') throw new UserError(`--rows: ${found}`)
      return found
    })
  const found = await runPower(manifest, results, { difference, power, alpha }, named)
  if (manifest.finished === null)
    printNotice('note: this run is not complete; its questions may be no fair part of all')
  if (flags.json) {
    printJson({ ...found, ...syntheticOf(manifest) })
    return
  }
  print(
    `${pc.bold(plain(`${found.scorer}.${found.metric}`))}  ${pc.dim(plain([powerTitle(found), ...syntheticNotes(manifest)].join('; ')))}`,
  )
  if (found.plans.length > 0) {
    print(`\n${terminalGrid(pairsGrid(found))}\n`)
    print(`${plain(plansTitle(found))}\n\n${terminalGrid(plansGrid(found))}`)
  }
  print('')
  for (const note of powerNotes(found)) print(pc.dim(plain(note)))
}
