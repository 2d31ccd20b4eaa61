import { existsSync } from 'node:fs'
import { mkdir, rm, readdir } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { UserError } from '../errors.ts'
import { reportMark, beginningOf, mark } from '../basics/files.ts'
import { clash } from '../report/differences.ts'
import type { PageRun, GraphPage } from '../report/page/listed-questions.ts'
import { makeReport } from '../report/page/make-report.ts'
import { tableOf } from '../report/table/table.ts'
import { answerPrompt, replaceFile } from '../run/index.ts'
import { openRun } from './open-run.ts'
import { refuseForeignFile } from './refuse-foreign-file.ts'
import { rowName } from '../text/names.ts'
import type { Manifest } from '../records.ts'
import { shownInGraph } from '../report/page/listed-questions.ts'

/** How a report is written. `results`: the folder that holds the results folders; `force`: whatever stands there is overwritten. */
interface WriteReport {
  readonly results: string
  readonly texts: boolean
  readonly force?: boolean
}

/** A file that was written; `size` in bytes. */
interface WrittenFile {
  readonly file: string
  readonly size: number
}

/** Writes the report of some runs to a file, and what one page cannot hold into a folder beside it. Throws UserError where the runs share no page, or another file is there. */
export async function writeReport(
  names: readonly string[],
  file: string,
  { results, texts, force = false }: WriteReport,
): Promise<readonly WrittenFile[]> {
  if (!force) await refuseForeignFile(file, reportMark)
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
  if (!force) for (const one of files.slice(1)) if (existsSync(one.file)) await refuseForeignFile(one.file, reportMark)
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

/** The pages of `gembench graph` that stand in a results folder and show one of its rows, by name, with their addresses as seen from a page in the folder `from`. */
async function graphPages(
  folder: string,
  { methods }: Pick<Manifest, 'methods'>,
  from: string,
): Promise<readonly GraphPage[]> {
  const names = (await readdir(folder)).filter((name) => /\.html?$/i.test(name)).sort()
  const found: GraphPage[] = []
  for (const name of names) {
    const beginning = await beginningOf(join(folder, name), headBytes)
    const drawn = beginning.includes(mark) ? shownInGraph(beginning, methods.map(rowName)) : undefined
    if (drawn) found.push({ ...drawn, address: addressOf(relative(resolve(from), resolve(folder, name))) })
  }
  return found
}

/** The title stands behind the policy of a page. */
const headBytes = 4000

const addressOf = (path: string): string => path.split(sep).map(encodeURIComponent).join('/')
