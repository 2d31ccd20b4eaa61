import { groupBy } from '../../basics/collections.ts'
import { memoise } from '../../basics/memoise.ts'
import { ModelError } from '../../errors.ts'
import { writeReport } from '../../tasks/graphrag-index.ts'
import { groundingOf } from '../../tasks/grounding.ts'
import type { Models } from '../../types.ts'
import { attempt } from '../shared/attempt.ts'
import type { GraphragOptions } from './options.ts'
import { quotedRow, type Community, type Count, type Entity, type Relationship, type Report } from './tables.ts'

/** Tokens of what a report is made of, and words of the longest report that is asked for (release 3.1.2). */
const reportLimits = { tokens: 8000, words: 2000 }

/**
 * The reports on communities (section 2.8), in the order of the table, from the text that `contextOf` gives; one whose
 * reply could not be read, was refused, or repeats the example of the prompt is missing.
 */
export async function writeReports(
  communities: readonly Community[],
  contextOf: (community: Community) => string,
  models: Models,
): Promise<readonly Report[]> {
  const written = await Promise.all(
    communities.map(async (community): Promise<readonly Report[]> => {
      const context = contextOf(community)
      const reply = await attempt(models, writeReport, { context, words: reportLimits.words })
      if (reply instanceof ModelError) return []
      const { title, summary, rating } = reply
      const keep = groundingOf('count').on(context)
      const findings = keep(writeReport, reply.findings, (finding) => ({
        statements: [finding.summary, finding.explanation],
      }))
      // a report of another group: the one that the prompt shows
      if (keep(writeReport, [reply], () => ({ statements: [title, summary] })).length === 0) return []
      const fullContent = reportMarkdown({ title, summary, findings })
      return [{ community: community.id, level: community.level, title, fullContent, rank: rating }]
    }),
  )
  return written.flat()
}

interface WrittenReport {
  readonly title: string
  readonly summary: string
  readonly findings: readonly { readonly summary: string; readonly explanation: string }[]
}

/** A report as Markdown: title, summary, findings; equal to all published ones (section 2.8). */
export const reportMarkdown = ({ title, summary, findings }: WrittenReport): string =>
  `# ${title}\n\n${summary}\n\n${findings.map((finding) => `## ${finding.summary}\n\n${finding.explanation}`).join('\n\n')}`

/** What the report on a community is written from (section 2.8), cut to `tokens`. */
export function tableContexts(
  entities: readonly Entity[],
  relationships: readonly Relationship[],
  communities: readonly Community[],
  reportEdges: GraphragOptions['reportEdges'],
  count: Count,
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
  const ids = new Set(communities.filter((community) => community.level === level).flatMap((row) => row.entityIds))
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
  const distinct = new Set(Array.from(titles, chosen[edges]).flat())
  return [...distinct].sort((a, b) => b.combinedDegree - a.combinedDegree || a.id - b.id)
}

/** The tables that a report is written from (section 2.8): relationships, with their members, while the text fits. */
export function reportContext(
  members: readonly Entity[],
  relationships: readonly Relationship[],
  tokens: number,
  count: Count,
) {
  const byTitle = new Map(members.map((member) => [member.title, member]))
  const ends = new Set<Entity>()
  let context = { text: '', tokens: count(''), entities: [...ends], relationships: relationships.slice(0, 0) }
  for (const [place, { source, target }] of relationships.entries()) {
    for (const title of [source, target]) {
      const entity = byTitle.get(title)
      if (entity) ends.add(entity)
    }
    const rows = { entities: [...ends], relationships: relationships.slice(0, place + 1) }
    const text = tablesText(rows.entities, rows.relationships)
    const needed = count(text)
    if (needed > tokens && place > 0) break
    context = { ...rows, text, tokens: needed }
  }
  return context
}

const tablesText = (entities: readonly Entity[], relationships: readonly Relationship[]): string =>
  [
    ...table('Entities', [
      ['human_readable_id', 'title', 'description', 'degree'],
      ...entities.map(({ id, title, description, degree }) => [id, title, description, degree]),
    ]),
    ...table('Relationships', [
      ['human_readable_id', 'source', 'target', 'description', 'combined_degree'],
      ...relationships.map((row) => [row.id, row.source, row.target, row.description, row.combinedDegree]),
    ]),
  ].join('\n\n')

/** A table under its name, the head first; none where it has no row. */
const table = (name: string, rows: readonly (readonly (string | number)[])[]): readonly string[] =>
  rows.length === 1 ? [] : [`-----${name}-----\n${rows.map((row) => quotedRow(row, ',')).join('')}`]
