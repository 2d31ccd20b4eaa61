import CliTable from 'cli-table3'
import pc from 'picocolors'
import type { Grid } from '../report/render/grid.ts'
import { plain } from '../text/plain.ts'

/** A grid as an aligned table without boxes; the best of a column stands in bold, where there are colours. */
export function terminalGrid({ labels = 1, head, rows }: Grid): string {
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
