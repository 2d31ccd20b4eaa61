import { quotedRow } from '../csv.ts'
import type { Entity, Relationship } from '../tables.ts'
import { reportContext, type ReportContext } from './context.ts'

/** A community inside the one that is reported on, with what its own report was written from; `report` is its text. */
export interface SubCommunity {
  readonly id: number
  readonly members: readonly Entity[]
  readonly relationships: readonly Relationship[]
  readonly report?: string
}

/** A context of which parts are reports; `reports` are their communities. */
export interface MixedContext extends ReportContext {
  readonly reports: readonly number[]
}

/**
 * What a community that is too large is reported from (section 2.8): of its sub-communities, the largest first, the tables are replaced
 * by the report, until the whole fits; one without a report keeps its tables. Where even all reports are too long, as many of them as fit.
 */
export function subReportContext(
  children: readonly SubCommunity[],
  tokens: number,
  count: (text: string) => number,
): MixedContext {
  const sorted = children
    .map((child) => ({ child, size: tablesOf([child], count).tokens }))
    .sort((a, b) => b.size - a.size)
    .map(({ child }) => child)
  const reported: (SubCommunity & { report: string })[] = []
  for (const [place, { report, ...child }] of sorted.entries()) {
    if (report === undefined) continue
    reported.push({ ...child, report })
    const unreported = sorted.filter((one, other) => other > place || one.report === undefined)
    const mixed = tablesOf(unreported, count, [`----Reports-----\n${reportTable(reported)}`])
    if (mixed.tokens <= tokens) return { ...mixed, reports: reported.map(({ id }) => id) }
  }
  let fitting = 0
  while (fitting < reported.length && count(reportTable(reported.slice(0, fitting + 1))) <= tokens) fitting++
  const text = fitting > 0 ? reportTable(reported.slice(0, fitting)) : ''
  return {
    text,
    tokens: count(text),
    entities: [],
    relationships: [],
    reports: reported.slice(0, fitting).map(({ id }) => id),
  }
}

function tablesOf(
  children: readonly SubCommunity[],
  count: (text: string) => number,
  before: readonly string[] = [],
): ReportContext {
  const relationships = new Map(children.flatMap(({ relationships }) => relationships.map((one) => [one.id, one])))
  const ordered = [...relationships.values()].sort((a, b) => b.combinedDegree - a.combinedDegree || a.id - b.id)
  return reportContext(
    children.flatMap(({ members }) => members),
    ordered,
    Infinity,
    count,
    before,
  )
}

const reportTable = (reported: readonly { readonly id: number; readonly report: string }[]): string =>
  [['community', 'full_content'], ...reported.map(({ id, report }) => [id, report])]
    .map((row) => quotedRow(row, ','))
    .join('')
