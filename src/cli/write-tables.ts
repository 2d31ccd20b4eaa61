import { join } from 'node:path'
import { render, type Format } from '../report/formats.ts'
import { tableOf, type Table } from '../report/table.ts'
import { openResults, replaceFile } from '../run/index.ts'
import type { Manifest } from '../records.ts'

const files: Readonly<Record<Format, string>> = {
  md: 'table.md',
  csv: 'table.csv',
  latex: 'table.tex',
  json: 'table.json',
}

/** Makes the tables of a results folder from its lines and writes them into it, in every format. */
export async function writeTables(folder: string): Promise<{ readonly manifest: Manifest; readonly table: Table }> {
  const results = await openResults(folder, '')
  const { manifest } = results
  const table = await tableOf(manifest, results)
  for (const [format, file] of Object.entries(files) as [Format, string][]) {
    await replaceFile(join(folder, file), render(format, manifest, table))
  }
  return { manifest, table }
}
