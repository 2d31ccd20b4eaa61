import { fail } from '../../src/cli/main.ts'
import { fuzzKey } from './mutate.ts'

/** What a command said on both streams, and the exit code that its error means. */
export interface Said {
  readonly code: number
  readonly text: string
  /** What it printed on the standard output alone. */
  readonly out: string
}

/** Does what a command does, as `cli.ts` does it, and keeps what it prints. Commands must not run at the same time. */
export async function said(command: () => Promise<unknown>): Promise<Said> {
  const streams = [process.stdout, process.stderr]
  const restores = streams.map((stream) => {
    const write = stream.write.bind(stream)
    return () => (stream.write = write)
  })
  let [text, out] = ['', '']
  for (const stream of streams)
    stream.write = (part: string | Uint8Array) => {
      text += String(part)
      if (stream === process.stdout) out += String(part)
      return true
    }
  process.exitCode = undefined
  try {
    await command()
  } catch (error) {
    process.exitCode = fail(error)
  } finally {
    for (const restore of restores) restore()
    for (const signal of ['SIGINT', 'SIGTERM']) process.removeAllListeners(signal)
  }
  const code = process.exitCode ?? 0
  process.exitCode = undefined
  return { code, text, out }
}

/** What is wrong with what a command said, whatever it was given: an error that it did not expect, a stack, a key. */
export function faultIn({ code, text }: Pick<Said, 'code' | 'text'>): string | undefined {
  if (code === 1 || /^\s+at .*:\d+:\d+\)?$/m.test(text)) return `exit code ${code}: ${text.slice(0, 1000)}`
  if (text.includes(fuzzKey)) return `the key is in the output: ${text.slice(0, 300)}`
  return undefined
}
