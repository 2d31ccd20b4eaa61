import { fail } from '../../src/cli/main.ts'
import { captureStream } from '../../src/test-support/cli.ts'
import type { Verdict } from './kind.ts'
import { fuzzKey } from './mutate.ts'

/** The output of a command on both streams, and its exit code. */
export interface CommandOutput {
  readonly code: number
  readonly text: string
  /** The standard output alone. */
  readonly out: string
}

/** Runs a command as `cli.ts` does, and captures its output. Commands must not run at the same time. */
export async function capture(command: () => Promise<unknown>): Promise<CommandOutput> {
  const [out, err] = [captureStream(process.stdout), captureStream(process.stderr)]
  process.exitCode = undefined
  try {
    await command()
  } catch (error) {
    process.exitCode = fail(error)
  } finally {
    out.restore()
    err.restore()
    for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal)
  }
  const code = process.exitCode ?? 0
  process.exitCode = undefined
  return { code, text: out.text() + err.text(), out: out.text() }
}

/** A fault in the output of any command: an unexpected error, a stack trace, a key. */
export function faultIn({ code, text }: Pick<CommandOutput, 'code' | 'text'>): string | undefined {
  if (code === 1 || /^\s+at .*:\d+:\d+\)?$/m.test(text)) return `exit code ${code}: ${text.slice(0, 1000)}`
  if (text.includes(fuzzKey)) return `the key is in the output: ${text.slice(0, 300)}`
  return undefined
}

/** Checks that a refusal is one line that names the place. Undefined where the exit code is 0. */
export function checkRefusal(output: CommandOutput, place: string): Verdict | undefined {
  const fault = faultIn(output)
  if (fault !== undefined) return { fault }
  if (output.code === 0) return undefined
  return output.text.trimEnd().includes('\n') || !output.text.includes(place)
    ? { fault: `not one line that names ${place}: ${output.text.slice(0, 500)}` }
    : { outcome: 'refused' }
}
