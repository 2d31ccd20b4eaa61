import { UserError } from '../errors.ts'
import { render, type Format } from '../report/formats.ts'
import { clash, differences } from '../report/differences.ts'
import { tableOf } from '../report/table.ts'
import { openResults } from '../run/index.ts'
import { complain, print, printJson } from './print.ts'

export interface TableFlags {
  readonly format: Format
  readonly results: string
}

/** `gembench table`: the tables of one or several runs, one after the other; what differs is said, and other questions of one dataset are refused. */
export async function tableCommand(names: readonly string[], { format, results }: TableFlags): Promise<void> {
  const found = []
  for (const name of names) found.push({ ...(await openResults(name, results)), name })
  const refusal = clash(found)
  if (refusal !== undefined) throw new UserError(refusal)
  for (const difference of differences(found.map(({ manifest }) => manifest))) complain(`note: ${difference}`)
  const opened = []
  for (const one of found) opened.push({ manifest: one.manifest, table: await tableOf(one.manifest, one) })
  if (format === 'json' && opened.length > 1) printJson(opened.map(({ table }) => table))
  else
    print(
      opened
        .map(({ manifest, table }, index) => withoutSecondHead(render(format, manifest, table), format, index))
        .join('\n')
        .trimEnd(),
    )
}

/** Several runs make one CSV file. */
const withoutSecondHead = (text: string, format: Format, index: number): string =>
  format.endsWith('csv') ? (index === 0 ? text : text.slice(text.indexOf('\n') + 1)).trimEnd() : text
