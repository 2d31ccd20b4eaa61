// Builds dist after `npm ci` or `npm install`; without the development dependencies there is no compiler, and dist stays as it is.
import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'

if (hasCompiler()) process.exitCode = spawnSync('npm run build', { shell: true, stdio: 'inherit' }).status ?? 1
else
  process.stderr.write(
    'not built, as the compiler is a development dependency: build first, then npm prune --omit=dev\n',
  )

function hasCompiler() {
  try {
    return createRequire(import.meta.url).resolve('typescript') !== ''
  } catch {
    return false
  }
}
