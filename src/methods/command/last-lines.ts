import { cutBytes } from '../../errors.ts'
import { scrubError } from '../../basics/secrets.ts'
import { plain } from '../../text/characters.ts'

/** The end of what a program writes to its error stream. */
export interface LastLines {
  add(text: string): void
  /** ` (its error stream ends: …)` with at most five lines, without keys and control characters; empty where it wrote nothing. */
  said(): string
}

const mostLines = 5
const longestLine = 300
const mostKept = 64_000

/** Nothing written yet. */
export function lastLines(): LastLines {
  let kept = ''
  return {
    add: (text) => void (kept = (kept + text).slice(-mostKept)),
    said() {
      const lines = scrubError(kept)
        .split('\n')
        .map((line) => plain(line).trim())
        .filter((line) => line !== '')
        .slice(-mostLines)
        .map((line) => cutBytes(line, longestLine))
      return lines.length === 0 ? '' : ` (its error stream ends: ${lines.join(' | ')})`
    },
  }
}
