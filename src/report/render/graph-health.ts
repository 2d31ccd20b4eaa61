import type { GraphHealth } from '../../types.ts'
import type { Table } from '../table/table.ts'
import { counted, percent, plural } from '../../text/amounts.ts'

/** What is counted in the graphs of all rows, by column; none where no row has a graph. */
export function graphColumns({
  rows,
}: Pick<Table, 'rows'>): readonly { readonly title: string; readonly texts: readonly string[] }[] {
  if (rows.every(({ graph }) => graph === undefined)) return []
  const column = (title: string, textOf: (graph: GraphHealth) => string) => ({
    title,
    texts: rows.map(({ graph }) => (graph ? textOf(graph) : '–')),
  })
  return [
    column('nodes', ({ nodes }) => counted(Math.round(nodes))),
    column('edges', ({ edges }) => counted(Math.round(edges))),
    column('components', ({ components }) => (components === null ? '–' : counted(Math.round(components)))),
    column('largest component', ({ largest, nodes }) =>
      largest === null || nodes === 0 ? '–' : percent(largest / nodes),
    ),
  ]
}

/** What these columns count. */
export const graphNote = 'Graphs, as they are drawn: counts are summed over corpora; an edge is a pair of nodes.'

/** The same where a grid shows one of these columns. */
export const notesOnShown = ({ head }: { readonly head: readonly string[] }, table: Table): readonly string[] =>
  graphColumns(table).some(({ title }) => head.includes(title)) ? [graphNote] : []

/** The components of a graph in words; none where they are not known, or there is no node. */
export const componentWords = ({ nodes, components, largest }: GraphHealth): readonly string[] =>
  components === null || largest === null || nodes === 0
    ? []
    : [
        `${plural(components, 'connected component')}, the largest of ${counted(largest)} of ${counted(nodes)} nodes (${percent(largest / nodes)})`,
      ]
