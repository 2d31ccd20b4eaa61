import { plainRow, pythonFloat, quotedRow } from '../csv.ts'
import type { Report } from '../tables.ts'
import type { Visible } from './visible.ts'

/** Reports that go to one map call. */
export interface Batch {
  readonly reports: readonly Report[]
  readonly tokens: number
  readonly text: string
}

/** The distinct text units of each community's entities, as a share of the most that any reported community has. */
export function occurrenceWeights({ entities, reports, communitiesOf }: Visible): ReadonlyMap<number, number> {
  const units = new Map(reports.map(({ community }) => [community, new Set<number>()]))
  for (const { id, textUnitIds } of entities) {
    for (const community of communitiesOf.get(id) ?? []) {
      for (const unit of textUnitIds) units.get(community)?.add(unit)
    }
  }
  const most = [...units.values()].reduce((largest, { size }) => Math.max(largest, size), 1)
  return new Map([...units].map(([community, { size }]) => [community, size / most]))
}

/**
 * Reports in the order given, packed into batches of so many tokens (section 3); each batch is sorted by weight, then rank. One that is
 * too long by itself makes a batch of its own. The name of the table is counted and not written, as in the reference.
 */
export function globalBatches(
  reports: readonly Report[],
  weights: ReadonlyMap<number, number>,
  tokens: number,
  count: (text: string) => number,
  content: 'fullContent' | 'summary' = 'fullContent',
): readonly Batch[] {
  const head = plainRow(['id', 'title', 'occurrence weight', content === 'summary' ? 'summary' : 'content', 'rank'])
  const weightOf = ({ community }: Report) => weights.get(community) ?? 0
  const fields = (report: Report) => [
    report.community,
    report.title,
    pythonFloat(weightOf(report)),
    report[content],
    pythonFloat(report.rank),
  ]
  const start = count(`-----Reports-----\n${head}`)
  const packed: { reports: Report[]; tokens: number }[] = []
  for (const report of reports) {
    const cost = count(plainRow(fields(report)))
    const last = packed.at(-1)
    if (last && last.tokens + cost <= tokens) {
      last.reports.push(report)
      last.tokens += cost
    } else packed.push({ reports: [report], tokens: start + cost })
  }
  return packed.map((batch) => {
    const sorted = batch.reports.toSorted((a, b) => weightOf(b) - weightOf(a) || b.rank - a.rank)
    const text = head + sorted.map((report) => quotedRow(fields(report), '|')).join('')
    return { reports: sorted, text, tokens: count(text) }
  })
}
