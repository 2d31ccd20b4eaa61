import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { UserError } from '../errors.ts'
import { reportMark, beginningOf } from '../basics/gembench-files.ts'
import { clash } from '../report/differences.ts'
import type { PageRun } from '../report/page/listed-questions.ts'
import { makeReport } from '../report/page/make-report.ts'
import { tableOf } from '../report/table/table.ts'
import { answerPrompt, replaceFile } from '../run/index.ts'
import { graphPages } from './graph-pages.ts'
import { openRun } from './open-run.ts'
import { refuseStrangers } from './refuse-strangers.ts'

/** How a report is written. `results`: the folder that holds the results folders; `force`: whatever stands there is overwritten. */
export interface WriteReport {
  readonly results: string
  readonly texts: boolean
  readonly force?: boolean
}

/** A file that was written; `size` in bytes. */
export interface WrittenFile {
  readonly file: string
  readonly size: number
}

/** Writes the report of some runs to a file, and what one page cannot hold into a folder beside it. Throws UserError where the runs share no page, or another file is there. */
export async function writeReport(
  names: readonly string[],
  file: string,
  { results, texts, force = false }: WriteReport,
): Promise<readonly WrittenFile[]> {
  if (!force) await refuseStrangers(file, reportMark)
  const runs: PageRun[] = []
  for (const name of names) {
    const opened = await openRun(name, results)
    const { folder, manifest } = opened
    runs.push({
      ...{ ...opened, name: basename(folder), table: await tableOf(manifest, opened) },
      graphs: await graphPages(folder, manifest, dirname(file)),
    })
  }
  const refusal = clash(runs)
  if (refusal !== undefined) throw new UserError(refusal)
  const files = (await makeReport(runs, { name: basename(file), texts, promptOf: answerPrompt })).map((one) => ({
    file: join(dirname(file), one.name),
    text: one.text,
  }))
  if (!force) for (const one of files.slice(1)) if (existsSync(one.file)) await refuseStrangers(one.file, reportMark)
  for (const one of files.slice(1)) await mkdir(dirname(one.file), { recursive: true })
  for (const one of files) await replaceFile(one.file, one.text)
  await removeOlderParts(file, files.length)
  return files.map((one) => ({ file: one.file, size: Buffer.byteLength(one.text) }))
}

/** Parts of a report of that name that had more of them. */
async function removeOlderParts(file: string, next: number): Promise<void> {
  const folder = file.replace(/\.html?$/i, '') + '.parts'
  for (let part = Math.max(1, next); ; part++) {
    const older = join(folder, `${part}.html`)
    if (!existsSync(older) || !(await beginningOf(older)).includes(reportMark)) return
    await rm(older)
  }
}
