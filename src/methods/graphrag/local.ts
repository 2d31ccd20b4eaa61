import { countEach } from '../../basics/collections.ts'
import type { Passage } from '../../types.ts'
import { nearestItems, queryVector } from '../shared/embed.ts'
import { type Count, fittingRows, rankSections, type Section } from '../shared/fitting.ts'
import { nodeIds } from './drawing.ts'
import { basic, chunksOf, communityUnits, contextTokens, type Search, unitPassage, type Visible } from './search.ts'
import {
  type Entity,
  plainRow,
  pythonFloat,
  quotedRow,
  type Relationship,
  type RelationshipsByTitle,
  type Report,
  type TextUnit,
} from './tables.ts'

/** Entities nearest to the question: the code's option is 10, and it oversamples by two (release 3.1.2). */
const topEntities = 20

/** Relationships to unselected entities, per selected entity (microsoft/graphrag@6dad6d2). */
export const topRelationships = 10

/** Shares of the context's tokens; the remainder is for entities and relationships. */
interface Shares {
  readonly communityShare: number
  readonly textShare: number
}

/** Defaults of microsoft/graphrag@6dad6d2. */
const localShares: Shares = { communityShare: 0.15, textShare: 0.5 }

/** Local search (section 3): the mixed context of the entities nearest to the question, within the budget. */
export async function local(search: Search): Promise<readonly Passage[]> {
  const { index, budget, visible, count } = search
  if (index.entities.length === 0) return basic(search, 'the index has no entity')
  const entities = await selectEntities(search, search.text)
  if (entities.length === 0) return basic(search, 'no entity near the question is in a community')
  const limits = { contextTokens: Math.min(contextTokens, budget.tokens), topRelationships, ...localShares }
  const context = localContext({ ...index, visible }, entities, limits, count)
  return passagesOf(search, context)
}

/** The visible entities nearest to a question; for an empty question those of the highest degree. */
export async function selectEntities({ index, models, visible }: Search, question: string): Promise<readonly Entity[]> {
  // an empty question is not oversampled
  if (question.trim() === '') return highestDegree(visible, Math.ceil(topEntities / 2))
  const near = nearestItems(await queryVector(question, models), index.embeddedEntities, topEntities)
  // an invisible entity is not replaced by the next nearest
  return near.flatMap(({ item }) => visible.byId.get(item.id) ?? [])
}

/** The `count` visible entities of the highest degree. */
export const highestDegree = ({ entities }: Visible, count: number): readonly Entity[] =>
  entities.toSorted((a, b) => b.degree - a.degree).slice(0, count)

function passagesOf({ index, budget }: Search, context: LocalContext) {
  const { entities, relationships, rankedReports } = context
  const reports = context.reports.items.map((report) => ({
    text: report.fullContent,
    from: chunksOf(index, communityUnits(index, report.community)),
    kind: 'summary' as const,
    why: {
      section: 'report',
      level: report.level,
      rank: report.rank,
      matches: rankedReports.find((entry) => entry.report === report)?.matches ?? 0,
      nodes: [nodeIds.community(report.community)],
    },
  }))
  const rows = relationships.items.map(({ relationship }) => relationship)
  const tables = {
    text: [entities.text, relationships.text].join('\n\n').trim(),
    from: chunksOf(
      index,
      [...entities.items, ...rows].flatMap(({ textUnitIds }) => textUnitIds),
    ),
    kind: 'facts' as const,
    why: {
      section: 'tables',
      nodes: entities.items.map(({ id }) => nodeIds.entity(id)),
      relationships: rows.map(({ id }) => id),
    },
  }
  const units = context.textUnits.items.flatMap((unit) =>
    unitPassage(index, unit, { section: 'text unit', textUnit: unit.id }),
  )
  return rankSections(units, entities.items.length > 0 ? [tables] : [], reports, budget)
}

/** Tokens of each section. Throws RangeError if the shares exceed one. */
export function localBudgets(tokens: number, { communityShare, textShare }: Shares) {
  if (communityShare + textShare > 1) throw new RangeError('communityShare and textShare together exceed 1')
  return {
    reports: Math.floor(tokens * communityShare),
    local: Math.floor(tokens * (1 - communityShare - textShare)),
    textUnits: Math.floor(tokens * textShare),
  }
}

interface LocalTables {
  readonly relationships: readonly Relationship[]
  readonly textUnits: readonly TextUnit[]
  readonly visible: Visible
  readonly byTitle: RelationshipsByTitle
}

/** The mixed context, section by section. `steps`: entities whose relationships fit. */
type LocalContext = ReturnType<typeof localContext>

/** The mixed context of selected entities (section 3): reports, entities, relationships, text units; whole rows. */
export function localContext(
  tables: LocalTables,
  selection: readonly Entity[],
  { contextTokens, topRelationships, ...shares }: Shares & { contextTokens: number; topRelationships: number },
  count: Count,
) {
  const budgets = localBudgets(contextTokens, shares)
  const rankedReports = rankReports(tables.visible, selection)
  const reports = reportSection(
    rankedReports.map(({ report }) => report),
    budgets.reports,
    count,
  )
  const entities = fittingRows(
    '-----Entities-----\nid|entity|description|number of relationships\n',
    selection,
    ({ id, title, description, degree }) => plainRow([id, title, description, degree]),
    budgets.local,
    count,
  )
  const { relationships, steps } = relationshipSection(
    tables,
    selection,
    { top: topRelationships, tokens: budgets.local, remaining: budgets.local - entities.tokens },
    count,
  )
  const rankedTextUnits = rankTextUnits(tables, selection)
  const textUnits = fittingRows(
    '-----Sources-----\nid|text\n',
    rankedTextUnits,
    ({ id, text }) => plainRow([id, text]),
    budgets.textUnits,
    count,
  )
  // an empty section is followed by an empty line too
  const text = [reports, entities, relationships, textUnits].map((section) => section.text).join('\n\n')
  return { reports, entities, relationships, textUnits, rankedReports, rankedTextUnits, steps, text }
}

function rankReports({ reports, communitiesOf }: Visible, selection: readonly Entity[]) {
  const byCommunity = new Map(reports.map((report) => [report.community, report]))
  return Array.from(countEach(selection.flatMap(({ id }) => communitiesOf.get(id) ?? [])))
    .flatMap(([community, matches]) => {
      const report = byCommunity.get(community)
      return report ? [{ report, matches }] : []
    })
    .sort((a, b) => b.matches - a.matches || b.report.rank - a.report.rank)
}

function reportSection(ranking: readonly Report[], tokens: number, count: Count): Section<Report> {
  const head = '-----Reports-----\nid|title|content\n'
  const fields = ({ community, title, fullContent }: Report) => [community, title, fullContent]
  const fitting = fittingRows(head, ranking, (report) => plainRow(fields(report)), tokens, count)
  // if no report fits, the reference prints an empty list
  if (fitting.items.length === 0) return { text: '[]', tokens: count('[]'), items: [] }
  const text = head + fitting.items.map((report) => quotedRow(fields(report), '|')).join('')
  return { ...fitting, text, tokens: count(text) }
}

function relationshipSection(
  { relationships, byTitle }: LocalTables,
  selection: readonly Entity[],
  { top, tokens, remaining }: { readonly top: number; readonly tokens: number; readonly remaining: number },
  count: Count,
) {
  const rank = relationshipRanker(relationships, byTitle, top)
  let section: Section<RankedRelationship> = { text: '', tokens: 0, items: [] }
  for (const [steps, { title }] of selection.entries()) {
    const next = relationshipTable(rank(title), tokens, count)
    if (next.tokens > remaining) return { relationships: section, steps }
    section = next
  }
  return { relationships: section, steps: selection.length }
}

function relationshipTable(ranking: readonly RankedRelationship[], tokens: number, count: Count) {
  const [first] = ranking
  if (!first) return { text: '', tokens: 0, items: [] }
  const hasLinks = first.links !== undefined
  const head = `-----Relationships-----\nid|source|target|description|weight${hasLinks ? '|links' : ''}\n`
  const row = ({ relationship: { id, source, target, description, weight }, links }: RankedRelationship) =>
    plainRow([id, source, target, description, pythonFloat(weight), ...(hasLinks ? [links ?? ''] : [])])
  return fittingRows(head, ranking, row, tokens, count)
}

/** A ranked relationship; `links` is set if it was outside at this or an earlier step. */
interface RankedRelationship {
  readonly relationship: Relationship
  readonly links: number | undefined
}

/**
 * Ranks the relationships of a growing list of titles, one more title per call (section 3): those between selected
 * titles by rank, then those to others by (links, rank), at most `top` per title. Links: selected neighbours of the
 * outer end; a relationship that comes inside retains its last count.
 */
function relationshipRanker(relationships: readonly Relationship[], byTitle: RelationshipsByTitle, top: number) {
  const titles = new Set<string>()
  const places = new Set<number>()
  const links = new Map<number, number>()
  const linksOf = ({ id }: Relationship) => links.get(id) ?? 0
  const byLinks = (a: Relationship, b: Relationship) => linksOf(b) - linksOf(a) || byRank(a, b)
  let steps = 0
  return (title: string): readonly RankedRelationship[] => {
    steps++
    titles.add(title)
    for (const place of byTitle.get(title) ?? []) places.add(place)
    const tableOrder = [...places].sort((a, b) => a - b)
    const touching = tableOrder.flatMap((place) => relationships[place] ?? [])
    const inside = touching.filter(({ source, target }) => titles.has(source) && titles.has(target))
    const leaving = touching.filter(({ source, target }) => titles.has(source) && !titles.has(target))
    const entering = touching.filter(({ source, target }) => !titles.has(source) && titles.has(target))
    let outside = [...leaving, ...entering].sort(byRank)
    if (outside.length > 1) {
      const neighbours = new Map<string, Set<string>>()
      const endsOf = ({ source, target }: Relationship) =>
        titles.has(source) ? ([target, source] as const) : ([source, target] as const)
      for (const [outer, inner] of outside.map(endsOf))
        neighbours.set(outer, (neighbours.get(outer) ?? new Set()).add(inner))
      for (const row of outside) links.set(row.id, neighbours.get(endsOf(row)[0])?.size ?? 0)
      outside = outside.sort(byLinks).slice(0, top * steps)
    }
    const ranking = [...inside.sort(byRank), ...outside]
    return ranking.map((row) => ({ relationship: row, links: links.get(row.id) }))
  }
}

const byRank = (a: Relationship, b: Relationship): number => b.combinedDegree - a.combinedDegree

/** Text units by (rank of their first entity, its relationships in the unit); ties by id. */
function rankTextUnits(
  { relationships, textUnits, byTitle }: LocalTables,
  selection: readonly Entity[],
): readonly TextUnit[] {
  const unseen = new Map(textUnits.map((unit) => [unit.id, unit]))
  return selection.flatMap(({ title, textUnitIds }) => {
    const units = textUnitIds.flatMap((id) => {
      const unit = unseen.get(id) ?? []
      unseen.delete(id)
      return unit
    })
    const places = byTitle.get(title) ?? []
    const touching = places.flatMap((place) => [...new Set(relationships[place]?.textUnitIds)])
    const inUnit = countEach(touching)
    const countIn = ({ id }: TextUnit) => inUnit.get(id) ?? 0
    return units.toSorted((a, b) => countIn(b) - countIn(a))
  })
}
