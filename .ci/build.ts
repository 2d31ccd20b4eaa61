import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Before the tests: the command line is tested as it is shipped. Sources that do not compile fail. */
export function setup(): void {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const { status, stdout, stderr } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`the sources do not compile:\n${stdout}${stderr}`)
}
