import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The command line as it is built; `npm test` builds it first. */
export const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

/** How a process ended, and what it said. */
export interface CliEnded {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs the command line in a folder, with a cache there and with no variables of the environment but these. */
export const gembenchWith =
  (environment: Readonly<Record<string, string>>) =>
  (cwd: string, ...args: readonly string[]): Promise<CliEnded> =>
    new Promise((resolve) => {
      const env = { PATH: process.env['PATH'], GEMBENCH_CACHE: join(cwd, 'cache'), NO_COLOR: '1', ...environment }
      // what hangs does not outlive its test for long
      execFile(process.execPath, [cli, ...args], { cwd, env, timeout: 110_000 }, (error, out, err) => {
        resolve({ code: error ? Number(error.code) : 0, out, err })
      })
    })

export const gembench = gembenchWith({})
