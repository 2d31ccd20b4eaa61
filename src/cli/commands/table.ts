import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pc from 'picocolors'
import { makeNamedFolder } from '../../basics/files.ts'
import { scrub } from '../../basics/secrets.ts'
import { openTables } from '../../api/table.ts'
import { UserError } from '../../errors.ts'
import { incompleteNote } from '../../report/render/notes.ts'
import { renderRuns, type Format, type RenderedRun } from '../../report/render/formats.ts'
import { parquetFiles, replaceFile, trecFiles } from '../../run/index.ts'
import { openRun, printNotes } from '../open-run.ts'
import type { CompareSettings } from '../../report/compare/rows-to-compare.ts'
import { plain } from '../../text/characters.ts'
import { print, printJson } from '../terminal/print.ts'
import { printAcross, printTable, type ShownTable } from '../terminal/print-table.ts'

export interface TableFlags extends CompareSettings {
  /** The terminal's, or Markdown where standard output is none. */
  readonly format?: Format | 'markdown' | FileFormat
  readonly columns?: readonly string[]
  readonly output?: string
  readonly results: string
  readonly labels?: string
  readonly notes?: boolean
  readonly pairs?: boolean
}

/** `gembench table`: the tables of runs, one after the other; other questions of one dataset are refused. */
export async function tableCommand(
  names: readonly string[],
  { format: named, columns, output, results, labels, notes = false, pairs = false, ...flags }: TableFlags,
): Promise<void> {
  if (named === 'trec' || named === 'parquet') {
    await writeFiles(names, named, { columns, labels, results, output })
    return
  }
  if (output !== undefined) throw new UserError('--output: only trec and parquet are files in a folder; use > FILE')
  const isForPerson = named === undefined && process.stdout.isTTY
  const format = named === undefined || named === 'markdown' ? 'md' : named
  if (columns && (format === 'json' || format === 'usage-csv'))
    throw new UserError(`--columns: ${format} holds everything; use md, csv or latex`)
  if (labels !== undefined && (names.length > 1 || format === 'usage-csv'))
    throw new UserError(
      '--labels: labels are of the scores of one run; name one run, and a format other than usage-csv',
    )
  const tables = await openTables(names, { ...flags, results, ...(labels !== undefined && { labels }) }, '--')
  for (const { warnings } of tables.runs) printNotes(warnings)
  printNotes(tables.notes)
  const opened = tables.runs.map(({ name, result: { manifest, table } }) => ({
    ...(names.length > 1 && { run: name }),
    manifest,
    table,
  }))
  // the other formats have it among their notes
  if (format !== 'md' && format !== 'latex')
    for (const { name, result } of tables.runs)
      printNotes(incompleteNote(result.manifest, result.table).map((note) => `${name}: ${note}`))
  if (isForPerson) printForPerson(opened, { columns, allNotes: notes, pairs })
  else if (format === 'json' && opened.length > 1) printJson(opened.map(({ table }) => table))
  else print(renderRuns(format, opened, { ...(columns && { columns }), mainNotes: !notes, pairs }).trimEnd())
}

function printForPerson(runs: readonly RenderedRun[], shown: ShownTable): void {
  runs.forEach((run, index) => {
    if (index > 0) print('')
    if (run.run !== undefined) print(`${pc.bold(plain(run.run))}\n`)
    printTable(run, shown)
  })
  printAcross(runs)
}

type FileFormat = 'trec' | 'parquet'

interface FileFlags {
  readonly results: string
  readonly columns: readonly string[] | undefined
  readonly labels: string | undefined
  readonly output: string | undefined
}

async function writeFiles(
  names: readonly string[],
  format: FileFormat,
  { columns, labels, results, output }: FileFlags,
): Promise<void> {
  const [name, ...others] = names
  if (name === undefined || others.length > 0) throw new UserError(`--format ${format}: name one run`)
  if (output === undefined) throw new UserError(`--format ${format}: name a folder for its files with --output FOLDER`)
  if (columns || labels !== undefined) throw new UserError(`--format ${format}: takes no --columns and no --labels`)
  const opened = await openRun(name, results)
  const { manifest } = opened
  const files = format === 'trec' ? await trecFiles(manifest, opened) : await parquetFiles(manifest, opened)
  for (const one of files) await refuseOther(join(output, one.name), one.content)
  makeNamedFolder(output, 'name another folder with --output')
  for (const { name: file, content } of files) await replaceFile(join(output, file), content)
  print(`wrote ${files.map(({ name: file }) => file).join(', ')} to ${output}`)
}

/** Throws UserError where another file stands: these formats do not say who wrote them. */
async function refuseOther(file: string, content: string | Uint8Array): Promise<void> {
  const there = await lstat(file).catch(() => undefined)
  if (!there) return
  const bytes = Buffer.from(typeof content === 'string' ? scrub(content) : content)
  if (there.isFile() && bytes.equals(await readFile(file))) return
  throw new UserError(`${file}: is there already and not overwritten; remove it, or name another folder with --output`)
}
