import { spawnSync } from 'node:child_process'

/** What a script prints; undefined where there is no such interpreter, or it lacks the `module`. Throws Error with what any other failure says. */
export function pythonOutput(python: string, given: readonly string[], module: string): string | undefined {
  const { error, status, signal, stdout, stderr } = spawnSync(python, given, { encoding: 'utf8' })
  if (error && 'code' in error && error.code === 'ENOENT') return undefined
  if (error) throw error
  if (status === 0) return stdout
  if (new RegExp(`^ModuleNotFoundError: No module named '${module}'$`, 'm').test(stderr)) return undefined
  throw new Error(`${python} ${given.join(' ')}: ended with ${status ?? signal ?? 'no status'}\n${stderr.trim()}`)
}
