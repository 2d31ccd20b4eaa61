/** Writes a line of results to standard output. */
export const print = (text: string): void => void process.stdout.write(`${text}\n`)

/** Writes a line for a person, but not for a program, to standard error. */
export const printNotice = (text: string): void => void process.stderr.write(`${text}\n`)

/** Writes a value as JSON to standard output, and nothing else. */
export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2))

/** The flag of every command that can print for a program. */
export interface JsonFlag {
  readonly json: boolean
}
