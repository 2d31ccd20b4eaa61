import { scrub } from '../../basics/secrets.ts'
import { writeAbove } from './live-lines.ts'

/** Writes a line of results to standard output. */
export const print = (text: string): void => void process.stdout.write(`${shown(text)}\n`)

/** Writes a line for a person, but not for a program, to standard error. */
export const printNotice = (text: string): void => writeAbove(() => void process.stderr.write(`${shown(text)}\n`))

/** Writes a value as JSON to standard output, and nothing else; what a terminal would obey is escaped. */
export const printJson = (value: unknown): void =>
  print(
    JSON.stringify(value, null, 2).replace(obeyed, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )

/** Text without keys, and without what a terminal would obey, whoever wrote it. */
const shown = (text: string): string => scrub(text).replace(obeyed, '')

/** Control characters but line ends, tabs and our colours, and those that turn the order of text round. */
const obeyed = /(?!\n|\t|\u001b\[(?:1|2|22|31|39)m)[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The flag of every command that can print for a program. */
export interface JsonFlag {
  readonly json: boolean
}
