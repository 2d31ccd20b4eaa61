import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of this package, with its package.json, configs and sample data: the code may lie in any folder of it. */
export const packageFolder = above(import.meta.dirname)

/** The folder that the running code was loaded from: `src`, or what is built of it. */
export const codeFolder = join(packageFolder, import.meta.filename.endsWith('.ts') ? 'src' : 'dist')

function above(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : above(dirname(folder))
}
