import { sum } from '../../math/statistics/descriptive.ts'
import { formatCount, formatDollars, percent, plural } from '../../text/amounts.ts'
import type { GraphHealth, Phase } from '../../types.ts'
import type { Row } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { isReferenceRow, isRow } from '../compare/rows-to-compare.ts'
import { breakEven, costUnit, type CostUnit } from '../gather/costs-of-row.ts'
import type { RowSummary } from '../gather/row-summary.ts'
import type { TableRow } from '../table/table.ts'
import type { ShownRow, TableColumn, View } from './rows.ts'
import { orDash } from './text-table.ts'

const wholeCount = (value: number) => formatCount(Math.round(value))

const extractionPrecision = ({ checked, grounded }: NonNullable<RowSummary['names']>) =>
  `${percent(grounded / checked)} of ${formatCount(checked)}`

const graphColumn = (title: string, textOf: (graph: GraphHealth) => string): TableColumn => ({
  title,
  cell: ({ summary }) => orDash(summary.graph, textOf),
  shownIn: ['named'],
  when: ({ rows }) => rows.some(({ summary }) => summary.graph !== undefined),
})

/** Graph counts, shown only if `--columns` names them. */
export const graphColumns: readonly TableColumn[] = [
  graphColumn('nodes', ({ nodes }) => wholeCount(nodes)),
  graphColumn('edges', ({ edges }) => wholeCount(edges)),
  graphColumn('components', ({ components }) => orDash(components, wholeCount)),
  graphColumn('largest component', ({ largest, nodes }) =>
    largest === null || nodes === 0 ? '–' : percent(largest / nodes),
  ),
]

/** Columns after the scores, in every format. To add one, add a record. */
export const countColumns: readonly TableColumn[] = [
  { title: 'trials', cell: ({ summary }) => summary.trials },
  { title: 'failed trials', cell: ({ summary }) => summary.failed },
  { title: 'failed scores', cell: ({ summary }) => summary.failedScores },
  { title: 'failed', shownIn: ['short'], cell: ({ summary }) => summary.failed + summary.failedScores },
  {
    title: 'context tokens',
    cell: ({ summary }) => orDash(summary.contextTokens, (tokens) => tokens.toFixed(0)),
    when: ({ manifest }) => manifest.answers !== 'none',
  },
  {
    title: 'grounded',
    cell: ({ summary: { names } }) => (names?.checked ? extractionPrecision(names) : '–'),
    when: (table) => table.rows.some(({ summary }) => summary.names !== undefined),
  },
  ...graphColumns,
]

/** The number of components and the largest; empty if unknown. */
export const componentWords = ({ nodes, components, largest }: GraphHealth) =>
  components === null || largest === null || nodes === 0
    ? []
    : [
        `${plural(components, 'connected component')}, the largest of ${formatCount(largest)}` +
          ` of ${formatCount(nodes)} nodes (${percent(largest / nodes)})`,
      ]

const costViews = ['cost', 'timed'] as const

const usageColumns = (name: string, phases: readonly Phase[], when?: TableColumn['when']): readonly TableColumn[] =>
  Object.entries({
    calls: 'calls',
    prompt: 'promptTokens',
    completion: 'completionTokens',
    embedded: 'embeddedTokens',
  } as const).map(([word, field]) => ({
    title: `${name} ${word}`,
    shownIn: costViews,
    cell({ usage }) {
      const cells = usage.filter(({ phase }) => phases.includes(phase))
      return formatCount(sum(cells.map((cell) => cell[field])))
    },
    ...(when && { when }),
  }))

const rowColumn = (
  title: string,
  shownIn: readonly View[],
  cell: (row: TableRow) => string,
  unit?: CostUnit,
): TableColumn => ({
  title,
  shownIn,
  cell: ({ summary }) => cell(summary),
  when: ({ rows }) => unit === undefined || unit === costUnit(rows.map(({ summary }) => summary.costs)),
})

const withDigits = (digits: number) => (value: number) => value.toFixed(digits)

/** The question from which on a row is cheaper than `vector`, the baseline or the first row, index included. */
function breakEvenColumn(rows: readonly ShownRow[], baseline: Row | undefined): readonly TableColumn[] {
  const base =
    rows.find(({ method }) => method.use === 'vector') ??
    rows.find(({ method }) => baseline && isRow(method, baseline)) ??
    rows.find(({ method }) => !isReferenceRow(method))
  if (!base) return []
  const unit = costUnit(rows.map(({ summary }) => summary.costs))
  const cell = ({ index, summary }: ShownRow) =>
    index === base.index ? '–' : breakEven(summary.costs, base.summary.costs, unit)
  return [{ title: `break-even with ${rowName(base.method)}`, shownIn: ['page'], cell }]
}

export const costColumns = (rows: readonly ShownRow[], baseline: Row | undefined): readonly TableColumn[] => [
  ...usageColumns('index', ['index']),
  ...usageColumns('query', ['retrieve', 'answer']),
  rowColumn('tokens per question', ['short', 'page', ...costViews], ({ costs }) =>
    orDash(costs.question?.tokens, wholeCount),
  ),
  ...usageColumns('judge', ['judge'], ({ rows }) =>
    rows.some(({ usage }) => usage.some(({ phase, calls }) => phase === 'judge' && calls > 0)),
  ),
  {
    title: 'money',
    shownIn: costViews,
    // a dash if any model has no price
    cell({ usage }) {
      const total = sum(usage.map(({ money = NaN }) => money))
      return Number.isNaN(total) ? '–' : total.toFixed(4)
    },
    when: ({ rows }) => rows.some(({ usage }) => usage.some(({ money }) => money !== undefined)),
  },
  rowColumn(
    '$ per 1,000 questions',
    ['page'],
    ({ costs }) => orDash(costs.question?.money, (money) => formatDollars(1000 * money)),
    'money',
  ),
  rowColumn('index tokens', ['short'], ({ costs }) => wholeCount(costs.index.tokens), 'tokens'),
  rowColumn('index tokens', ['page'], ({ costs }) => wholeCount(costs.index.tokens)),
  rowColumn('index $', ['short', 'page'], ({ costs }) => orDash(costs.index.money, formatDollars), 'money'),
  rowColumn('index seconds', ['timed', 'page'], ({ costs }) => orDash(costs.index.seconds, withDigits(2))),
  rowColumn('seconds per question', ['timed', 'page'], ({ costs }) => orDash(costs.question?.seconds, withDigits(2))),
  ...breakEvenColumn(rows, baseline),
]
