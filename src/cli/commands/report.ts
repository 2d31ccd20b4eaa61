import { relative } from 'node:path'
import { plain } from '../../text/characters.ts'
import { plural } from '../../report/render/amounts.ts'
import { print } from '../terminal/print.ts'
import { writeReport } from '../write-report.ts'

export interface ReportFlags {
  readonly output: string
  readonly texts: boolean
  readonly force: boolean
  readonly results: string
}

/** `gembench report`: one page of one or several runs. */
export async function reportCommand(runs: readonly string[], { output, ...settings }: ReportFlags): Promise<void> {
  const [page, ...parts] = await writeReport([...new Set(runs)], output, settings)
  if (!page) return
  const kilobytes = (bytes: number): string => `${Math.ceil(bytes / 1000).toLocaleString('en-US')} kB`
  print(`wrote ${plain(relative(process.cwd(), page.file))}  ${kilobytes(page.size)}`)
  if (parts.length > 0)
    print(
      `and ${plural(parts.length, 'page')} of questions in ${plain(relative(process.cwd(), `${output.replace(/\.html?$/i, '')}.parts`))}  ${kilobytes(parts.reduce((sum, { size }) => sum + size, 0))}; keep the folder beside it`,
    )
}
