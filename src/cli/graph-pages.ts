import { readdir } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { beginningOf, mark } from '../basics/gembench-files.ts'
import { rowName } from '../basics/row-name.ts'
import type { Manifest } from '../records.ts'
import { drawnIn, type GraphPage } from '../report/page/listed-questions.ts'

/** The pages of `gembench graph` that stand in a results folder and show one of its rows, by name, with their addresses as seen from a page in the folder `from`. */
export async function graphPages(
  folder: string,
  { methods }: Pick<Manifest, 'methods'>,
  from: string,
): Promise<readonly GraphPage[]> {
  const names = (await readdir(folder)).filter((name) => /\.html?$/i.test(name)).sort()
  const found: GraphPage[] = []
  for (const name of names) {
    const beginning = await beginningOf(join(folder, name), headBytes)
    const drawn = beginning.includes(mark) ? drawnIn(beginning, methods.map(rowName)) : undefined
    if (drawn) found.push({ ...drawn, address: addressOf(relative(resolve(from), resolve(folder, name))) })
  }
  return found
}

/** The title stands behind the policy of a page. */
const headBytes = 4000

const addressOf = (path: string): string => path.split(sep).map(encodeURIComponent).join('/')
