import { render, type Format } from '../report/formats.ts'
import { differences } from '../report/differences.ts'
import { tableOf } from '../report/table.ts'
import { openResults } from '../run/index.ts'
import { complain, print, printJson } from './print.ts'

export interface TableFlags {
  readonly format: Format
  readonly results: string
}

/** `gembench table`: the tables of one or several runs, one after the other; what makes them incomparable is said. */
export async function tableCommand(names: readonly string[], { format, results }: TableFlags): Promise<void> {
  const opened = []
  for (const name of names) {
    const found = await openResults(name, results)
    opened.push({ manifest: found.manifest, table: await tableOf(found.manifest, found) })
  }
  for (const difference of differences(opened.map(({ manifest }) => manifest))) complain(`note: ${difference}`)
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
  format === 'csv' ? (index === 0 ? text : text.slice(text.indexOf('\n') + 1)).trimEnd() : text
