import { UserError } from '../errors.ts'

/** Where a value is written, as shown (`file:line:column` or `--set a.b=c`), its order, and the folder of that file. */
export interface Place {
  readonly text: string
  readonly order: readonly number[]
  readonly folder: string
}

/** Adds an error with its place. */
export type ReportError = (place: Place | string, message: string) => void

export type ErrorList = ReturnType<typeof createErrorList>

const maxLines = 10

/** A list of errors, which `stop` prints in the order of their places, one line each, without duplicates. */
export function createErrorList() {
  const lines = new Map<string, readonly number[]>()
  const report: ReportError = (place, message) => {
    const { text, order } = typeof place === 'string' ? { text: place, order: [] } : place
    const line = oneLine(`${text}: ${message}`)
    if (!lines.has(line)) lines.set(line, order)
  }
  return {
    report,
    /** Throws UserError with at most ten lines if the list is not empty. */
    stop: (): void => {
      if (lines.size === 0) return
      const rest = lines.size > maxLines ? [`… and ${lines.size - maxLines} more`] : []
      const sortedLines = [...lines].sort(([, a], [, b]) => compare(a, b)).map(([line]) => line)
      throw new UserError([...sortedLines.slice(0, maxLines), ...rest].join('\n'))
    },
  }
}

/** Compares number by number; an empty order comes first. */
function compare(a: readonly number[], b: readonly number[]): number {
  const position = [0, 1, 2].find((index) => (a[index] ?? 0) !== (b[index] ?? 0))
  return position === undefined ? 0 : (a[position] ?? 0) - (b[position] ?? 0)
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replace(/\p{C}/gu, '?').trim()

/** Text in quotes, truncated to 60 characters. */
export const quote = (text: string): string => `"${text.length > 60 ? `${text.slice(0, 59)}…` : text}"`
