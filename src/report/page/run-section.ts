import { whyNoDirection } from '../../basics/metrics.ts'
import { rounding } from '../../math/statistics/descriptive.ts'
import type { Manifest, MethodRecord } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import type { ComparedRow, RowComparison } from '../compare/row-comparison.ts'
import { figuresOf } from '../figures/figure.ts'
import { escapeXml } from '../page-head.ts'
import { counted, inDollars, plural, present } from '../../text/amounts.ts'
import { columnsOf, scaleOf, type Column, baselineOf, canReach } from '../render/columns.ts'
import { decisionWords, pairsGrid, pairsTitle } from '../render/decision.ts'
import { costGrid, scoreGrid } from '../render/grid.ts'
import { graphNote } from '../render/graph-health.ts'
import { graphColumns } from '../render/row-columns.ts'
import { shownRows } from '../render/rows.ts'
import { correctedTitle } from '../render/score-columns.ts'
import { mainNotes, notesOf } from '../render/notes.ts'
import { conditionsOf } from '../render/conditions.ts'
import { letterDifference } from '../render/notes-on-comparison.ts'
import { cellOf, leanGrid, leftOutNote, textGrid, type Grid } from '../render/text-grid.ts'
import type { Table } from '../table/table.ts'
import { breakEvenWords } from '../table/costs-of-row.ts'
import { indexCostFigure, questionCostFigure, rankedFigure, type Shown } from './cost-figures.ts'
import type { GraphPage, PageRun } from './listed-questions.ts'
import { rowCosts, type RowCosts } from './row-costs.ts'
import { isOfMetric } from '../compare/rows-to-compare.ts'

/** A figure of a page: the name of its file, SVG, and what is said below it. */
interface PageFigure {
  readonly name: string
  readonly svg: string
  readonly said: string
}

/** What a page says of a run: at its beginning, and below the questions. */
interface RunSections {
  readonly summary: string
  readonly tables: string
  readonly figures: readonly PageFigure[]
}

/** Which row to take with the figures that show it; and conditions, scores, notes and costs. */
export async function runSections({ manifest, table, graphs }: PageRun, heading: string): Promise<RunSections> {
  const column = comparedColumn(manifest, table)
  const found = column && rowCosts(manifest, table, column.cells)
  const costs = found && found.rows.length > 0 ? found : undefined
  const decision = decisionWords(table, true)
  const verdict = verdictOf(table)
  const charts = column ? await chartsHtml(manifest, table, column) : []
  const main = column && costs ? mainFigures(column, costs) : []
  const index = column && costs && isSpent(costs, 'index') ? [indexFigure(column, costs)] : []
  // no place of the grid stays empty
  const isAbove = (main.length + charts.length) % 2 === 1
  const figures = present(main, charts, isAbove && index)
  const { notes } = mainNotes(manifest, table, mostNotes)
  const { grid, left } = leanGrid(scoreGrid(manifest, table), column && [column.label, correctedTitle(column)])
  const others = notesOf(manifest, table).filter((note) => !notes.includes(note))
  const linked = (row: number): string => graphLinks(graphs, manifest.methods[row])
  return {
    figures: present(figures, !isAbove && index),
    summary: `<section class="run">
${heading === '' ? '' : `<h2>${escapeXml(heading)}</h2>`}
<p class="verdict">${escapeXml(decision.length === 0 ? verdict : decision.join(' '))}</p>
${decision.length === 0 ? '' : `<p>${escapeXml(verdict)}</p>`}
${figuresHtml(figures)}
</section>`,
    tables: `<section class="run">
<h2>${escapeXml(heading === '' ? 'Scores and costs' : `${heading}: scores and costs`)}</h2>
<p class="note">${escapeXml(conditionsOf(manifest))}</p>
${gridHtml(grid, 'Scores in percent ± standard error over questions', linked)}
${notesHtml([...notes, ...leftOutNote(left, 'table.md has them.'), ...others])}
${costs ? costsHtml(costs) : ''}
${column && index.length > 0 && !isAbove ? folded(`${column.label} against the cost of the index, drawn`, figuresHtml(index)) : ''}
${table.comparison ? folded('Every pair of rows', gridHtml(pairsGrid(table.comparison), pairsTitle(table.comparison))) : ''}
${folded('Calls and tokens by phase', gridHtml(costGrid(manifest, table, true), 'Calls and tokens by phase; calls answered from the cache are included'))}
${graphsHtml(manifest, table)}
</section>`,
  }
}

/** What is counted in the graphs of rows, a row a measure; empty where none has one. */
function graphsHtml(manifest: Manifest, table: Table): string {
  const rows = shownRows(manifest, table).filter(({ summary }) => summary.graph)
  if (rows.length === 0) return ''
  const grid = textGrid(
    ['measure', ...rows.map(({ method }) => rowName(method))],
    graphColumns.map(({ title, cell }) => [title, ...rows.map((row) => cellOf(cell(row)).text)]),
  )
  return folded('Graphs', gridHtml(grid, graphNote))
}

/** Open after a click on its title. */
const folded = (title: string, inside: string): string =>
  `<details><summary>${escapeXml(title)}</summary>${inside}</details>`

const mostNotes = 3

/** Notes of which three are open. */
export function notesHtml(notes: readonly string[]): string {
  const others = notes.slice(mostNotes)
  const list = (items: readonly string[]): string =>
    `<ul>${items.map((item) => `<li>${escapeXml(item)}</li>`).join('')}</ul>`
  return `${list(notes.slice(0, mostNotes))}${others.length === 0 ? '' : folded(plural(others.length, 'more note'), list(others))}`
}

/** The scores of a column against every option that is varied over numbers. */
async function chartsHtml(manifest: Manifest, table: Table, column: Column): Promise<readonly PageFigure[]> {
  const charts = figuresOf(manifest, table, (one) => isOfMetric(one, column))
  if (charts.length === 0) return []
  // the library takes half a second
  const { drawForPage } = await import('../figures/draw.ts')
  const drawn: PageFigure[] = []
  for (const chart of charts)
    drawn.push({
      name: chart.name,
      svg: await drawForPage(chart),
      said: 'A band is the 95 % interval of each mean; a dashed line is a row that does not vary the option.',
    })
  return drawn
}

/** The means with their intervals, and against what a question costs. */
const mainFigures = (column: Column, costs: RowCosts): readonly PageFigure[] =>
  present(
    {
      name: 'ranked',
      svg: rankedFigure(costs.rows, shownAs(column)),
      said: 'A line is the 95 % interval of the mean; hollow rows are for orientation alone.',
    },
    isSpent(costs, 'question') && {
      name: 'cost-per-question',
      svg: questionCostFigure(costs, shownAs(column)),
      said: 'Orange, and joined where there are several: the rows that no other beats in score and cost a question at once (Pareto front).',
    },
  )

const shownAs = ({ unit, label }: Column): Shown => {
  const [scale, digits] = scaleOf(unit)
  return { title: unit === 'percent' ? `${label} (%)` : label, scale, digits }
}

/** Where nothing is spent all dots would stand above each other. */
const isSpent = ({ rows, unit }: RowCosts, on: 'index' | 'question'): boolean =>
  rows.some(({ [on]: cost }) => (cost?.[unit] ?? 0) > 0)

const indexFigure = (column: Column, costs: RowCosts): PageFigure => ({
  name: 'cost-of-index',
  svg: indexCostFigure(costs, shownAs(column)),
  said: 'What every row costs before its first question.',
})

const figuresHtml = (figures: readonly PageFigure[]): string =>
  figures.length === 0 ? '' : `<div class="figures">${figures.map(figureHtml).join('')}</div>`

const figureHtml = ({ svg, said }: PageFigure): string =>
  `<figure>${svg}<figcaption>${escapeXml(said)} <button type="button" class="save" hidden>Save as SVG</button></figcaption></figure>`

const graphLinks = (graphs: readonly GraphPage[], method: MethodRecord | undefined): string =>
  graphs
    .filter(({ row }) => method !== undefined && row === rowName(method))
    .map(({ corpus, address }, _index, drawn) => {
      const name = drawn.length > 1 ? `graph of ${corpus}` : 'graph'
      return ` <a href="${escapeXml(address)}">${escapeXml(name)}</a>`
    })
    .join('')

/** The column that rows are compared on, else the first that is a share of which more is better. */
function comparedColumn(manifest: Manifest, table: Table): Column | undefined {
  const columns = columnsOf(manifest, table).filter(({ subset }) => subset === 'all')
  return (
    columns.find((column) => isOfMetric(column, table.comparison)) ??
    columns.find((column) => column.unit === 'percent' && hasDirection(manifest, column))
  )
}

const hasDirection = ({ scorers }: Manifest, { scorer, metric }: Column): boolean =>
  scorers.some((record) => record.scorer === scorer && whyNoDirection(record, metric) === undefined)

/** The costs of the rows; its break-even is that with another row where the reader chooses one. */
function costsHtml(costs: RowCosts): string {
  const { rows, unit, against } = costs
  const data = rows.map(({ name, index, question }) => ({ name, index, question }))
  const said =
    against === null
      ? ''
      : `; break-even: with which numbers of questions index and questions together ${unit === 'money' ? 'cost less' : 'take fewer tokens'} than those of the row chosen`
  return `<div class="costs" data-unit="${unit}" data-costs="${escapeXml(JSON.stringify(data))}">
<label hidden>Break-even with <select data-against="${escapeXml(against ?? '')}"></select></label>
${gridHtml(costsGrid(costs), `What it costs: dollars, tokens of language models, seconds of calls to models${said}`)}</div>`
}

function costsGrid({ rows, unit, against }: RowCosts): Grid {
  const priced = unit === 'money'
  const whole = (value: number | undefined): string => (value === undefined ? '–' : counted(Math.round(value)))
  const dollars = (value: number | undefined): string => (value === undefined ? '–' : inDollars(value))
  return textGrid(
    [
      ...present('method', priced && ['$ of 1,000 questions', '$ of the index']),
      ...['tokens a question', 'tokens of the index', 'seconds a question', 'seconds of the index'],
      `break-even with ${against ?? 'no row'}`,
    ],
    rows.map(({ name, question, index, breakEven }) =>
      present(
        name,
        priced && [dollars(question?.money && 1000 * question.money), dollars(index.money)],
        [whole(question?.tokens), whole(index.tokens)],
        [question?.seconds?.toFixed(2) ?? '–', index.seconds?.toFixed(2) ?? '–', breakEvenWords(breakEven)],
      ),
    ),
  )
}

/** A table that scrolls by itself where it is wider than the page. `behind`: markup after the name of a row. */
export function gridHtml(
  { labels = 1, head, rows }: Grid,
  caption: string,
  behind: (row: number) => string = () => '',
): string {
  // the name of the row stays where the table scrolls
  const stays = head.findIndex((title) => title !== '')
  const classOf = (index: number): string =>
    index === stays ? ' class="stays"' : index < labels ? '' : ' class="number"'
  const titles = head.map((title, index) => `<th scope="col"${classOf(index)}>${escapeXml(title)}</th>`)
  const body = rows.map((cells, row) => {
    const shown = cells.map(({ text, best }, index) => {
      const inside = best ? `<b>${escapeXml(text)}</b>` : escapeXml(text)
      return index === labels - 1
        ? `<th scope="row"${classOf(index)}>${inside}${behind(row)}</th>`
        : `<td${classOf(index)}>${inside}</td>`
    })
    return `<tr>${shown.join('')}</tr>`
  })
  return `<p class="caption">${escapeXml(caption)}</p><div class="wide" tabindex="0" role="region" aria-label="${escapeXml(caption)}"><table><thead><tr>${titles.join('')}</tr></thead><tbody>${body.join('')}</tbody></table></div>`
}

/** What a table says in one sentence: questions, which rows lead, how many differ, what it could have seen. */
export function verdictOf({ comparison, notCompared }: Pick<Table, 'comparison' | 'notCompared'>): string {
  if (!comparison)
    return notCompared === undefined ? 'There are no two rows to compare.' : `Rows are not compared: ${notCompared}.`
  const { fewest, questions, pairs, alpha } = comparison
  const on = `On ${fewest < questions ? `${fewest} to ` : ''}${plural(questions, 'question')}`
  if (!canReach(comparison)) return `${on}: too few for any test to find a difference.`
  const said = pairs.some(({ pAdjusted }) => pAdjusted <= alpha)
    ? [leading(comparison), differing(comparison)]
    : ['no two rows are shown to differ']
  return `${on}: ${[...said, letterDifference(comparison)].join('; ')}.`
}

/** The rows that are above all others by their means or, with a test, that no row is shown to be better than. */
function leading(comparison: RowComparison): string {
  const { rows } = comparison
  const sorted = [...rows].sort((a, b) => b.mean - a.mean || b.better.length - a.better.length)
  const [first, ...others] = sorted
  if (!first) return 'nothing was compared'
  const baseline = baselineOf(comparison)
  if (baseline && !(others.length === 1 && first.better.length > 0)) {
    // the others were compared with the baseline, not with each other
    const isAbove = first.better.includes(baseline.letter)
    return `${highest(sorted, first)}${isAbove ? ` and is shown to be above ${rowName(baseline)}` : ''}`
  }
  const level = others.filter(({ letter }) => !first.better.includes(letter))
  if (level.length === 0) return `${rowName(first)} leads`
  if (level.length < Math.min(others.length, mostLeaders)) return `${named([first, ...level])} lead`
  const worse = others.length - level.length
  return `${highest(sorted, first)}; ${worse === 0 ? 'no other row' : `only ${worse} of ${plural(others.length, 'other row')}`} ${worse > 1 ? 'are' : 'is'} shown to be worse than ${rowName(first)}`
}

/** More rows than these are no lead. */
const mostLeaders = 4

const highest = (sorted: readonly ComparedRow[], first: ComparedRow): string => {
  const equal = sorted.filter(({ mean }) => first.mean - mean <= rounding)
  return `${named(equal)} ${equal.length === 1 ? 'has' : 'have'} the highest score`
}

function named(rows: readonly ComparedRow[]): string {
  const names = rows.map(rowName)
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
}

function differing(comparison: RowComparison): string {
  const { pairs, alpha } = comparison
  const count = pairs.filter(({ pAdjusted }) => pAdjusted <= alpha).length
  const baseline = baselineOf(comparison)
  return baseline
    ? `${count} of ${plural(pairs.length, 'row')} ${count === 1 ? 'differs' : 'differ'} from ${rowName(baseline)} after the correction`
    : `${count} of ${plural(pairs.length, 'pair')} ${count === 1 ? 'differs' : 'differ'} after the correction`
}
