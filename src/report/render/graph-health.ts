import type { GraphHealth } from '../../types.ts'
import type { Table } from '../table/table.ts'
import { formatCount, percent, plural } from '../../text/amounts.ts'
import { graphColumns } from './row-columns.ts'

/** The note on graph columns, if the table shows any. */
export const graphNotes = ({ head }: { readonly head: readonly string[] }, { rows }: Table): readonly string[] =>
  rows.some(({ graph }) => graph) && graphColumns.some(({ title }) => head.includes(title)) ? [graphNote] : []

export const graphNote = 'Graphs, as they are drawn: counts are summed over corpora; an edge is a pair of nodes.'

/** The number of components and the largest; empty if unknown. */
export const componentWords = ({ nodes, components, largest }: GraphHealth): readonly string[] =>
  components === null || largest === null || nodes === 0
    ? []
    : [
        `${plural(components, 'connected component')}, the largest of ${formatCount(largest)} of ${formatCount(nodes)} nodes (${percent(largest / nodes)})`,
      ]
