import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { beginningOf, mark as graphMark, reportMark } from '../../basics/files.ts'
import { rowName } from '../../text/names.ts'
import { shownInGraph, type GraphPage, type PageRun } from './listed-questions.ts'

/** Parts of a report of that name that had more of them. */
export async function removeOlderParts(file: string, next: number): Promise<void> {
  const folder = file.replace(/\.html?$/i, '') + '.parts'
  for (let part = Math.max(1, next); ; part++) {
    const older = join(folder, `${part}.html`)
    if (!existsSync(older) || !(await beginningOf(older)).includes(reportMark)) return
    await rm(older)
  }
}

/** The graph pages in a results folder that show one of its rows; addresses are as seen from `from`. */
export async function graphPages(
  { folder, manifest: { methods } }: Pick<PageRun, 'folder' | 'manifest'>,
  from: string,
): Promise<readonly GraphPage[]> {
  const names = (await readdir(folder)).filter((name) => /\.html?$/i.test(name)).sort()
  const found: GraphPage[] = []
  for (const name of names) {
    const beginning = await beginningOf(join(folder, name), headBytes)
    const drawn = beginning.includes(graphMark) ? shownInGraph(beginning, methods.map(rowName)) : undefined
    if (drawn) found.push({ ...drawn, address: addressOf(relative(resolve(from), resolve(folder, name))) })
  }
  return found
}

/** The title stands behind the policy of a page. */
const headBytes = 4000

const addressOf = (path: string): string => path.split(sep).map(encodeURIComponent).join('/')
