import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { UserError } from '../errors.ts'

/** The code and the style of a page, as `npm run build` bundles them from its `client/`. Throws UserError where that has not been done. */
export function clientFiles(page: 'graph' | 'report'): { readonly code: string; readonly style: string } {
  return { code: read(`${page}/main.js`), style: read(`${page}/style.css`) }
}

/** The same place seen from the sources and from what is built of them. */
function read(name: string): string {
  const file = fileURLToPath(new URL(`../../dist/client/${name}`, import.meta.url))
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new UserError(`${file}: is missing; run npm run build`, { cause: error })
  }
}
