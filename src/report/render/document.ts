import type { Manifest } from '../../records.ts'
import { costCaption } from '../../text/amounts.ts'
import type { Table } from '../table/table.ts'
import { allColumns } from './columns.ts'
import { conditionsOf } from './conditions.ts'
import { decisionMessages, pairsTable, pairsTitle } from './decision.ts'
import { describeAcross, type AcrossDescription } from './describe-across.ts'
import { offlineBanners } from './notes-on-data.ts'
import { notesOf, shortNotes } from './notes.ts'
import { correctedTitle, mainColumn } from './score-columns.ts'
import { costTable, scoreTable, shortTable } from './tables.ts'
import { compactTable, omissionNote, type TextTable } from './text-table.ts'

/** The table of a run or series. `run`: name of the results folder, if several are rendered. */
export interface RenderedRun {
  readonly run?: string
  readonly manifest: Manifest
  readonly table: Table
}

/**
 * `columns`: names of columns; default all. `isShort`: one table, the recommendation and three notes. `isTerminal`:
 * only informative columns, and seconds.
 */
export interface DocumentParts {
  readonly columns?: readonly string[] | undefined
  readonly isShort?: boolean
  readonly pairs?: boolean
  readonly isTerminal?: boolean
}

/** A table, or lines that belong together, notes last. */
export type Block = TextTable | readonly Line[]

type Line = readonly [kind: 'title' | 'heading' | 'text' | 'strong' | 'note', text: string]

/** Tables with notes and costs, then comparisons of runs. */
export const documentOf = (runs: readonly RenderedRun[], parts: DocumentParts): readonly Block[] =>
  [
    ...runs.flatMap((run) => [
      parts.isTerminal && run.run !== undefined ? linesOf('heading', [run.run]) : [],
      ...(parts.isShort ? shortBlocks(run) : fullBlocks(run, parts)),
    ]),
    ...overRuns(runs).flatMap(({ title, tables, notes }) => {
      const most = parts.isTerminal && parts.isShort ? 1 : Infinity
      return [linesOf('heading', [title]), ...tables.slice(0, most), linesOf('note', notes.slice(0, most))]
    }),
  ].filter((block) => 'head' in block || block.length > 0)

/** Comparisons over runs, without duplicates. */
export const overRuns = (runs: readonly RenderedRun[]): readonly AcrossDescription[] =>
  [...new Set(runs.flatMap(({ table: { across } }) => across ?? []))].map(describeAcross)

const linesOf = (kind: Line[0], texts: readonly string[]): readonly Line[] => texts.map((text) => [kind, text])

const shortBlocks = ({ manifest, table }: RenderedRun): readonly Block[] => [
  [['title', table.name], ['text', conditionsOf(manifest)], ...linesOf('strong', offlineBanners(manifest, table))],
  shortTable(manifest, table),
  [...linesOf('strong', decisionMessages(table)), ...linesOf('note', shortNotes(manifest, table))],
]

function fullBlocks({ manifest, table }: RenderedRun, parts: DocumentParts): readonly Block[] {
  const { columns, pairs, isTerminal } = parts
  const { comparison } = table
  const main = mainColumn(manifest, table)
  const visibleOf = (all: TextTable, isWhole: boolean, stay?: readonly string[]) =>
    isTerminal && !isWhole ? compactTable(all, stay) : { compact: all, omissions: [] }
  const scores = visibleOf(
    scoreTable(manifest, table, columns),
    columns !== undefined,
    main && [main.label, correctedTitle(main)],
  )
  const costs = visibleOf(costTable(manifest, table, isTerminal), columns?.includes(allColumns) === true)
  const pairTitles: readonly Line[] = comparison
    ? [
        ['heading', 'Pairs'],
        ['text', `${pairsTitle(comparison)}.`],
      ]
    : []
  return [
    [
      ['title', table.name],
      ['text', conditionsOf(manifest)],
    ],
    scores.compact,
    linesOf('note', [...omissionNote(scores.omissions), ...notesOf(manifest, table)]),
    ...(pairs && comparison ? [pairTitles, pairsTable(comparison)] : []),
    [
      ['heading', 'Cost'],
      ['text', costCaption],
    ],
    costs.compact,
    linesOf('note', omissionNote(costs.omissions)),
    linesOf('strong', decisionMessages(table, isTerminal)),
  ]
}
