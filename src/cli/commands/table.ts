import { Option, type Command } from 'commander'
import { commaList, examples, fraction } from '../flags.ts'
import { join } from 'node:path'
import { itemAt } from '../../basics/collections.ts'
import { makeNamedFolder, readRegular } from '../../basics/files.ts'
import { scrub, UserError } from '../../errors.ts'
import { readTables } from '../../library/table.ts'
import { incompleteNote } from '../../report/render/notes.ts'
import { renderRuns, type Format } from '../../report/render/formats.ts'
import { replaceFile, trecFiles } from '../../run/index.ts'
import { openRun, printNote } from '../open-run.ts'
import type { CompareSettings } from '../../report/compare/rows-to-compare.ts'
import { plain } from '../../text/characters.ts'
import { print, printJson } from '../terminal/print.ts'
import { printTables } from '../terminal/print-table.ts'

export interface TableFlags extends CompareSettings {
  readonly format?: Format | 'markdown' | 'trec'
  readonly columns?: readonly string[]
  readonly output?: string
  readonly results: string
  readonly labels?: string
  readonly full?: boolean
  readonly pairs?: boolean
}

export const setUp = (command: Command): Command =>
  command
    .argument('<runs...>', 'results folders, or their names')
    .addOption(
      new Option(
        '--format <format>',
        'default: a table for the terminal, else md. csv: scores; usage-csv: calls and tokens; latex: the compared metric; trec: files, see --output',
      ).choices(['md', 'markdown', 'csv', 'usage-csv', 'json', 'latex', 'trec']),
    )
    .option(
      '--columns <columns>',
      'only these columns, by title, metric or scorer.metric, separated by commas; all: every one; graph: counts of the graphs (md, latex)',
      commaList,
    )
    .option('-o, --output <folder>', 'folder for the files of trec; no other file there is overwritten')
    .option('--full', 'print all columns, notes and costs, not only the short table (terminal, md)', false)
    .option('--pairs', 'print every pair of rows with its difference, intervals and p, too (terminal, md)', false)
    .option(
      '--labels <file>',
      'CSV file of "judge sample" with verdicts, which correct the means, letters and p of the judge (PPI++)',
    )
    .option('--results <folder>', 'folder that holds the results folders', 'results')
    .option(
      '--baseline <row>',
      'compare every row with this one (default: as the config says, else all pairs; of rows of `vary` the first)',
    )
    .option('--no-baseline', 'compare all pairs of rows')
    .option('--metric <metric>', 'compare rows on this metric, by its name, its title or scorer.metric')
    .option(
      '--margin <fraction>',
      'also test which rows are the same within this difference, .03 for 3 points',
      fraction,
    )
    .action(tableCommand)
    .addHelpText(
      'after',
      examples(
        'gembench table quickstart-1a2b3c4d --format latex',
        'gembench table base-1a2b3c4d new-5e6f7a8b',
        'gembench table quickstart-1a2b3c4d --format trec -o trec',
      ),
    )

export async function tableCommand(names: readonly string[], flags: TableFlags): Promise<void> {
  const { format: formatName, columns, output, results, labels, full = false, pairs = false, ...compare } = flags
  if (formatName === 'trec') return writeTrec(names, flags)
  if (output !== undefined) throw new UserError('--output: only trec writes a folder; for other formats use > FILE')
  // corrected columns are of the scorer that the labels are of, not of the compared one
  const isFull = full || labels !== undefined
  const isForPerson = formatName === undefined && process.stdout.isTTY
  const format = formatName === undefined || formatName === 'markdown' ? 'md' : formatName
  if (columns && ['json', 'csv', 'usage-csv'].includes(format))
    throw new UserError(`--columns: ${format} holds everything; use md or latex`)
  if (labels !== undefined && (names.length > 1 || format === 'usage-csv'))
    throw new UserError('--labels: name one run, and a format other than usage-csv')
  const settings = { ...compare, results, warn: printNote, ...(labels !== undefined && { labels }) }
  const { runs: all, notes } = await readTables(names, settings)
  notes.forEach(printNote)
  const runs = all.map(({ manifest, table }, index) => {
    return { manifest, table, ...(names.length > 1 && { run: itemAt(names, index) }) }
  })
  // Markdown and the terminal begin with it; LaTeX has it among its notes
  for (const [index, run] of runs.entries())
    for (const note of incompleteNote(run.manifest, run.table)) {
      if (format === 'md') print(plain(`${run.run === undefined ? '' : `${run.run}: `}${note}\n`))
      else if (format !== 'latex') printNote(`${itemAt(names, index)}: ${note}`)
    }
  const isShort = formatName === undefined && !isFull && !columns
  const parts = { columns, isShort, pairs }
  if (isForPerson) printTables(runs, parts)
  else if (format === 'json' && runs.length > 1) printJson(runs.map((run) => run.table))
  else print(renderRuns(format, runs, parts).trimEnd())
}

async function writeTrec(names: readonly string[], { columns, labels, results, output }: TableFlags): Promise<void> {
  const [name, ...rest] = names
  if (name === undefined || rest.length > 0) throw new UserError('--format trec: name one run')
  if (output === undefined) throw new UserError('--format trec: name a folder for its files with --output FOLDER')
  if (columns || labels !== undefined) throw new UserError('--format trec: takes no --columns and no --labels')
  const run = await openRun(name, results)
  const files = await trecFiles(run.manifest, run)
  makeNamedFolder(output, 'name another folder with --output')
  for (const { name: file, content } of files) {
    const path = join(output, file)
    const text = await readRegular(path)
    if (text !== undefined && text !== scrub(content))
      throw new UserError(`${path}: exists and is not overwritten; remove it, or name another folder with --output`)
  }
  for (const { name: file, content } of files) await replaceFile(join(output, file), content)
  print(`wrote ${files.map((file) => file.name).join(', ')} to ${output}`)
}
