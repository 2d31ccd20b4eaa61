import { dirname, relative } from 'node:path'
import { writeReport, type Report, type ReportSettings } from '../../api/report.ts'
import { plural } from '../../report/render/amounts.ts'
import { plain } from '../../text/characters.ts'
import { printNotes } from '../open-run.ts'
import { print } from '../terminal/print.ts'

/** `gembench report`: one page of one or several runs. */
export async function reportCommand(runs: readonly string[], flags: ReportSettings): Promise<void> {
  const { files, figures, notes } = await writeReport([...new Set(runs)], flags, '--')
  printNotes(notes)
  const [page, ...parts] = files
  const [part] = parts
  if (page) print(`wrote ${shown(page.file)}  ${kilobytes([page])}`)
  if (part)
    print(
      `and ${plural(parts.length, 'page')} of questions in ${shown(dirname(part.file))}  ${kilobytes(parts)}; keep the folder beside it`,
    )
  const [figure] = figures
  if (figure) print(`and ${plural(figures.length, 'figure')} as SVG in ${shown(dirname(figure))}`)
}

const shown = (file: string): string => plain(relative(process.cwd(), file))

const kilobytes = (files: Report['files']): string =>
  `${Math.ceil(files.reduce((sum, { size }) => sum + size, 0) / 1000).toLocaleString('en-US')} kB`
