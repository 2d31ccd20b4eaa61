import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { cli } from './cli.ts'

/** A worker: `gembench work` in a process of its own. */
export interface TestWorker {
  /** What it has said. */
  output(): string
  /** Resolves once it has said that. */
  waitFor(words: string): Promise<void>
  /** Ends it and all that it has started, and gives the exit code; null where the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/**
 * Starts `gembench work` in a folder, with a cache of that name there and no variables of the environment but these.
 */
export function startWorker(
  cwd: string,
  name: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): TestWorker {
  const variables = { GEMBENCH_CACHE: join(cwd, name), XDG_CONFIG_HOME: `${cwd}-config` }
  const env = { PATH: process.env['PATH'], ...variables, NO_COLOR: '1', ...environment }
  const child = spawn(process.execPath, [cli, 'work', ...args], { cwd, env, detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += String(text)))
  const exit = new Promise<number | null>((resolve) => child.on('exit', resolve))
  return {
    output: () => output,
    async waitFor(words) {
      while (!output.includes(words)) {
        if (child.exitCode !== null) throw new Error(`the worker has ended: ${output}`)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    end(signal) {
      // a group: a killed process cannot end those that it has started
      if (child.exitCode === null && child.signalCode === null)
        process.kill(signal === 'SIGKILL' ? -(child.pid ?? 0) : (child.pid ?? 0), signal)
      return exit
    },
  }
}
