import { scrub } from '../../errors.ts'

/** Writes results to standard output. */
export const print = (text: string): void => void process.stdout.write(`${sanitize(text)}\n`)

/** Writes a line for people to standard error. */
export const printNotice = (text: string): void => writeAbove(() => void process.stderr.write(`${sanitize(text)}\n`))

/** Writes JSON to standard output; control characters are escaped. */
export const printJson = (value: unknown): void =>
  print(
    JSON.stringify(value, null, 2).replace(
      controls,
      (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  )

/** Removes keys and control characters. */
const sanitize = (text: string): string => scrub(text).replace(controls, '')

/** Control characters except line ends, tabs and our colours, and bidirectional overrides. */
const controls = /(?!\n|\t|\u001b\[(?:1|2|22|31|39)m)[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** The `--json` flag. */
export interface JsonFlag {
  readonly json: boolean
}

/** Lines at the bottom of a terminal that are redrawn in place; other output goes above them. */
interface LiveLines {
  draw(lines: readonly string[]): void
  /** Calls `write`, whose output must end with a line break. */
  above(write: () => void): void
  close(): void
}

/** Lines wider than the terminal are cut. */
export function liveLines(stream: Pick<NodeJS.WriteStream, 'write'> & { readonly columns?: number }): LiveLines {
  let currentLines: readonly string[] = []
  let isHidden = false
  const erase = (): void => {
    if (currentLines.length === 0) return
    stream.write(`\r${currentLines.length > 1 ? `\u001B[${currentLines.length - 1}A` : ''}\u001B[J`)
  }
  const show = (): void => {
    const { columns = 80 } = stream
    // leaves two columns for the echo of Ctrl-C
    const cut = currentLines.map((line) => (widthOf(line) < columns - 2 ? line : `${truncateLine(line, columns - 4)}…`))
    stream.write(cut.join('\n'))
  }
  const lines: LiveLines = {
    draw(next) {
      if (!isHidden) stream.write(hideCursor)
      isHidden = true
      erase()
      currentLines = next
      show()
    },
    above(write) {
      erase()
      write()
      show()
    },
    close() {
      if (currentLines.length > 0) stream.write('\n')
      currentLines = []
      if (isHidden) stream.write(showCursor)
      isHidden = false
      if (open === lines) open = undefined
    },
  }
  open = lines
  return lines
}

/** Cuts a line to `width`: a wrapped line could not be erased. */
function truncateLine(line: string, width: number): string {
  let text = ''
  for (const sign of line) {
    if (widthOf(text + sign) > width) break
    text += sign
  }
  return text
}

let open: LiveLines | undefined

/** Writes above the live lines, if there are any. */
export const writeAbove = (write: () => void): void => (open ? open.above(write) : write())

const hideCursor = '\u001B[?25l'
const showCursor = '\u001B[?25h'

/** Terminal columns of a text: two per wide character, none per combining mark. */
export function widthOf(text: string): number {
  let width = 0
  for (const sign of text) width += combining.test(sign) ? 0 : wide.test(sign) ? 2 : 1
  return width
}

const combining = /^[\p{Mn}\p{Me}]$/u
const wide =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]$/u
