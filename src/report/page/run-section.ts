import { itemAt } from '../../basics/collections.ts'
import type { Manifest } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { isOfMetric } from '../compare/rows-to-compare.ts'
import type { Chart } from '../figures/chart.ts'
import { drawCharts, sweepCharts } from '../figures/sweep-charts.ts'
import { escapeXml } from '../page-head.ts'
import { columnsOf, type Column } from '../render/columns.ts'
import { conditionsOf } from '../render/conditions.ts'
import { decisionMessages, pairsTable, pairsTitle } from '../render/decision.ts'
import { comparisonNotes } from '../render/notes-on-comparison.ts'
import { offlineBanners } from '../render/notes-on-data.ts'
import { incompleteNote, mainNotes, notesOf } from '../render/notes.ts'
import { factsOf, messagesOf } from '../render/rows.ts'
import { correctedTitle, mainColumn } from '../render/score-columns.ts'
import { costTable, rowCostsTable, scoreTable } from '../render/tables.ts'
import { compactTable, omissionNote } from '../render/text-table.ts'
import type { Table } from '../table/table.ts'
import { costCharts } from './cost-charts.ts'
import type { PageRun } from './questions.ts'
import { disclosure, mostNotes, notesHtml, tableHtml } from './table-html.ts'

export type RunSections = Awaited<ReturnType<typeof runSections>>

/** HTML of a run: `summary` at the top, `tables` below the questions; and its figures. */
export async function runSections({ manifest, table, graphs }: PageRun, heading: string) {
  const decisionColumn = columnsOf(manifest, table).find((candidate) => isOfMetric(candidate, table.decision))
  const column = decisionColumn ?? mainColumn(manifest, table)
  const banners = offlineBanners(manifest, table)
  const isMain = (candidate: Column) => isOfMetric(candidate, column)
  const charts = column ? [...costCharts(manifest, table, column), ...sweepCharts(manifest, table, isMain)] : []
  const figures = await drawCharts(charts, banners)
  const recommendation = decisionMessages(table, true).join(' ')
  const verdict = [...incompleteNote(manifest, table), recommendation || comparisonSentence(manifest, table)]
  const { notes } = mainNotes(manifest, table, mostNotes)
  const { compact, omissions } = compactTable(
    scoreTable(manifest, table),
    column && [column.label, correctedTitle(column)],
  )
  const rest = notesOf(manifest, table).filter((note) => !notes.includes(note))
  const graphLinks = (row: number) =>
    graphs
      .filter((graph) => graph.row === rowName(itemAt(manifest.methods, row)))
      .map(({ corpus, address }, _index, links) => {
        const name = links.length > 1 ? `graph of ${corpus}` : 'graph'
        return ` <a href="${escapeXml(address)}">${escapeXml(name)}</a>`
      })
      .join('')
  const { comparison } = table
  const pairs = comparison ? tableHtml(pairsTable(comparison), pairsTitle(comparison)) : ''
  const phases = tableHtml(costTable(manifest, table, true), 'Calls and tokens by phase; with cached calls')
  return {
    figures,
    summary: `<section class="run">
${heading === '' ? '' : `<h2>${escapeXml(heading)}</h2>`}
${banners.map((banner) => `<p class="banner">${escapeXml(banner)}</p>`).join('')}
${verdict.map((sentence, index) => `<p${index === 0 ? ' class="verdict"' : ''}>${escapeXml(sentence)}</p>`).join('\n')}
${figuresHtml(figures)}
</section>`,
    tables: `<section class="run">
<h2>${escapeXml(heading === '' ? 'Scores and costs' : `${heading}: scores and costs`)}</h2>
<p class="note">${escapeXml(conditionsOf(manifest))}</p>
${tableHtml(compact, 'Scores by method', graphLinks)}
${notesHtml([...notes, ...omissionNote(omissions, 'table.md has them.'), ...rest])}
<div class="costs">${tableHtml(rowCostsTable(manifest, table), costsCaption)}</div>
${disclosure('Every pair of rows', pairs)}
${disclosure('Calls and tokens by phase', phases)}
</section>`,
  }
}

const costsCaption =
  'What it costs: tokens of language models, seconds of calls; break-even: questions for which index and questions cost less'

/** In the place of a recommendation: how many pairs differ, or why rows are not compared. */
function comparisonSentence(manifest: Manifest, table: Table) {
  const isCompared = table.comparison !== undefined || table.notCompared !== undefined
  const [sentence] = isCompared ? messagesOf(comparisonNotes, factsOf(manifest, table)) : []
  return sentence ?? 'Fewer than two rows to compare.'
}

function figuresHtml(figures: readonly (Chart & { readonly svg: string })[]) {
  const items = figures.map(
    ({ svg, caption }) => `<figure>${svg}<figcaption>${escapeXml(caption ?? '')}</figcaption></figure>`,
  )
  return items.length === 0 ? '' : `<div class="figures">${items.join('')}</div>`
}
