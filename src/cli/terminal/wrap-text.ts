import pc from 'picocolors'
import type { TitledLines } from '../../report/show/messages.ts'
import { plain } from '../../text/characters.ts'
import { print, widthOf } from './print.ts'

/** Prints titles in a column and lines next to them. `most`: characters before a line is cut. */
export function printTitledLines(
  entries: readonly TitledLines[],
  { indent = 0, most: limit }: { readonly indent?: number; readonly most?: number | undefined } = {},
): void {
  const column = indent + 10
  for (const [title, lines] of entries)
    lines
      .flatMap((line) => wrapText(cutText(line, limit), lineWidth() - column))
      .forEach((line, index) => {
        print(`${' '.repeat(indent)}${pc.dim((index === 0 ? title : '').padEnd(10))}${line}`)
      })
}

/** Safe text for a terminal, cut after `limit` characters. */
export function cutText(text: string, limit = 400): string {
  // a character has at most two UTF-16 units
  const signs = Array.from(plain(text.slice(0, 2 * limit)))
  const isLonger = signs.length > limit || text.length > 2 * limit
  if (!isLonger) return signs.join('')
  return `${signs.slice(0, limit).join('')} …`
}

/** Terminal columns (default 80); 100 if the output is not a terminal. */
export const lineWidth = (): number => (process.stdout.isTTY ? process.stdout.columns || 80 : 100)

/** Breaks text at spaces, and within words longer than a line. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    if (line !== '' && widthOf(line) + 1 + widthOf(word) <= width) {
      line += ` ${word}`
      continue
    }
    if (line !== '') lines.push(line)
    line = ''
    for (const sign of word) {
      if (widthOf(line) + widthOf(sign) > width) {
        lines.push(line)
        line = ''
      }
      line += sign
    }
  }
  return line === '' ? lines : [...lines, line]
}

export const wrapPassage = (text: string, width: number, limit?: number): readonly string[] =>
  cutText(text, limit)
    .split('\n')
    .flatMap((line) => wrapText(line, width))
