import { whyNoDirection } from '../../basics/metrics.ts'
import { itemAt } from '../../basics/collections.ts'
import { rounding } from '../../math/statistics/descriptive.ts'
import type { Manifest, MethodRecord } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import type { ComparedRow, RowComparison } from '../compare/row-comparison.ts'
import { sweepCharts } from '../figures/sweep-charts.ts'
import { escapeXml } from '../page-head.ts'
import { plural } from '../../text/amounts.ts'
import { columnsOf, type Column, baselineOf, canReach } from '../render/columns.ts'
import { decisionMessages, pairsTable, pairsTitle } from '../render/decision.ts'
import { costTable, scoreTable } from '../render/tables.ts'
import { graphColumns, graphNote } from '../render/row-columns.ts'
import { shownRows } from '../render/rows.ts'
import { correctedTitle } from '../render/score-columns.ts'
import { incompleteNote, mainNotes, notesOf } from '../render/notes.ts'
import { offlineBanners } from '../render/notes-on-data.ts'
import { conditionsOf } from '../render/conditions.ts'
import { detectableDifference } from '../render/notes-on-comparison.ts'
import { cellOf, compactTable, omissionNote, plainTable } from '../render/text-table.ts'
import type { Table } from '../table/table.ts'
import { costCharts, indexCosts } from './cost-charts.ts'
import { costsHtml, rowCosts, type RowCosts } from './costs.ts'
import { disclosure, tableHtml, mostNotes, notesHtml } from './table-html.ts'
import type { GraphPage, PageRun } from './questions.ts'
import { isOfMetric } from '../compare/rows-to-compare.ts'

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
  const column = comparedColumn(manifest, table)
  const costs = column && rowCosts(manifest, table, column.cells)
  const hasScores = costs !== undefined && costs.rows.length > 0
  const figures = column && hasScores ? await figuresOfRun(manifest, table, column, costs) : []
  const unfinished = incompleteNote(manifest, table)
  const sentences = [...unfinished, decisionMessages(table, true).join(' '), headlineOf(table)].filter(Boolean)
  const { notes } = mainNotes(manifest, table, mostNotes)
  const { compact, omissions } = compactTable(
    scoreTable(manifest, table),
    column && [column.label, correctedTitle(column)],
  )
  const rest = notesOf(manifest, table).filter((note) => !notes.includes(note))
  return {
    figures,
    summary: `<section class="run">
${heading === '' ? '' : `<h2>${escapeXml(heading)}</h2>`}
${offlineBanners(manifest, table)
  .map((banner) => `<p class="banner">${escapeXml(banner)}</p>`)
  .join('')}
${sentences.map((sentence, index) => `<p${index === 0 ? ' class="verdict"' : ''}>${escapeXml(sentence)}</p>`).join('\n')}
${figuresHtml(figures.filter(({ name }) => name !== indexCosts))}
</section>`,
    tables: `<section class="run">
<h2>${escapeXml(heading === '' ? 'Scores and costs' : `${heading}: scores and costs`)}</h2>
<p class="note">${escapeXml(conditionsOf(manifest))}</p>
${tableHtml(compact, 'Scores in percent ± standard error over questions', (row) => graphLinks(graphs, itemAt(manifest.methods, row)))}
${notesHtml([...notes, ...omissionNote(omissions, 'table.md has them.'), ...rest])}
${hasScores ? costsHtml(costs) : ''}
${disclosure('Index costs, chart', figuresHtml(figures.filter(({ name }) => name === indexCosts)))}
${table.comparison ? disclosure('Every pair of rows', tableHtml(pairsTable(table.comparison), pairsTitle(table.comparison))) : ''}
${disclosure('Calls and tokens by phase', tableHtml(costTable(manifest, table, true), 'Calls and tokens by phase; with cached calls'))}
${graphsHtml(manifest, table)}
</section>`,
  }
}

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

const figuresHtml = (figures: readonly PageFigure[]): string =>
  figures.length === 0 ? '' : `<div class="figures">${figures.map(figureHtml).join('')}</div>`

const figureHtml = ({ svg, caption }: PageFigure): string =>
  `<figure>${svg}<figcaption>${escapeXml(caption)} <button type="button" class="save" hidden>Save as SVG</button></figcaption></figure>`

/** Charts of means, costs and varied options. */
async function figuresOfRun(
  manifest: Manifest,
  table: Table,
  column: Column,
  costs: RowCosts,
): Promise<readonly PageFigure[]> {
  // Vega loads in half a second
  const { drawForPage } = await import('../figures/draw-chart.ts')
  const figures: PageFigure[] = []
  const sweeps = sweepCharts(manifest, table, (candidate) => isOfMetric(candidate, column))
  for (const chart of [...costCharts(costs, column), ...sweeps])
    figures.push({ name: chart.name, caption: chart.caption, svg: await drawForPage(chart) })
  return figures
}

const graphLinks = (graphs: readonly GraphPage[], method: MethodRecord): string =>
  graphs
    .filter(({ row }) => row === rowName(method))
    .map(({ corpus, address }, _index, links) => {
      const name = links.length > 1 ? `graph of ${corpus}` : 'graph'
      return ` <a href="${escapeXml(address)}">${escapeXml(name)}</a>`
    })
    .join('')

/** The compared column, else the first percentage for which higher is better. */
function comparedColumn(manifest: Manifest, table: Table): Column | undefined {
  const columns = columnsOf(manifest, table).filter(({ subset }) => subset === 'all')
  return (
    columns.find((column) => isOfMetric(column, table.comparison)) ??
    columns.find((column) => column.unit === 'percent' && hasDirection(manifest, column))
  )
}

const hasDirection = ({ scorers }: Manifest, { scorer, metric }: Column): boolean =>
  scorers.some((record) => record.scorer === scorer && whyNoDirection(record, metric) === undefined)

/** The headline: questions, leading rows, significant differences, minimum detectable difference. */
export function headlineOf({ comparison, notCompared }: Pick<Table, 'comparison' | 'notCompared'>): string {
  if (!comparison)
    return notCompared === undefined ? 'Fewer than two rows to compare.' : `Rows are not compared: ${notCompared}.`
  const { fewest, questions, pairs, alpha } = comparison
  const on = `On ${fewest < questions ? `${fewest} to ` : ''}${plural(questions, 'question')}`
  if (!canReach(comparison)) return `${on}: too few for a significant difference.`
  const results = pairs.some(({ pAdjusted }) => pAdjusted <= alpha)
    ? [leaderSentence(comparison), differenceCount(comparison)]
    : ['no significant difference']
  return `${on}: ${[...results, detectableDifference(comparison)].join('; ')}.`
}

/** The rows with the highest mean, and which others are significantly worse. */
function leaderSentence(comparison: RowComparison): string {
  const { rows } = comparison
  const ranking = [...rows].sort((a, b) => b.mean - a.mean || b.better.length - a.better.length)
  const [first, ...rest] = ranking
  if (!first) return 'nothing was compared'
  const baseline = baselineOf(comparison)
  if (baseline && !(rest.length === 1 && first.better.length > 0)) {
    // other rows were compared with the baseline only
    const isAbove = first.better.includes(baseline.letter)
    return `${highestSentence(ranking, first)}${isAbove ? ` and is shown to be above ${rowName(baseline)}` : ''}`
  }
  const equalRows = rest.filter(({ letter }) => !first.better.includes(letter))
  if (equalRows.length === 0) return `${rowName(first)} leads`
  if (equalRows.length < Math.min(rest.length, mostLeaders)) return `${joinNames([first, ...equalRows])} lead`
  const worseCount = rest.length - equalRows.length
  return `${highestSentence(ranking, first)}; ${worseCount === 0 ? 'no other row' : `only ${worseCount} of ${plural(rest.length, 'other row')}`} ${worseCount > 1 ? 'are' : 'is'} shown to be worse than ${rowName(first)}`
}

const mostLeaders = 4

const highestSentence = (ranking: readonly ComparedRow[], first: ComparedRow): string => {
  const equal = ranking.filter(({ mean }) => first.mean - mean <= rounding)
  return `${joinNames(equal)} ${equal.length === 1 ? 'has' : 'have'} the highest score`
}

function joinNames(rows: readonly ComparedRow[]): string {
  const names = rows.map(rowName)
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
}

function differenceCount(comparison: RowComparison): string {
  const { pairs, alpha } = comparison
  const count = pairs.filter(({ pAdjusted }) => pAdjusted <= alpha).length
  const baseline = baselineOf(comparison)
  return baseline
    ? `${count} of ${plural(pairs.length, 'row')} ${count === 1 ? 'differs' : 'differ'} from ${rowName(baseline)} after the correction`
    : `${count} of ${plural(pairs.length, 'pair')} ${count === 1 ? 'differs' : 'differ'} after the correction`
}
