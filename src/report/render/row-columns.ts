import { unseenCalls } from '../../basics/metrics.ts'
import { sum } from '../../math/statistics/descriptive.ts'
import { formatCount, formatDollars, percent, plural } from '../../text/amounts.ts'
import type { GraphHealth, Phase } from '../../types.ts'
import type { Row } from '../../records.ts'
import { rowName } from '../../text/names.ts'
import { isReferenceRow, isRow } from '../compare/rows-to-compare.ts'
import { breakEven, costUnit, type CostUnit } from '../gather/costs-of-row.ts'
import type { RowSummary } from '../gather/row-summary.ts'
import type { UsageCell } from '../gather/usage.ts'
import type { Table, TableRow } from '../table/table.ts'
import type { ShownRow, TableColumn, View } from './rows.ts'
import { orDash } from './text-table.ts'

/** Columns after the scores, in every format. To add one, add a record. */
export const countColumns = (rows: readonly ShownRow[]): readonly TableColumn[] => [
  { title: 'trials', cell: ({ summary }) => summary.trials },
  { title: 'failed trials', cell: ({ summary }) => summary.failed },
  { title: 'failed scores', cell: ({ summary }) => summary.failedScores },
  { title: 'failed', shownIn: ['short'], cell: ({ summary }) => summary.failed + summary.failedScores },
  ...failureKinds(rows).map((kind) => flawColumn(`failed: ${kind}`, ({ failureKinds: kinds }) => kinds?.[kind] ?? 0)),
  flawColumn('unreadable choices', ({ unreadable }) => unreadable),
  flawColumn('fallbacks', ({ fallbacks }) => sum(Object.values(fallbacks))),
  flawColumn('cut replies', (_, usage) => sum(usage.map(({ cut = 0 }) => cut))),
  flawColumn('repaired replies', (_, usage) => sum(usage.map(({ repaired = 0 }) => repaired))),
  flawColumn('partial replies', (_, usage) => sum(usage.map(({ partial = 0 }) => partial))),
  flawColumn('ungrounded names', ({ names }) => (names ? names.checked - names.grounded : 0)),
  flawColumn('index warnings', ({ warnings }) => sum(Object.values({ ...warnings, [unseenCalls]: 0 }))),
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

const wholeCount = (value: number) => formatCount(Math.round(value))

const failureKinds = (rows: readonly ShownRow[]) =>
  [...new Set(rows.flatMap(({ summary }) => Object.keys(summary.failureKinds ?? {})))].sort()

/** A count shown for series only; notes report it for single runs. Judge calls do not count. */
function flawColumn(title: string, countOf: (row: RowSummary, usage: readonly UsageCell[]) => number): TableColumn {
  const count = ({ summary, usage }: ShownRow) =>
    countOf(
      summary,
      usage.filter(({ phase }) => phase !== 'judge'),
    )
  return {
    title,
    cell: (row) => formatCount(count(row)),
    when: ({ manifest, rows }) => manifest.series !== undefined && rows.some((row) => count(row) > 0),
  }
}

export const extractionPrecision = ({ checked, grounded }: NonNullable<RowSummary['names']>) =>
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

/** The note on graph columns, if the table shows any. */
export function graphNotes({ head }: { readonly head: readonly string[] }, { rows }: Table) {
  const hasGraph = rows.some(({ graph }) => graph)
  const hasGraphColumn = graphColumns.some(({ title }) => head.includes(title))
  return hasGraph && hasGraphColumn ? [graphNote] : []
}

const graphNote = 'Graph counts are sums over corpora; an edge is a pair of nodes.'

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
  rowColumn('query prompt per question', costViews, ({ perQuestion }) =>
    orDash(perQuestion?.promptTokens, withDigits(1)),
  ),
  rowColumn('query completion per question', costViews, ({ perQuestion }) =>
    orDash(perQuestion?.completionTokens, withDigits(1)),
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
  rowColumn('tokens per question', ['short', 'page'], ({ costs }) => orDash(costs.question?.tokens, wholeCount)),
  rowColumn('index tokens', ['short'], ({ costs }) => wholeCount(costs.index.tokens), 'tokens'),
  rowColumn('index tokens', ['page'], ({ costs }) => wholeCount(costs.index.tokens)),
  rowColumn('index $', ['short', 'page'], ({ costs }) => orDash(costs.index.money, formatDollars), 'money'),
  rowColumn('index seconds', ['timed', 'page'], ({ costs }) => orDash(costs.index.seconds, withDigits(2))),
  rowColumn('seconds per question', ['timed', 'page'], ({ costs }) => orDash(costs.question?.seconds, withDigits(2))),
  ...breakEvenColumn(rows, baseline),
]
