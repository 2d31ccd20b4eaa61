import { escapeXml } from '../graph/escape-xml.ts'
import { rowName } from '../../basics/row-name.ts'
import type { Manifest, MethodRecord } from '../../records.ts'
import { whyNoDirection } from '../../basics/better-direction.ts'
import { columnsOf, scaleOf, type Column } from '../render/columns.ts'
import { costGrid, scoreGrid, type Grid } from '../render/grid.ts'
import { conditionsOf, notesOf } from '../render/notes.ts'
import type { Table } from '../table/table.ts'
import { breakEvenWords, indexCostFigure, questionCostFigure } from './cost-figures.ts'
import { gridHtml } from './grid-html.ts'
import type { GraphPage, PageRun } from './listed-questions.ts'
import { rankedFigure } from './ranked-figure.ts'
import { rowCosts, type RowCosts } from './row-costs.ts'
import { verdictOf } from './verdict.ts'

/** The first screen of a run: the verdict, the figures, the tables and their notes. `heading` is empty where there is one run. */
export function runSection({ manifest, table, graphs }: PageRun, heading: string): string {
  const column = comparedColumn(manifest, table)
  const costs = column && rowCosts(manifest, table, column.cells)
  const linked = (row: number): string => graphLinks(graphs, manifest.methods[row])
  return `<section class="run">
${heading === '' ? '' : `<h2>${escapeXml(heading)}</h2>`}
<p class="verdict">${escapeXml(verdictOf(table))}</p>
<p class="note">${escapeXml(conditionsOf(manifest))}</p>
${column && costs && costs.rows.length > 0 ? figures(column, costs) : ''}
${gridHtml(scoreGrid(manifest, table), 'Scores in percent ± standard error over questions', linked)}
<details class="notes" open><summary>How to read these numbers</summary><ul>${notesOf(manifest, table)
    .map((note) => `<li>${escapeXml(note)}</li>`)
    .join('')}</ul></details>
${costs && costs.rows.length > 0 ? gridHtml(costsGrid(costs), `What it costs: tokens of language models${costs.against === null ? '' : `; break-even: from how many questions on index and questions together take fewer than ${costs.against}`}`) : ''}
<details><summary>Calls and tokens by phase</summary>${gridHtml(costGrid(manifest, table), 'Calls and tokens by phase; calls answered from the cache are included')}</details>
</section>`
}

function figures(column: Column, costs: RowCosts): string {
  const [scale, digits] = scaleOf(column.unit)
  const shown = { title: column.unit === 'percent' ? `${column.label} (%)` : column.label, scale, digits }
  const drawn = [
    [
      rankedFigure(costs.rows, shown),
      'A line is the 95 % interval of the mean; hollow rows are for orientation alone.',
    ],
    [
      questionCostFigure(costs, shown),
      'Orange, and joined where there are several: the rows that no other beats in score and tokens a question at once (Pareto front).',
    ],
    // where no index asked a language model all dots would stand above each other
    ...(costs.rows.some(({ index }) => index > 0)
      ? [
          [
            indexCostFigure(costs, shown),
            `In brackets: from how many questions on index and questions together take fewer tokens than ${costs.against ?? ''}.`,
          ],
        ]
      : []),
  ]
  return `<div class="figures">${drawn
    .map(
      ([figure = '', said = '']) =>
        `<figure>${figure}<figcaption>${escapeXml(said)} <button type="button" class="save" hidden>Save as SVG</button></figcaption></figure>`,
    )
    .join('')}</div>`
}

/** Links to what was drawn of a row. */
const graphLinks = (graphs: readonly GraphPage[], method: MethodRecord | undefined): string =>
  graphs
    .filter(({ row }) => method !== undefined && row === rowName(method))
    .map(
      ({ corpus, address }, _index, drawn) =>
        ` <a href="${escapeXml(address)}">${escapeXml(drawn.length > 1 ? `graph of ${corpus}` : 'graph')}</a>`,
    )
    .join('')

/** The column that rows are compared on, else the first that is a share of which more is better. */
function comparedColumn(manifest: Manifest, table: Table): Column | undefined {
  const columns = columnsOf(manifest, table).filter(({ subset }) => subset === 'all')
  const { comparison } = table
  return (
    columns.find(({ scorer, metric }) => scorer === comparison?.scorer && metric === comparison.metric) ??
    columns.find((column) => column.unit === 'percent' && hasDirection(manifest, column))
  )
}

const hasDirection = ({ scorers }: Manifest, { scorer, metric }: Column): boolean =>
  scorers.some((record) => record.scorer === scorer && whyNoDirection(record, metric) === undefined)

const costsGrid = ({ rows }: RowCosts): Grid => ({
  head: ['method', 'tokens a question', 'tokens of the index', 'break-even'],
  rows: rows.map(({ name, perQuestion, index, breakEven }) => [
    { text: name },
    { text: perQuestion === null ? '–' : Math.round(perQuestion).toLocaleString('en-US') },
    { text: index.toLocaleString('en-US') },
    { text: breakEvenWords(breakEven) },
  ]),
})
