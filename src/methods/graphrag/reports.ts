import { ModelError } from '../../errors.ts'
import { writeReport } from '../../tasks/graphrag/write-report.ts'
import type { Models } from '../../types.ts'
import { attempt } from '../shared/attempt.ts'
import { type Community, type Report, type Entity, type Relationship, type TextUnit, quotedRow } from './tables.ts'
import { memoise } from '../../basics/memoise.ts'
/** Gives the text that a community is reported from, given the reports of the levels below it. */
type ContextOf = (community: Community, below: ReadonlyMap<number, Report>) => string

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

interface TableContextOptions {
  readonly reportEdges: ReportEdges
  readonly reportTokens: number
  readonly oversize: 'trim' | 'subreports'
  readonly compat: boolean
}

/** Reports from the tables of entities and relationships (section 2.8); those of sub-communities stand in where a community is too large. */
export function tableContexts(
  entities: readonly Entity[],
  relationships: readonly Relationship[],
  communities: readonly Community[],
  { reportEdges, reportTokens, oversize, compat }: TableContextOptions,
  count: (text: string) => number,
): ContextOf {
  const byId = new Map(entities.map((entity) => [entity.id, entity]))
  const childrenOf = new Map<number, Community[]>()
  for (const community of communities) {
    const siblings = childrenOf.get(community.parent)
    if (siblings) siblings.push(community)
    else childrenOf.set(community.parent, [community])
  }
  const levelAt = memoise((level: number) => levelOf(communities, level, entities, relationships))
  const partsOf = ({ entityIds, level }: Community) => {
    const members = entityIds.flatMap((id) => byId.get(id) ?? [])
    return { members, relationships: candidates(members, levelAt(level), reportEdges) }
  }
  return (community, below) => {
    const { members, relationships: own } = partsOf(community)
    const trimmed = reportContext(members, own, reportTokens, count)
    const children = childrenOf.get(community.id) ?? []
    if (oversize === 'trim' || trimmed.relationships.length === own.length || children.length === 0) return trimmed.text
    const parts = children.map((child) => {
      // the reference takes a missing report for an empty one
      const report = below.get(child.id)?.fullContent ?? (compat ? '' : undefined)
      return { id: child.id, ...partsOf(child), ...(report !== undefined && { report }) }
    })
    return subReportContext(parts, reportTokens, count).text || trimmed.text
  }
}

export const reportEdgesNames = ['inner', 'level', 'first'] as const
export type ReportEdges = (typeof reportEdgesNames)[number]

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
  const bySource = new Map<string, Relationship[]>()
  const byTarget = new Map<string, Relationship[]>()
  for (const relationship of relationships) {
    const { source, target } = relationship
    if (!titles.has(source) || !titles.has(target)) continue
    add(bySource, source, relationship)
    add(byTarget, target, relationship)
  }
  return { bySource, byTarget }
}

function add<T>(groups: Map<string, T[]>, key: string, item: T): void {
  const group = groups.get(key)
  if (group) group.push(item)
  else groups.set(key, [item])
}

/**
 * The relationships that a report is made of (section 2.8), by combined degree, then id. `inner`: those inside the community. `level`: all
 * between members of the level that touch it. `first`: of each member the first of the level where it is source, else target.
 */
export function candidates(
  members: readonly Pick<Entity, 'title'>[],
  { bySource, byTarget }: Level,
  edges: ReportEdges,
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

/**
 * The tables that a report is written from (section 2.8): relationships in order, each bringing those of its ends that are members, for as
 * long as the whole text fits; the first stays even where it does not. `before` are reports that stand above the tables.
 */
export function reportContext(
  members: readonly Entity[],
  relationships: readonly Relationship[],
  tokens: number,
  count: (text: string) => number,
  before: readonly string[] = [],
): ReportContext {
  const byTitle = new Map(members.map((member) => [member.title, member]))
  const ends = new Map<string, Entity>()
  const none = { entities: [], relationships: [] }
  const start = tablesText(none, before)
  let held: ReportContext = { ...none, text: start, tokens: count(start) }
  for (const [place, relationship] of relationships.entries()) {
    for (const title of [relationship.source, relationship.target]) {
      const entity = byTitle.get(title)
      if (entity) ends.set(title, entity)
    }
    const next = { entities: [...ends.values()], relationships: relationships.slice(0, place + 1) }
    const text = tablesText(next, before)
    const needed = count(text)
    if (needed > tokens && place > 0) break
    held = { ...next, text, tokens: needed }
  }
  return held
}

const tablesText = (
  { entities, relationships }: Pick<ReportContext, 'entities' | 'relationships'>,
  before: readonly string[],
): string =>
  [
    ...before,
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

/** A community inside the one that is reported on, with what its own report was written from; `report` is its text. */
interface SubCommunity {
  readonly id: number
  readonly members: readonly Entity[]
  readonly relationships: readonly Relationship[]
  readonly report?: string
}

/** A context of which parts are reports; `reports` are their communities. */
interface MixedContext extends ReportContext {
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

/** Reports from text units, those that name members of the highest degrees first, for as long as they fit; the first stays in any case. */
export function textContexts(
  entities: readonly Entity[],
  textUnits: readonly TextUnit[],
  tokens: number,
  count: (text: string) => number,
): ContextOf {
  const degrees = new Map(entities.map(({ id, degree }) => [id, degree]))
  return ({ entityIds, textUnitIds }) => {
    const members = new Set(entityIds)
    const own = new Set(textUnitIds)
    const ranked = textUnits
      .filter(({ id }) => own.has(id))
      .map((unit) => ({ unit, worth: worthOf(unit.entityIds.filter((id) => members.has(id))) }))
      .sort((a, b) => b.worth - a.worth)
    let text = `-----Sources-----\n${quotedRow(['id', 'text'], ',')}`
    let spent = count(text)
    for (const [place, { unit }] of ranked.entries()) {
      const row = quotedRow([unit.id, unit.text], ',')
      const cost = count(row)
      if (spent + cost > tokens && place > 0) break
      spent += cost
      text += row
    }
    return text
  }

  function worthOf(ids: readonly number[]): number {
    return ids.reduce((sum, id) => sum + (degrees.get(id) ?? 0), 0)
  }
}

/** A report as Markdown: title, summary, findings; equal to all published ones (section 2.8). */
export const reportMarkdown = ({ title, summary, findings }: Pick<Report, 'title' | 'summary' | 'findings'>): string =>
  `# ${title}\n\n${summary}\n\n${findings.map((finding) => `## ${finding.summary}\n\n${finding.explanation}`).join('\n\n')}`
