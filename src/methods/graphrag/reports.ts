import { groupBy } from '../../basics/collections.ts'
import { memoise } from '../../basics/memoise.ts'
import { ModelError } from '../../errors.ts'
import { writeReport } from '../../tasks/graphrag-index.ts'
import { groundingOf } from '../../tasks/grounding.ts'
import type { Models } from '../../types.ts'
import { attempt } from '../shared/attempt.ts'
import type { Count } from '../shared/fitting.ts'
import type { GraphragOptions } from './options.ts'
import { quotedRow, type Community, type Entity, type Relationship, type Report } from './tables.ts'

/** Tokens of a report's input, and words of the longest report (release 3.1.2). */
const reportLimits = { tokens: 8000, words: 2000 }

/**
 * Writes the reports on communities (section 2.8) from the text of `contextOf`, in table order. A report is missing if
 * its reply could not be parsed, was refused, or repeats the example of the prompt.
 */
export async function writeReports(
  communities: readonly Community[],
  contextOf: (community: Community) => string,
  models: Models,
): Promise<readonly Report[]> {
  const reports = await Promise.all(
    communities.map(async (community): Promise<readonly Report[]> => {
      const context = contextOf(community)
      const reply = await attempt(models, writeReport, { context, words: reportLimits.words })
      if (reply instanceof ModelError) return []
      const { title, summary, rating } = reply
      const keep = groundingOf('count').on(context)
      const findings = keep(writeReport, reply.findings, (finding) => ({
        statements: [finding.summary, finding.explanation],
      }))
      // a copy of the prompt's example
      if (keep(writeReport, [reply], () => ({ statements: [title, summary] })).length === 0) return []
      const fullContent = reportMarkdown({ title, summary, findings })
      return [{ community: community.id, level: community.level, title, fullContent, rank: rating }]
    }),
  )
  return reports.flat()
}

interface ReportParts {
  readonly title: string
  readonly summary: string
  readonly findings: readonly { readonly summary: string; readonly explanation: string }[]
}

/** A report as Markdown: title, summary, findings; byte-equal to the published ones (section 2.8). */
export function reportMarkdown({ title, summary, findings }: ReportParts): string {
  const sections = findings.map((finding) => `## ${finding.summary}\n\n${finding.explanation}`)
  return `# ${title}\n\n${summary}\n\n${sections.join('\n\n')}`
}

/** The text that the report on a community is written from (section 2.8). */
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
    const edges = candidates(members, levelAt(level), reportEdges)
    return reportContext(members, edges, reportLimits.tokens, count).text
  }
}

/** Relationships between entities of a level, by title of source and of target, in table order. */
interface Level {
  readonly bySource: ReadonlyMap<string, readonly Relationship[]>
  readonly byTarget: ReadonlyMap<string, readonly Relationship[]>
}

/** The relationships between entities of any community of a level. */
export function levelOf(
  communities: readonly Community[],
  level: number,
  entities: readonly Entity[],
  relationships: readonly Relationship[],
): Level {
  const rows = communities.filter((community) => community.level === level)
  const ids = new Set(rows.flatMap(({ entityIds }) => entityIds))
  const members = entities.filter(({ id }) => ids.has(id))
  const titles = new Set(members.map(({ title }) => title))
  const within = relationships.filter(({ source, target }) => titles.has(source) && titles.has(target))
  const bySource = groupBy(within, ({ source }) => source)
  const byTarget = groupBy(within, ({ target }) => target)
  return { bySource, byTarget }
}

/**
 * The relationships of a report (section 2.8), by combined degree, then
 * id. `level`: all within the level that touch the community. `first`:
 * per member the first one in which it is the source, else the target.
 */
export function candidates(
  members: readonly Pick<Entity, 'title'>[],
  { bySource, byTarget }: Level,
  edges: GraphragOptions['reportEdges'],
): readonly Relationship[] {
  const titles = new Set(members.map(({ title }) => title))
  const from = (title: string) => bySource.get(title) ?? []
  const to = (title: string) => byTarget.get(title) ?? []
  const edgesOf = {
    inner: (title: string) => from(title).filter(({ target }) => titles.has(target)),
    level: (title: string) => [...from(title), ...to(title)],
    first: (title: string) => [...from(title).slice(0, 1), ...to(title)].slice(0, 1),
  }
  const distinct = new Set(Array.from(titles, edgesOf[edges]).flat())
  return [...distinct].sort((a, b) => b.combinedDegree - a.combinedDegree || a.id - b.id)
}

/** The tables of a report (section 2.8): relationships with their members, while the text fits `tokens`. */
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
    const tokenCount = count(text)
    if (tokenCount > tokens && place > 0) break
    context = { ...rows, text, tokens: tokenCount }
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

function table(name: string, rows: readonly (readonly (string | number)[])[]): readonly string[] {
  if (rows.length === 1) return []
  const lines = rows.map((row) => quotedRow(row, ','))
  return [`-----${name}-----\n${lines.join('')}`]
}
