import { groupBy } from '../../basics/collections.ts'
import { memoise } from '../../basics/memoise.ts'
import { ModelError } from '../../errors.ts'
import { writeReport } from '../../tasks/graphrag-index.ts'
import { groundingOf } from '../../tasks/grounding.ts'
import type { Models } from '../../types.ts'
import { attempt } from '../shared/attempt.ts'
import type { GraphragOptions } from './options.ts'
import { quotedRow, type Community, type Entity, type Relationship, type Report } from './tables.ts'

/** Tokens of what a report is made of, and words of the longest report that is asked for (release 3.1.2). */
const reportLimits = { tokens: 8000, words: 2000 }

/**
 * A report on every community (section 2.8), in the order of the table, from the text that `contextOf` gives. One whose
 * reply could not be read, was refused, or repeats the example of the prompt is missing: `lost` counts them.
 */
export async function writeReports(
  communities: readonly Community[],
  contextOf: (community: Community) => string,
  models: Models,
): Promise<{ readonly reports: readonly Report[]; readonly lost: number }> {
  const written = await Promise.all(
    communities.map(async (community): Promise<readonly Report[]> => {
      const { words } = reportLimits
      const context = contextOf(community)
      const reply = await attempt(models, writeReport, { context, words })
      if (reply instanceof ModelError) return []
      const { title, summary, rating, findings: written } = reply
      const keep = groundingOf('count').on(context)
      const findings = keep(writeReport, written, (finding) => ({ told: [finding.summary, finding.explanation] }))
      // a report of another group: the one that the prompt shows
      if (keep(writeReport, [reply], () => ({ told: [title, summary] })).length === 0) return []
      const fullContent = reportMarkdown({ title, summary, findings })
      return [{ community: community.id, level: community.level, title, fullContent, rank: rating }]
    }),
  )
  const reports = written.flat()
  return { reports, lost: communities.length - reports.length }
}

interface WrittenReport {
  readonly title: string
  readonly summary: string
  readonly findings: readonly { readonly summary: string; readonly explanation: string }[]
}

/** A report as Markdown: title, summary, findings; equal to all published ones (section 2.8). */
export const reportMarkdown = ({ title, summary, findings }: WrittenReport): string =>
  `# ${title}\n\n${summary}\n\n${findings.map((finding) => `## ${finding.summary}\n\n${finding.explanation}`).join('\n\n')}`

/** Reports from the tables of entities and relationships (section 2.8), cut to `tokens`. */
export function tableContexts(
  entities: readonly Entity[],
  relationships: readonly Relationship[],
  communities: readonly Community[],
  reportEdges: GraphragOptions['reportEdges'],
  count: (text: string) => number,
): (community: Community) => string {
  const byId = new Map(entities.map((entity) => [entity.id, entity]))
  const levelAt = memoise((level: number) => levelOf(communities, level, entities, relationships))
  return ({ entityIds, level }) => {
    const members = entityIds.flatMap((id) => byId.get(id) ?? [])
    const chosen = candidates(members, levelAt(level), reportEdges)
    return reportContext(members, chosen, reportLimits.tokens, count).text
  }
}

/** The relationships between members of a level, by the title of their source and of their target, in table order. */
interface Level {
  readonly bySource: ReadonlyMap<string, readonly Relationship[]>
  readonly byTarget: ReadonlyMap<string, readonly Relationship[]>
}

/** A level of communities: the relationships between entities that are in any of its communities. */
export function levelOf(
  communities: readonly Community[],
  level: number,
  entities: readonly Entity[],
  relationships: readonly Relationship[],
): Level {
  const ids = new Set(communities.filter((one) => one.level === level).flatMap(({ entityIds }) => entityIds))
  const titles = new Set(entities.filter(({ id }) => ids.has(id)).map(({ title }) => title))
  const within = relationships.filter(({ source, target }) => titles.has(source) && titles.has(target))
  return { bySource: groupBy(within, ({ source }) => source), byTarget: groupBy(within, ({ target }) => target) }
}

/**
 * The relationships that a report is made of (section 2.8), by combined degree, then id. `inner`: those inside the
 * community. `level`: all between members of the level that touch it. `first`: of each member the first of the level
 * where it is source, else target.
 */
export function candidates(
  members: readonly Pick<Entity, 'title'>[],
  { bySource, byTarget }: Level,
  edges: GraphragOptions['reportEdges'],
): readonly Relationship[] {
  const titles = new Set(members.map(({ title }) => title))
  const from = (title: string) => bySource.get(title) ?? []
  const to = (title: string) => byTarget.get(title) ?? []
  const chosen = {
    inner: (title: string) => from(title).filter(({ target }) => titles.has(target)),
    level: (title: string) => [...from(title), ...to(title)],
    first: (title: string) => [...from(title).slice(0, 1), ...to(title)].slice(0, 1),
  }
  const found = new Set(Array.from(titles, chosen[edges]).flat())
  return [...found].sort((a, b) => b.combinedDegree - a.combinedDegree || a.id - b.id)
}

/** What a report is written from, with the rows that it holds. */
interface ReportContext {
  readonly text: string
  readonly tokens: number
  readonly entities: readonly Entity[]
  readonly relationships: readonly Relationship[]
}

/** The tables that a report is written from (section 2.8): relationships, with their members, while the text fits. */
export function reportContext(
  members: readonly Entity[],
  relationships: readonly Relationship[],
  tokens: number,
  count: (text: string) => number,
): ReportContext {
  const byTitle = new Map(members.map((member) => [member.title, member]))
  const ends = new Map<string, Entity>()
  let held: ReportContext = { text: '', tokens: count(''), entities: [], relationships: [] }
  for (const [place, relationship] of relationships.entries()) {
    for (const title of [relationship.source, relationship.target]) {
      const entity = byTitle.get(title)
      if (entity) ends.set(title, entity)
    }
    const next = { entities: [...ends.values()], relationships: relationships.slice(0, place + 1) }
    const text = tablesText(next)
    const needed = count(text)
    if (needed > tokens && place > 0) break
    held = { ...next, text, tokens: needed }
  }
  return held
}

const tablesText = ({ entities, relationships }: Pick<ReportContext, 'entities' | 'relationships'>): string =>
  [
    ...table(
      'Entities',
      ['human_readable_id', 'title', 'description', 'degree'],
      entities.map(({ id, title, description, degree }) => [id, title, description, degree]),
    ),
    ...table(
      'Relationships',
      ['human_readable_id', 'source', 'target', 'description', 'combined_degree'],
      relationships.map(({ id, source, target, description, combinedDegree }) => [
        id,
        source,
        target,
        description,
        combinedDegree,
      ]),
    ),
  ].join('\n\n')

/** A table under its name; none where it has no row. */
const table = (
  name: string,
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): readonly string[] =>
  rows.length === 0 ? [] : [`-----${name}-----\n${[head, ...rows].map((row) => quotedRow(row, ',')).join('')}`]
