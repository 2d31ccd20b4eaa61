import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from '../basics/package-folder.ts'
import { UserError } from '../errors.ts'

/** The code and the style of a page, as `npm run build` bundles them from its `client/`. Throws UserError where that has not been done. */
export function clientFiles(page: 'graph' | 'report'): { readonly code: string; readonly style: string } {
  return { code: read(`${page}/main.js`), style: read(`${page}/style.css`) }
}

function read(name: string): string {
  const file = join(packageFolder, 'dist', 'client', name)
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UserError(`${file}: is missing; run npm run build`, { cause: error })
  }
}
