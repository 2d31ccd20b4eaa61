import { itemAt } from '../../basics/collections.ts'
import { whyNoDirection } from '../../basics/metrics.ts'
import type { Manifest } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { isOfMetric } from '../compare/rows-to-compare.ts'
import { sweepCharts } from '../figures/sweep-charts.ts'
import { escapeXml } from '../page-head.ts'
import { columnsOf, type Column } from '../render/columns.ts'
import { conditionsOf } from '../render/conditions.ts'
import { decisionMessages, pairsTable, pairsTitle } from '../render/decision.ts'
import { factsOf, textsOf } from '../render/note.ts'
import { comparisonNotes } from '../render/notes-on-comparison.ts'
import { offlineBanners } from '../render/notes-on-data.ts'
import { incompleteNote, mainNotes, notesOf } from '../render/notes.ts'
import { graphColumns, graphNote } from '../render/row-columns.ts'
import { shownRows } from '../render/rows.ts'
import { correctedTitle } from '../render/score-columns.ts'
import { costTable, scoreTable } from '../render/tables.ts'
import { cellOf, compactTable, omissionNote, plainTable } from '../render/text-table.ts'
import type { Table } from '../table/table.ts'
import { costCharts, indexCosts } from './cost-charts.ts'
import { costsHtml, rowCosts, type RowCosts } from './costs.ts'
import type { PageRun } from './questions.ts'
import { disclosure, mostNotes, notesHtml, tableHtml } from './table-html.ts'

export interface PageFigure {
  readonly name: string
  readonly svg: string
  readonly caption: string
}

/** HTML of a run: `summary` at the top, `tables` below the questions. */
export interface RunSections {
  readonly summary: string
  readonly tables: string
  readonly figures: readonly PageFigure[]
}

export async function runSections({ manifest, table, graphs }: PageRun, heading: string): Promise<RunSections> {
  const column = mainColumn(manifest, table)
  const costs = column && rowCosts(manifest, table, column.cells)
  const banners = offlineBanners(manifest, table)
  const figures = column && costs?.rows.length ? await drawFigures(manifest, table, column, costs, banners) : []
  const recommendation = decisionMessages(table, true).join(' ')
  const verdict = [...incompleteNote(manifest, table), recommendation || comparisonSentence(manifest, table)]
  const { notes } = mainNotes(manifest, table, mostNotes)
  const { compact, omissions } = compactTable(
    scoreTable(manifest, table),
    column && [column.label, correctedTitle(column)],
  )
  const rest = notesOf(manifest, table).filter((note) => !notes.includes(note))
  const graphLinks = (row: number): string =>
    graphs
      .filter((graph) => graph.row === rowName(itemAt(manifest.methods, row)))
      .map(({ corpus, address }, _index, links) => {
        const name = links.length > 1 ? `graph of ${corpus}` : 'graph'
        return ` <a href="${escapeXml(address)}">${escapeXml(name)}</a>`
      })
      .join('')
  return {
    figures,
    summary: `<section class="run">
${heading === '' ? '' : `<h2>${escapeXml(heading)}</h2>`}
${banners.map((banner) => `<p class="banner">${escapeXml(banner)}</p>`).join('')}
${verdict.map((sentence, index) => `<p${index === 0 ? ' class="verdict"' : ''}>${escapeXml(sentence)}</p>`).join('\n')}
${figuresHtml(figures.filter(({ name }) => name !== indexCosts))}
</section>`,
    tables: `<section class="run">
<h2>${escapeXml(heading === '' ? 'Scores and costs' : `${heading}: scores and costs`)}</h2>
<p class="note">${escapeXml(conditionsOf(manifest))}</p>
${tableHtml(compact, 'Scores by method', graphLinks)}
${notesHtml([...notes, ...omissionNote(omissions, 'table.md has them.'), ...rest])}
${costs?.rows.length ? costsHtml(costs) : ''}
${disclosure('Index costs, chart', figuresHtml(figures.filter(({ name }) => name === indexCosts)))}
${table.comparison ? disclosure('Every pair of rows', tableHtml(pairsTable(table.comparison), pairsTitle(table.comparison))) : ''}
${disclosure('Calls and tokens by phase', tableHtml(costTable(manifest, table, true), 'Calls and tokens by phase; with cached calls'))}
${graphsHtml(manifest, table)}
</section>`,
  }
}

/** The column of the recommendation, else the compared one, else the first percentage for which higher is better. */
function mainColumn(manifest: Manifest, table: Table): Column | undefined {
  const columns = columnsOf(manifest, table).filter(({ subset }) => subset === 'all')
  const hasDirection = ({ scorer, metric }: Column): boolean =>
    manifest.scorers.some((record) => record.scorer === scorer && whyNoDirection(record, metric) === undefined)
  return (
    columns.find((column) => isOfMetric(column, table.decision ?? table.comparison)) ??
    columns.find((column) => column.unit === 'percent' && hasDirection(column))
  )
}

/** Stands in the place of a recommendation: how many pairs differ, or why rows are not compared. */
function comparisonSentence(manifest: Manifest, table: Table): string {
  const isCompared = table.comparison !== undefined || table.notCompared !== undefined
  const [sentence] = isCompared ? textsOf(comparisonNotes, factsOf(manifest, table)) : []
  return sentence ?? 'Fewer than two rows to compare.'
}

/** Charts of means, costs and varied options. */
async function drawFigures(
  manifest: Manifest,
  table: Table,
  column: Column,
  costs: RowCosts,
  banners: readonly string[],
): Promise<readonly PageFigure[]> {
  // Vega loads in half a second
  const { drawForPage } = await import('../figures/draw-chart.ts')
  const figures: PageFigure[] = []
  const sweeps = sweepCharts(manifest, table, (candidate) => isOfMetric(candidate, column))
  for (const chart of [...costCharts(costs, column), ...sweeps])
    figures.push({ name: chart.name, caption: chart.caption, svg: await drawForPage(chart, banners) })
  return figures
}

const figuresHtml = (figures: readonly PageFigure[]): string =>
  figures.length === 0 ? '' : `<div class="figures">${figures.map(figureHtml).join('')}</div>`

const figureHtml = ({ svg, caption }: PageFigure): string =>
  `<figure>${svg}<figcaption>${escapeXml(caption)} <button type="button" class="save" hidden>Save as SVG</button></figcaption></figure>`

/** Graph counts, one line per measure; empty without graphs. */
function graphsHtml(manifest: Manifest, table: Table): string {
  const rows = shownRows(manifest, table).filter(({ summary }) => summary.graph)
  if (rows.length === 0) return ''
  const measures = plainTable(
    ['measure', ...rows.map(({ method }) => rowName(method))],
    graphColumns.map(({ title, cell }) => [title, ...rows.map((row) => cellOf(cell(row)).text)]),
  )
  return disclosure('Graphs', tableHtml(measures, graphNote))
}
