import pc from 'picocolors'
import type { Labelled } from '../../report/show/words.ts'
import { plain } from '../../text/plain.ts'
import { print } from './print.ts'
import { wrapped } from './side-by-side.ts'

/** Prints titles in a column and what stands beside them in lines of the terminal's width; `most`: the longest text before it is cut. */
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

/** Columns of the terminal; 100 where the output is none. */
export const lineWidth = (): number => (process.stdout.isTTY ? process.stdout.columns : 100)
