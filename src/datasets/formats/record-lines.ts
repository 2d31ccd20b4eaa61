/** The lines, from 1, on which the records of a CSV text begin; they are met in order. */
export interface RecordLines {
  /** The line of the record that begins at or behind an offset in bytes; empty lines before it are passed over. */
  startAfter(offset: number): number
}

const [lineFeed, carriageReturn, quote] = [10, 13, 34]

export function recordLines(bytes: Uint8Array): RecordLines {
  let [at, line] = [0, 1]
  const isBreak = (): boolean =>
    bytes[at] === carriageReturn || (bytes[at] === lineFeed && bytes[at - 1] !== carriageReturn)
  const step = (): void => {
    if (isBreak()) line++
    at++
  }
  return {
    startAfter(offset) {
      while (at < offset) step()
      while (bytes[at] === lineFeed || bytes[at] === carriageReturn) step()
      return line
    },
  }
}

/** The offset behind the first record of a CSV text, which may hold line breaks in quotes. */
export function endOfFirstRecord(bytes: Uint8Array): number {
  let at = 0
  const isAtBreak = (): boolean => bytes[at] === lineFeed || bytes[at] === carriageReturn
  while (isAtBreak()) at++
  for (let quoted = false; at < bytes.length && (quoted || !isAtBreak()); at++)
    if (bytes[at] === quote) quoted = !quoted
  return at
}
