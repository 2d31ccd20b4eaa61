import type { Manifest } from '../../records.ts'
import type { Table, TableRow } from '../table/table.ts'
import { unseenCalls } from '../../basics/metrics.ts'
import { isRow } from '../compare/rows-to-compare.ts'

/** A count of a series by row. */
export interface FlawColumn {
  readonly title: string
  readonly counts: readonly number[]
}

/** What went wrong in the rows of a series, by kind; none of a run by itself, whose notes tell it. */
export function flawColumns({ series }: Pick<Manifest, 'series'>, { rows, usage }: Table): readonly FlawColumn[] {
  if (!series) return []
  const column = (title: string, of: (row: TableRow) => number): FlawColumn => ({ title, counts: rows.map(of) })
  const replies = (flaw: 'cut' | 'repaired' | 'partial') => (row: TableRow) =>
    sum(usage.filter((one) => isAsking(one, row)).map((one) => one[flaw] ?? 0))
  const kinds = [...new Set(rows.flatMap(({ failureKinds = {} }) => Object.keys(failureKinds)))].sort()
  const all = [
    ...kinds.map((kind) => column(`failed: ${kind}`, ({ failureKinds = {} }) => failureKinds[kind] ?? 0)),
    column('unreadable choices', ({ unreadable }) => unreadable),
    column('fallbacks', ({ fallbacks }) => sum(Object.values(fallbacks))),
    column('cut replies', replies('cut')),
    column('repaired replies', replies('repaired')),
    column('partial replies', replies('partial')),
    column('ungrounded names', ({ names }) => (names ? names.checked - names.grounded : 0)),
    column('index warnings', ({ warnings }) => {
      return sum(Object.entries(warnings).flatMap(([words, count]) => (words === unseenCalls ? [] : [count])))
    }),
  ]
  return all.filter(({ counts }) => counts.some((count) => count > 0))
}

/** Not of judges: these are no part of a method. */
const isAsking = (one: Table['usage'][number], row: TableRow): boolean => isRow(one, row) && one.phase !== 'judge'

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
