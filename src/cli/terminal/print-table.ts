import pc from 'picocolors'
import { documentOf, type DocumentParts, type RenderedRun } from '../../report/render/document.ts'
import { plain } from '../../text/characters.ts'
import { lineWidth, wrapText } from './wrap-text.ts'
import { print } from './print.ts'
import { formatTable } from './format-table.ts'

/** Prints scores, recommendation and notes of runs, and comparisons over several, below each other. */
export function printTables(runs: readonly RenderedRun[], parts: DocumentParts): void {
  const blocks = documentOf(runs, { ...parts, isTerminal: true })
  const texts = blocks.map((block) => {
    if ('head' in block) return formatTable(block)
    const lines = block.map(([kind, text]) => {
      const isDim = kind === 'text' || kind === 'note'
      const style = isDim ? pc.dim : pc.bold
      return style(inLines(text))
    })
    return lines.join('\n')
  })
  print(texts.join('\n\n'))
}

/** Wraps text to the terminal; unchanged if the output is not a terminal. */
function inLines(text: string) {
  const safeText = plain(text)
  if (!process.stdout.isTTY) return safeText
  return wrapText(safeText, lineWidth()).join('\n')
}
