import pc from 'picocolors'
import type { TitledLines } from '../../report/show/messages.ts'
import { plain } from '../../text/characters.ts'
import { print } from './print.ts'

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

/** Breaks text at line ends, at spaces and before wide characters; a longer word stays whole. */
export const wrapText = (text: string, width: number): readonly string[] =>
  text.split('\n').flatMap((paragraph) => {
    const lines: string[] = []
    let line = ''
    for (const part of paragraph.replace(/\s+/g, ' ').trim().split(breaks)) {
      if (line !== '' && widthOf((line + part).trimEnd()) > width) {
        lines.push(line.trimEnd())
        line = ''
      }
      line += part
    }
    return [...lines, line]
  })

/** Terminal columns of a text: two per wide character, none per combining mark. */
export function widthOf(text: string): number {
  let width = 0
  for (const sign of text) width += combining.test(sign) ? 0 : wide.test(sign) ? 2 : 1
  return width
}

const combining = /^[\p{Mn}\p{Me}]$/u
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u

const breaks = new RegExp(`(?<=\\s)|(?=${wide.source})`, 'u')
