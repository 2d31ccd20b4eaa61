import pc from 'picocolors'
import { withColumns } from '../../report/render/columns.ts'
import { documentOf, type DocumentParts, type RenderedRun } from '../../report/render/document.ts'
import { plain } from '../../text/characters.ts'
import { lineWidth, wrapText } from './wrap-text.ts'
import { print } from './print.ts'
import { formatTable } from './format-table.ts'

/** Prints scores, recommendation and notes of runs, and comparisons over several, below each other. */
export function printTables(runs: readonly RenderedRun[], parts: DocumentParts): void {
  const blocks = documentOf(withColumns(runs, parts.columns), { ...parts, isTerminal: true })
  const texts = blocks.map((block) =>
    'head' in block
      ? formatTable(block)
      : block.map(([kind, text]) => (kind === 'text' || kind === 'note' ? pc.dim : pc.bold)(inLines(text))).join('\n'),
  )
  print(texts.join('\n\n'))
}

/** Wraps text to the terminal; unchanged if the output is not a terminal. */
const inLines = (text: string) => (process.stdout.isTTY ? wrapText(plain(text), lineWidth()).join('\n') : plain(text))
