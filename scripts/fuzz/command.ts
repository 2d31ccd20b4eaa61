import { fail } from '../../src/cli/main.ts'
import { captureStream } from '../../src/test-support/cli.ts'
import type { Verdict } from './kind.ts'
import { fuzzKey } from './mutate.ts'

/** What a command said on both streams, and the exit code that its error means. */
export interface Said {
  readonly code: number
  readonly text: string
  /** What it printed on the standard output alone. */
  readonly out: string
}

/** Does what a command does, as `cli.ts` does it, and keeps what it prints. Commands must not run at the same time. */
export async function message(command: () => Promise<unknown>): Promise<Said> {
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

/** What is wrong with what a command said, whatever it was given: an error that it did not expect, a stack, a key. */
export function faultIn({ code, text }: Pick<Said, 'code' | 'text'>): string | undefined {
  if (code === 1 || /^\s+at .*:\d+:\d+\)?$/m.test(text)) return `exit code ${code}: ${text.slice(0, 1000)}`
  if (text.includes(fuzzKey)) return `the key is in the output: ${text.slice(0, 300)}`
  return undefined
}

/** What comes of a refusal, which is one line that names the place; undefined where a command refused nothing. */
export function refusal(item: Said, place: string): Verdict | undefined {
  const fault = faultIn(item)
  if (fault !== undefined) return { fault }
  if (item.code === 0) return undefined
  return item.text.trimEnd().includes('\n') || !item.text.includes(place)
    ? { fault: `not one line that names ${place}: ${item.text.slice(0, 500)}` }
    : { outcome: 'refused' }
}
