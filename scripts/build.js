// Builds dist, where something that it is made of has changed since the last time: the compiler alone would take half a second to find that out.
import { spawnSync } from 'node:child_process'
import { readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const built = join(root, 'dist', '.built')
const madeOf = [
  'src',
  'scripts/build.js',
  'scripts/bundle.js',
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
]

if (madeOf.some((name) => isNewer(join(root, name), timeOf(built)))) {
  const begun = new Date()
  const compiler = compilerIn(root)
  for (const step of [[compiler, '--build', 'tsconfig.build.json'], ['scripts/bundle.js']]) {
    const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: 'inherit' })
    if (status !== 0) process.exit(status ?? 1)
  }
  writeFileSync(built, '')
  // what changes while it is built is built the next time
  utimesSync(built, begun, begun)
}

/** Without the development dependencies there is none, and what is in dist is of other sources. */
function compilerIn(folder) {
  try {
    return createRequire(folder).resolve('typescript/bin/tsc')
  } catch {
    process.stderr.write('the sources have changed, and there is no compiler: npm install --include=dev\n')
    process.exit(1)
  }
}

/** Whether a file, or anything in a folder, was changed after that time. A folder changes when something in it is added, renamed or removed. */
function isNewer(path, time) {
  const stats = statSync(path)
  if (stats.mtimeMs >= time) return true
  return stats.isDirectory() && readdirSync(path).some((name) => isNewer(join(path, name), time))
}

/** When a file was last changed, in milliseconds; before everything where there is none. */
function timeOf(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity
}
