import { readdir } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { beginningOf, mark as graphMark } from '../../basics/files.ts'
import { rowName } from '../../text/names.ts'
import type { PageRun } from './questions.ts'

/** The graph pages of a results folder, with addresses relative to `from`. */
export async function graphPages(
  { folder, manifest: { methods } }: Pick<PageRun, 'folder' | 'manifest'>,
  from: string,
): Promise<PageRun['graphs']> {
  // one row name may be a suffix of another
  const rows = methods.map(rowName).sort((a, b) => b.length - a.length)
  const pages: PageRun['graphs'][number][] = []
  const files = await readdir(folder)
  for (const name of files.filter((file) => /\.html?$/i.test(file)).sort()) {
    // the title follows the page's content policy
    const beginning = await beginningOf(join(folder, name), 4000)
    const title = beginning.includes(graphMark) ? titleOf(beginning) : ''
    const row = rows.find((candidate) => title.endsWith(`: ${candidate}`))
    if (row === undefined) continue
    const path = relative(resolve(from), resolve(folder, name))
    const address = path.split(sep).map(encodeURIComponent).join('/')
    pages.push({ row, corpus: title.slice(0, -`: ${row}`.length), address })
  }
  return pages
}

/** `CORPUS: ROW` */
const titleOf = (page: string) =>
  (/<title>([^<]*)<\/title>/.exec(page)?.[1] ?? '').replace(/&#(\d+);/g, (_mark, code: string) =>
    String.fromCharCode(Number(code)),
  )
