import { widthOf } from './widths.ts'

/** Lines at the bottom of a terminal that are drawn over themselves; what else is written stands above them. */
export interface LiveLines {
  draw(lines: readonly string[]): void
  /** Writes by `write`, which ends with a line break, above the lines. */
  above(write: () => void): void
  close(): void
}

/** Lines of a terminal. Those that are wider than it are cut. */
export function liveLines(stream: Pick<NodeJS.WriteStream, 'write'> & { readonly columns?: number }): LiveLines {
  let drawn: readonly string[] = []
  let isHidden = false
  const erase = (): void => {
    if (drawn.length === 0) return
    stream.write(`\r${drawn.length > 1 ? `\u001B[${drawn.length - 1}A` : ''}\u001B[J`)
  }
  const show = (): void => {
    const { columns = 80 } = stream
    // Ctrl-C is shown by two characters at the end
    const cut = drawn.map((line) => (widthOf(line) < columns - 2 ? line : `${beginning(line, columns - 4)}…`))
    stream.write(cut.join('\n'))
  }
  const lines: LiveLines = {
    draw(next) {
      if (!isHidden) stream.write(hideCursor)
      isHidden = true
      erase()
      drawn = next
      show()
    },
    above(write) {
      erase()
      write()
      show()
    },
    close() {
      if (drawn.length > 0) stream.write('\n')
      drawn = []
      if (isHidden) stream.write(showCursor)
      isHidden = false
      if (open === lines) open = undefined
    },
  }
  open = lines
  return lines
}

/** As many signs of a line as fit: one that is wrapped by the terminal could not be erased. */
function beginning(line: string, width: number): string {
  let shown = ''
  for (const sign of line) {
    if (widthOf(shown + sign) > width) break
    shown += sign
  }
  return shown
}

let open: LiveLines | undefined

/** Writes to a terminal, above lines that are drawn there. */
export const writeAbove = (write: () => void): void => (open ? open.above(write) : write())

const hideCursor = '\u001B[?25l'
const showCursor = '\u001B[?25h'
