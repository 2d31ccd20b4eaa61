import { itemAt } from '../../basics/collections.ts'
import { rowName } from '../../text/names.ts'
import type { GraphHealth } from '../../types.ts'
import { figuresOfRow, type Agreement, type GraphFigure } from '../table/graph-figures.ts'
import type { Table } from '../table/table.ts'
import { counted, percent, plural, present } from './amounts.ts'
import { isRow } from '../compare/rows-to-compare.ts'

/** The measures of the graphs of all rows, by column; none where no row has a graph. */
export function graphColumns(
  table: Pick<Table, 'rows' | 'usage' | 'agreements'>,
): readonly { readonly title: string; readonly texts: readonly string[] }[] {
  const { rows, agreements = [] } = table
  if (rows.every(({ graph }) => graph === undefined)) return []
  const figures = rows.map((row) => figuresOfRow(row, table.usage))
  const columns = (figures[0] ?? []).map(({ title }, at) => ({ title, texts: figures.map((own) => shownAt(own, at)) }))
  const texts = rows.map((row) => {
    const own = agreements.filter((one) => one.rows.some((of) => isRow(of, row)))
    const least = own.reduce<Agreement | undefined>(
      (low, one) => (low && low.jaccard <= one.jaccard ? low : one),
      undefined,
    )
    return least ? `${least.jaccard.toFixed(2)} of ${least.texts}` : '–'
  })
  return present(columns, agreements.length > 0 && { title: 'least agreement', texts })
}

const shownAt = (figures: readonly GraphFigure[], at: number): string => textOf(itemAt(figures, at))

const textOf = ({ value, unit }: GraphFigure): string =>
  value === null ? '–' : unit === 'share' ? percent(value) : counted(Math.round(value))

/** More pairs of extractions than these are not listed one by one. */
const mostPairs = 6

/** What the columns of `graphColumns` count, and how alike extractions are; none where no row has a graph. */
export function graphNotes({ rows, agreements = [] }: Pick<Table, 'rows' | 'agreements'>): readonly string[] {
  if (rows.every(({ graph }) => graph === undefined)) return []
  const lowest = [...agreements].sort((a, b) => a.jaccard - b.jaccard).slice(0, mostPairs)
  const said = lowest.map(({ rows: [a, b], jaccard, texts }) => {
    const names = rowName(a) === rowName(b) ? `${rowName(a)} with itself` : `${rowName(a)} with ${rowName(b)}`
    return `${names} ${jaccard.toFixed(2)} (${plural(texts, 'text')})`
  })
  const more = agreements.length - lowest.length
  return present(
    'Graphs, as they are drawn: counts are summed over corpora; an edge is a pair of nodes. Near-duplicate entities: those left over where names become one that are equal but for case, accents, articles and plurals, or differ in one letter of a word of 5 or more (8 letters in all, no digit). Entities not in their text: the name stands in none of the texts that they were read from. Evidence without an entity: no entity was read from a chunk that holds it, so that no way over entities finds it. Index tokens: of language models.',
    said.length > 0 &&
      `Agreement of two extractions of the same texts, the mean of shared names among all names of a text (Jaccard), over a sample of 50 texts an index at most: ${said.join(', ')}${more > 0 ? `; ${plural(more, 'other pair agrees', 'other pairs agree')} more` : ''}.`,
  )
}

/** The same where a grid shows one of these columns. */
export const notesOnShown = ({ head }: { readonly head: readonly string[] }, table: Table): readonly string[] =>
  graphColumns(table).some(({ title }) => head.includes(title)) ? graphNotes(table) : []

/** What is counted in one graph, a sentence a fact. */
export function healthWords(health: GraphHealth): readonly string[] {
  const { nodes, withoutEdge, components, largest, entities, unrelated, duplicates, sourced, ungrounded } = health
  const { evidence, unmentioned } = health
  const part = (some: number, all: number, of: string): string =>
    `${counted(some)} of ${counted(all)} ${of} (${percent(some / all)})`
  return present(
    nodes > 0 && `${part(withoutEdge, nodes, 'nodes')} have no edge`,
    components !== null &&
      largest !== null &&
      nodes > 0 &&
      `${plural(components, 'connected component')}, the largest of ${part(largest, nodes, 'nodes')}`,
    unrelated < entities && `${part(unrelated, entities, 'entities')} have no edge to another one`,
    entities > 0 && `${part(duplicates, entities, 'entities')} are near-duplicates of another one`,
    sourced > 0 && `${part(ungrounded, sourced, 'entities')} are named in none of their texts`,
    evidence > 0 && `${part(unmentioned, evidence, 'pieces of evidence')} stand in chunks of no entity`,
  )
}
