import pc from 'picocolors'
import type { Labelled } from '../../report/show/words.ts'
import { plain } from '../../text/characters.ts'
import { print, widthOf } from './print.ts'

/** Prints titles in a column and texts beside them; `most`: the longest text before it is cut. */
export function printLabelled(
  labelled: readonly Labelled[],
  { indent = 0, most }: { readonly indent?: number; readonly most?: number | undefined } = {},
): void {
  const column = indent + 10
  for (const [title, lines] of labelled)
    lines
      .flatMap((line) => wrapped(cutText(line, most), lineWidth() - column))
      .forEach((line, index) => {
        print(`${' '.repeat(indent)}${pc.dim((index === 0 ? title : '').padEnd(10))}${line}`)
      })
}

/** A text that a terminal may show, cut where it is longer than `most` characters. */
export function cutText(text: string, most = 400): string {
  // no sign has more than two units, so that of a long text only the beginning is looked at
  const signs = Array.from(plain(text.slice(0, 2 * most)))
  return signs.length > most || text.length > 2 * most ? `${signs.slice(0, most).join('')} …` : signs.join('')
}

/** Columns of the terminal, 80 where it tells none; 100 where the output is no terminal. */
export const lineWidth = (): number => (process.stdout.isTTY ? process.stdout.columns || 80 : 100)

/** Two lists of texts in columns of equal width, each text wrapped; `width` in columns of the terminal. */
export function sideBySide(left: readonly string[], right: readonly string[], width: number): readonly string[] {
  const column = Math.max(8, Math.floor((width - gap.length) / 2))
  const first = left.flatMap((text) => wrapped(text, column))
  const second = right.flatMap((text) => wrapped(text, column))
  return Array.from({ length: Math.max(first.length, second.length) }, (_, index) => {
    const text = first[index] ?? ''
    return `${text}${' '.repeat(column - widthOf(text))}${gap}${second[index] ?? ''}`.trimEnd()
  })
}

/** The lines of a text, broken at spaces, and within a word only where it is longer than a line. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
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

const gap = '  '
