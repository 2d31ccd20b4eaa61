import { ModelError } from '../../../errors.ts'
import { writeReport } from '../../../tasks/graphrag/write-report.ts'
import type { Models } from '../../../types.ts'
import { attempt } from '../../shared/attempt.ts'
import type { Community, Report } from '../tables.ts'
import { reportMarkdown } from './markdown.ts'

/** Gives the text that a community is reported from, given the reports of the levels below it. */
export type ContextOf = (community: Community, below: ReadonlyMap<number, Report>) => string

/**
 * A report on every community, from the deepest level up (section 2.8), in the order of the table. One whose reply could not be read or
 * was refused has none: `lost` counts them.
 */
export async function writeReports(
  communities: readonly Community[],
  contextOf: ContextOf,
  words: number,
  models: Models,
): Promise<{ readonly reports: readonly Report[]; readonly lost: number }> {
  const written = new Map<number, Report>()
  const levels = [...new Set(communities.map(({ level }) => level))].sort((a, b) => b - a)
  for (const level of levels) {
    const own = communities.filter((community) => community.level === level)
    const replies = await Promise.all(
      own.map((community) => attempt(models, writeReport, { context: contextOf(community, written), words })),
    )
    for (const [place, { id }] of own.entries()) {
      const reply = replies[place]
      if (reply === undefined || reply instanceof ModelError) continue
      const { title, summary, rating, findings } = reply
      const report = { title, summary, findings }
      written.set(id, { community: id, level, ...report, fullContent: reportMarkdown(report), rank: rating })
    }
  }
  const reports = communities.flatMap(({ id }) => written.get(id) ?? [])
  return { reports, lost: communities.length - reports.length }
}
