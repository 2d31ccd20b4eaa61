import { stripVTControlCharacters } from 'node:util'
import CliTable from 'cli-table3'
import pc from 'picocolors'
import type { Grid } from '../../report/render/grid.ts'
import { plain } from '../../text/characters.ts'

/** Below so many columns a terminal shows a table that does not fit as blocks. */
const narrow = 80

/**
 * A grid as an aligned table, the best of a column in bold. On a terminal of fewer than 80 `columns` that it does not
 * fit, every row is a block of lines. Infinite where the output is no terminal.
 */
export function terminalGrid(
  grid: Grid,
  columns: number = process.stdout.isTTY ? process.stdout.columns : Infinity,
): string {
  const table = aligned(grid)
  const isWide = table.split('\n').some((line) => stripVTControlCharacters(line).length > columns)
  return columns < narrow && isWide ? blocks(grid) : table
}

/** The labels of a row in a line, and below it a line for each column. */
function blocks({ labels = 1, head, rows }: Grid): string {
  const titles = head.slice(labels).map(plain)
  const width = Math.max(...titles.map(({ length }) => length))
  const shown = rows.map((row) => {
    const name = row.slice(0, labels).flatMap(({ text }) => (text === '' ? [] : [plain(text)]))
    const lines = row.slice(labels).map(({ text, best }, column) => {
      const value = best ? pc.bold(plain(text)) : plain(text)
      return `  ${pc.dim((titles[column] ?? '').padEnd(width))}  ${value}`
    })
    return [pc.bold(name.join('  ')), ...lines].join('\n')
  })
  return [pc.dim(`Each row is a block, as the terminal has fewer than ${narrow} columns.`), ...shown].join('\n\n')
}

function aligned({ labels = 1, head, rows }: Grid): string {
  const table = new CliTable({
    head: head.map((title) => pc.dim(plain(title))),
    colAligns: head.map((_, column) => (column < labels ? 'left' : 'right')),
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
    chars: Object.fromEntries(edges.map((edge) => [edge, ''])),
  })
  table.push(...rows.map((row) => row.map(({ text, best }) => (best ? pc.bold(plain(text)) : plain(text)))))
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
}

const edges = ['top', 'bottom', 'left', 'right', 'mid', 'middle']
  .flatMap((side) =>
    side === 'mid' || side === 'middle' ? [side] : [side, `${side}-mid`, `${side}-left`, `${side}-right`],
  )
  .concat(['left-mid', 'mid-mid', 'right-mid'])
