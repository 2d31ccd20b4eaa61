import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { main } from '../cli/main.ts'

/** The command line as it is built; `npm test` builds it first. */
export const cli = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

/** How a command ended, and what it printed. */
export interface CliEnded {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** Runs a command line in a folder. */
export type Gembench = (cwd: string, ...args: readonly string[]) => Promise<CliEnded>

type Variables = Readonly<Record<string, string>>

const environmentIn = (cwd: string, variables: Variables) => ({
  PATH: process.env['PATH'],
  GEMBENCH_CACHE: join(cwd, 'cache'),
  XDG_CONFIG_HOME: `${cwd}-config`,
  NO_COLOR: '1',
  ...variables,
})

/**
 * Runs commands in this process, one after another, with a cache in their folder and with no variables of the
 * environment but these.
 */
export const gembenchWith =
  (variables: Variables): Gembench =>
  (cwd, ...args) => {
    const result = before.then(() => inThisProcess(cwd, args, variables))
    before = result.catch(() => undefined)
    return result
  }

/** Expects that a command ended for a mistake of its user: exit code 2, nothing printed, this message, no stack. */
export async function expectRefusal(ended: Promise<CliEnded>, message: string): Promise<void> {
  const { code, out, err } = await ended
  expect([code, out, err]).toEqual([2, '', expect.stringContaining(message)])
  expect(err).not.toContain('    at ')
}

let before: Promise<unknown> = Promise.resolve()

export const gembench = gembenchWith({})

/** Runs `tiny.yaml` and gives the folder of its results. Throws for another exit code than 0. */
export async function resultsOf(cwd: string, ...flags: readonly string[]): Promise<string> {
  const { code, out, err } = await gembench(cwd, 'run', '-c', 'tiny.yaml', '--json', ...flags)
  if (code !== 0) throw new Error(`exit code ${code}\n${err}`)
  return (JSON.parse(out) as { readonly folder: string }).folder
}

async function inThisProcess(cwd: string, args: readonly string[], variables: Variables): Promise<CliEnded> {
  const [home, environment] = [process.cwd(), process.env]
  const [out, err] = [captureStream(process.stdout), captureStream(process.stderr)]
  try {
    process.env = environmentIn(cwd, variables)
    process.chdir(cwd)
    return { code: await main(args, '0.0.0'), out: out.text(), err: err.text() }
  } finally {
    process.chdir(home)
    process.env = environment
    process.exitCode = undefined
    out.restore()
    err.restore()
  }
}

/** Keeps what is written to a stream from it, until it is restored. */
export function captureStream(stream: NodeJS.WriteStream): {
  readonly text: () => string
  readonly restore: () => unknown
} {
  const { write } = stream
  let text = ''
  stream.write = (part: string | Uint8Array): boolean => {
    text += typeof part === 'string' ? part : Buffer.from(part).toString()
    return true
  }
  return { text: () => text, restore: () => (stream.write = write) }
}

/**
 * Runs the built command line in a process of its own: for exit codes, signals, and workers, which need the same code.
 */
export const gembenchProcessWith =
  (variables: Variables): Gembench =>
  (cwd, ...args) =>
    new Promise((resolve) => {
      const settings = { cwd, env: environmentIn(cwd, variables), maxBuffer: 1e9 }
      execFile(process.execPath, [cli, ...args], settings, (error, out, err) => {
        resolve({ code: error ? Number(error.code) : 0, out, err })
      })
    })

export const gembenchProcess = gembenchProcessWith({})
