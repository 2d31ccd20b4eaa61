import type { MultiBar } from 'cli-progress'
import { scrub } from '../../errors.ts'

/** Writes results to standard output. */
export const print = (text: string): void => void process.stdout.write(`${sanitize(text)}\n`)

/** Writes a line for people to standard error, above progress bars. */
export function printNotice(text: string): void {
  if (bars?.isActive) bars.log(`${sanitize(text)}${clearRest}\n`)
  else process.stderr.write(`${sanitize(text)}\n`)
}

let bars: MultiBar | undefined

/** Erases a line to its end. */
const clearRest = '\u001B[K'

/** From now on notices are printed above these bars, or as they come. */
export const printAbove = (openBars: MultiBar | undefined): void => void (bars = openBars)

/** Writes JSON to standard output; control characters are escaped. */
export const printJson = (value: unknown): void =>
  print(
    JSON.stringify(value, null, 2).replace(
      controls,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  )

/** Removes keys and control characters. */
const sanitize = (text: string) => scrub(text).replace(controls, '')

/** Control characters except line ends, tabs and our colours, and bidirectional overrides. */
const controls = /(?!\n|\t|\u001b\[(?:1|2|22|31|39)m)[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The `--json` flag. */
export interface JsonFlag {
  readonly json: boolean
}
