import { Option, type Command } from 'commander'
import { examples } from '../flags.ts'
import { once } from 'node:events'
import { dirname, relative } from 'node:path'
import { report, type ReportSettings } from '../../library/report.ts'
import { plural } from '../../text/amounts.ts'
import { plain } from '../../text/characters.ts'
import { serveReport } from '../../library/serve-report.ts'
import { printNote } from '../open-run.ts'
import { print } from '../terminal/print.ts'

export const setUp = (command: Command): Command =>
  command
    .argument('<runs...>', 'results folders, or their names')
    .option('-o, --output <file>', 'file to write', 'report.html')
    .option('--no-texts', 'leave out texts of datasets and models: questions, passages, answers, prompts and reasons')
    .addOption(
      new Option(
        '--watch',
        'serve the page on this computer until Ctrl-C, and refresh it while the run goes on; writes no file',
      )
        .default(false)
        .conflicts('figures'),
    )
    .option('--figures <folder>', 'also write the figures of the page as SVG files into this folder')
    .option('--force', 'overwrite a file that this command did not make, and figures', false)
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .action(reportCommand)
    .addHelpText(
      'after',
      examples(
        'gembench report quickstart-1a2b3c4d',
        'gembench report base-1a2b3c4d new-5e6f7a8b -o compared.html --no-texts',
        'gembench report quickstart-1a2b3c4d --watch',
      ),
    )

async function reportCommand(
  runs: readonly string[],
  { watch, ...flags }: ReportSettings & { readonly watch: boolean },
): Promise<void> {
  if (watch) return watchReport([...new Set(runs)], flags)
  const { file, size, figures } = await report([...new Set(runs)], { ...flags, warn: printNote })
  print(`wrote ${displayPath(file)}  ${Math.ceil(size / 1000).toLocaleString('en-US')} kB`)
  const [figure] = figures
  if (figure) {
    const folder = displayPath(dirname(figure))
    print(`and ${plural(figures.length, 'figure')} as SVG in ${folder}`)
  }
}

/** Serves the page until Ctrl-C. */
async function watchReport(runs: readonly string[], settings: ReportSettings) {
  const { server, address } = await serveReport(runs, settings)
  print(`Report: ${address}  (Ctrl-C ends it)`)
  await once(server, 'close')
}

const displayPath = (file: string) => plain(relative(process.cwd(), file))
