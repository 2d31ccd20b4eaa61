import { unseenCalls } from '../../basics/metrics.ts'
import { sum } from '../../math/statistics/descriptive.ts'
import { formatCount, percent } from '../../text/amounts.ts'
import type { GraphHealth, Phase } from '../../types.ts'
import type { RowSummary } from '../table/row-summary.ts'
import type { UsageCell } from '../table/table.ts'
import type { ShownRow, ShownTable, TableColumn } from './rows.ts'

/** The columns behind the scores. Every format shows them: to add one is to add a record. */
export const countColumns = (rows: readonly ShownRow[]): readonly TableColumn[] => [
  { title: 'trials', cell: ({ summary }) => summary.trials },
  { title: 'failed trials', cell: ({ summary }) => summary.failed },
  { title: 'failed scores', cell: ({ summary }) => summary.failedScores },
  ...failureKinds(rows).map((kind) => flaw(`failed: ${kind}`, ({ failureKinds: kinds }) => kinds?.[kind] ?? 0)),
  flaw('unreadable choices', ({ unreadable }) => unreadable),
  flaw('fallbacks', ({ fallbacks }) => sum(Object.values(fallbacks))),
  flaw('cut replies', (_, usage) => sum(usage.map(({ cut = 0 }) => cut))),
  flaw('repaired replies', (_, usage) => sum(usage.map(({ repaired = 0 }) => repaired))),
  flaw('partial replies', (_, usage) => sum(usage.map(({ partial = 0 }) => partial))),
  flaw('ungrounded names', ({ names }) => (names ? names.checked - names.grounded : 0)),
  flaw('index warnings', ({ warnings }) => sum(Object.values({ ...warnings, [unseenCalls]: 0 }))),
  {
    title: 'context tokens',
    cell: ({ summary }) => summary.contextTokens?.toFixed(0) ?? '–',
    when: ({ manifest }) => manifest.answers !== 'none',
  },
  {
    title: 'grounded',
    cell: ({ summary: { names } }) => (names?.checked ? groundedText(names) : '–'),
    when: (table) => table.rows.some(({ summary }) => summary.names !== undefined),
  },
  ...graphColumns,
]

const failureKinds = (rows: readonly ShownRow[]): readonly string[] =>
  [...new Set(rows.flatMap(({ summary }) => Object.keys(summary.failureKinds ?? {})))].sort()

/** What went wrong in the rows of a series; the notes tell it of a run by itself. Judges are no part of a method. */
function flaw(title: string, countOf: (row: RowSummary, usage: readonly UsageCell[]) => number): TableColumn {
  const count = ({ summary, usage }: ShownRow): number =>
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

export const groundedText = ({ checked, grounded }: NonNullable<RowSummary['names']>): string =>
  `${percent(grounded / checked)} of ${formatCount(checked)}`

const ofGraph = (title: string, textOf: (graph: GraphHealth) => string): TableColumn => ({
  title,
  cell: ({ summary: { graph } }) => (graph ? textOf(graph) : '–'),
  when: ({ rows, isNamed = false }) => isNamed && rows.some(({ summary }) => summary.graph !== undefined),
})

/** What is counted in graphs, shown where columns are named. */
export const graphColumns: readonly TableColumn[] = [
  ofGraph('nodes', ({ nodes }) => formatCount(Math.round(nodes))),
  ofGraph('edges', ({ edges }) => formatCount(Math.round(edges))),
  ofGraph('components', ({ components }) => (components === null ? '–' : formatCount(Math.round(components)))),
  ofGraph('largest component', ({ largest, nodes }) =>
    largest === null || nodes === 0 ? '–' : percent(largest / nodes),
  ),
]

const usageText = (name: string, phases: readonly Phase[]): readonly TableColumn[] =>
  (
    [
      ['calls', 'calls'],
      ['prompt', 'promptTokens'],
      ['completion', 'completionTokens'],
      ['embedded', 'embeddedTokens'],
    ] as const
  ).map(([word, field]) => ({
    title: `${name} ${word}`,
    cell: ({ usage }) => formatCount(sum(usage.flatMap((one) => (phases.includes(one.phase) ? [one[field]] : [])))),
  }))

const isTimed = ({ isTimed: timed = false }: ShownTable): boolean => timed

const isJudged = ({ rows }: ShownTable): boolean =>
  rows.some(({ usage }) => usage.some(({ phase, calls }) => phase === 'judge' && calls > 0))

/** Calls, tokens, money and seconds of a row. */
export const costColumns: readonly TableColumn[] = [
  ...usageText('index', ['index']),
  ...usageText('query', ['retrieve', 'answer']),
  {
    title: 'query prompt per question',
    cell: ({ summary }) => summary.perQuestion?.promptTokens.toFixed(1) ?? '–',
  },
  {
    title: 'query completion per question',
    cell: ({ summary }) => summary.perQuestion?.completionTokens.toFixed(1) ?? '–',
  },
  ...usageText('judge', ['judge']).map((column) => ({ ...column, when: isJudged })),
  {
    title: 'money',
    // a dash where a phase used a model without a price
    cell: ({ usage }) =>
      usage.some(({ money }) => money === undefined) ? '–' : sum(usage.map(({ money = 0 }) => money)).toFixed(4),
    when: ({ rows }) => rows.some(({ usage }) => usage.some(({ money }) => money !== undefined)),
  },
  {
    title: 'index seconds',
    cell: ({ summary }) => summary.costs.index.seconds?.toFixed(2) ?? '–',
    when: isTimed,
  },
  {
    title: 'seconds per question',
    cell: ({ summary }) => summary.costs.question?.seconds?.toFixed(2) ?? '–',
    when: isTimed,
  },
]
