import {
  type RelationshipsByTitle,
  plainRow,
  pythonFloat,
  quotedRow,
  fittingRows,
  type Section,
  type Entity,
  type Relationship,
  type Report,
  type Tables,
  type TextUnit,
} from './tables.ts'
import type { Visible } from './asked.ts'

/** Shares of a context; the rest is for entities and relationships. */
export interface Shares {
  readonly communityShare: number
  readonly textShare: number
}

/** Tokens of each part of a context. Throws RangeError where the shares exceed one. */
export function localBudgets(tokens: number, { communityShare, textShare }: Shares) {
  if (communityShare + textShare > 1) throw new RangeError('communityShare and textShare together exceed 1')
  return {
    reports: Math.floor(tokens * communityShare),
    local: Math.floor(tokens * (1 - communityShare - textShare)),
    textUnits: Math.floor(tokens * textShare),
  }
}

/** The mixed context of local search, section by section. */
export interface LocalContext {
  readonly reports: Section<Report>
  readonly entities: Section<Entity>
  readonly relationships: Section<RankedRelationship>
  readonly textUnits: Section<TextUnit>
  readonly ranked: readonly RankedReport[]
  readonly rankedTextUnits: readonly TextUnit[]
  /** Entities whose relationships were accepted. */
  readonly steps: number
  readonly text: string
}

interface RankedReport {
  readonly report: Report
  /** Selected entities in its community. */
  readonly matches: number
}

interface LocalTables extends Pick<Tables, 'relationships' | 'textUnits'> {
  readonly visible: Visible
  readonly byTitle: RelationshipsByTitle
}

/** The mixed context of selected entities (section 3): reports, entities, relationships, text units; whole rows. */
export function localContext(
  tables: LocalTables,
  selected: readonly Entity[],
  { contextTokens, topRelationships, ...shares }: Shares & { contextTokens: number; topRelationships: number },
  count: (text: string) => number,
): LocalContext {
  const budgets = localBudgets(contextTokens, shares)
  const ranked = rankReports(tables.visible, selected)
  const reports = reportSection(ranked, budgets.reports, count)
  const entities = fittingRows(
    '-----Entities-----\nid|entity|description|number of relationships\n',
    selected,
    ({ id, title, description, degree }) => plainRow([id, title, description, degree]),
    budgets.local,
    count,
  )
  const { relationships, steps } = relationshipSection(
    tables,
    selected,
    { top: topRelationships, tokens: budgets.local, left: budgets.local - entities.tokens },
    count,
  )
  const rankedTextUnits = rankTextUnits(tables, selected)
  const textUnits = fittingRows(
    '-----Sources-----\nid|text\n',
    rankedTextUnits,
    ({ id, text }) => plainRow([id, text]),
    budgets.textUnits,
    count,
  )
  // sections stand apart by an empty line, an empty one too
  const text = [reports, entities, relationships, textUnits].map((section) => section.text).join('\n\n')
  return { reports, entities, relationships, textUnits, ranked, rankedTextUnits, steps, text }
}

/** Reports by (selected entities in the community, rating) descending, in the order of first meeting. */
function rankReports({ reports, communitiesOf }: Visible, selected: readonly Entity[]): readonly RankedReport[] {
  const matches = new Map<number, number>()
  for (const { id } of selected) {
    for (const community of communitiesOf.get(id) ?? []) matches.set(community, (matches.get(community) ?? 0) + 1)
  }
  const byCommunity = new Map(reports.map((report) => [report.community, report]))
  return [...matches]
    .flatMap(([community, matches]) => {
      const report = byCommunity.get(community)
      return report ? [{ report, matches }] : []
    })
    .sort((a, b) => b.matches - a.matches || b.report.rank - a.report.rank)
}

function reportSection(
  ranked: readonly RankedReport[],
  tokens: number,
  count: (text: string) => number,
): Section<Report> {
  const head = '-----Reports-----\nid|title|content\n'
  const fields = ({ community, title, fullContent }: Report) => [community, title, fullContent]
  const fitting = fittingRows(
    head,
    ranked.map(({ report }) => report),
    (report) => plainRow(fields(report)),
    tokens,
    count,
  )
  // where no report fits the reference prints an empty list
  if (fitting.items.length === 0) return { text: '[]', tokens: count('[]'), items: [] }
  const text = head + fitting.items.map((report) => quotedRow(fields(report), '|')).join('')
  return { ...fitting, text, tokens: count(text) }
}

/** The relationships of one selected entity, of two, of three …: the last table that fits beside the entities stays. */
function relationshipSection(
  { relationships, byTitle }: LocalTables,
  selected: readonly Entity[],
  { top, tokens, left }: { readonly top: number; readonly tokens: number; readonly left: number },
  count: (text: string) => number,
) {
  const rank = relationshipRanker(relationships, byTitle, top)
  let held: Section<RankedRelationship> = { text: '', tokens: 0, items: [] }
  for (const [place, { title }] of selected.entries()) {
    const next = relationshipTable(rank(title), tokens, count)
    if (next.tokens > left) return { relationships: held, steps: place }
    held = next
  }
  return { relationships: held, steps: selected.length }
}

function relationshipTable(ranked: readonly RankedRelationship[], tokens: number, count: (text: string) => number) {
  const [first] = ranked
  if (!first) return { text: '', tokens: 0, items: [] }
  const withLinks = first.links !== undefined
  const head = `-----Relationships-----\nid|source|target|description|weight${withLinks ? '|links' : ''}\n`
  const row = ({ relationship, links }: RankedRelationship) =>
    plainRow([...fieldsOf(relationship), ...(withLinks ? [links ?? ''] : [])])
  return fittingRows(head, ranked, row, tokens, count)
}

const fieldsOf = ({ id, source, target, description, weight }: Relationship) => [
  id,
  source,
  target,
  description,
  pythonFloat(weight),
]

/** The text units of the entities by (place of the first entity, its relationships there), in the order of ids. */
function rankTextUnits(
  { relationships, textUnits, byTitle }: LocalTables,
  selected: readonly Entity[],
): readonly TextUnit[] {
  const units = new Map(textUnits.map((unit) => [unit.id, unit]))
  const seen = new Set<number>()
  return selected.flatMap(({ title, textUnitIds }) => {
    const own = textUnitIds.flatMap((id) => {
      const unit = units.get(id)
      if (!unit || seen.has(id)) return []
      seen.add(id)
      return unit
    })
    const inUnit = new Map<number, number>()
    for (const place of byTitle.get(title) ?? []) {
      for (const id of new Set(relationships[place]?.textUnitIds)) inUnit.set(id, (inUnit.get(id) ?? 0) + 1)
    }
    return own.toSorted((a, b) => (inUnit.get(b.id) ?? 0) - (inUnit.get(a.id) ?? 0))
  })
}

/** A relationship as a step of the local context has it; `links` where it was outside at this or an earlier step. */
interface RankedRelationship {
  readonly relationship: Relationship
  readonly links?: number
}

/**
 * Gives the relationships of a growing list of selected titles, a call for each title more (section 3): those between
 * them by rank, then those that leave them by (links, rank), no more than `top` for each title. Links are the selected
 * neighbours of the outer end; they are counted where two or more leave, and one that came inside keeps its last count.
 */
function relationshipRanker(relationships: readonly Relationship[], byTitle: RelationshipsByTitle, top: number) {
  const selected = new Set<string>()
  const places = new Set<number>()
  const links = new Map<number, number>()
  let steps = 0
  const at = (place: number): readonly Relationship[] => relationships.slice(place, place + 1)
  return (title: string): readonly RankedRelationship[] => {
    steps++
    selected.add(title)
    for (const place of byTitle.get(title) ?? []) places.add(place)
    const touching = [...places].sort((a, b) => a - b).flatMap(at)
    const inside = touching.filter(({ source, target }) => selected.has(source) && selected.has(target))
    const outside = [
      ...touching.filter(({ source, target }) => selected.has(source) && !selected.has(target)),
      ...touching.filter(({ source, target }) => !selected.has(source) && selected.has(target)),
    ].sort(byRank)
    if (outside.length > 1) {
      const neighbours = neighboursOf(outside, selected)
      const outer = ({ source, target }: Relationship) => (selected.has(source) ? target : source)
      for (const one of outside) links.set(one.id, neighbours.get(outer(one))?.size ?? 0)
      outside.sort((a, b) => (links.get(b.id) ?? 0) - (links.get(a.id) ?? 0) || byRank(a, b))
    }
    const kept = outside.length > 1 ? outside.slice(0, top * steps) : outside
    return [...inside.sort(byRank), ...kept].map((relationship) => {
      const counted = links.get(relationship.id)
      return counted === undefined ? { relationship } : { relationship, links: counted }
    })
  }
}

const byRank = (a: Relationship, b: Relationship): number => b.combinedDegree - a.combinedDegree

function neighboursOf(outside: readonly Relationship[], selected: ReadonlySet<string>) {
  const neighbours = new Map<string, Set<string>>()
  for (const { source, target } of outside) {
    const [outer, inner] = selected.has(source) ? [target, source] : [source, target]
    neighbours.set(outer, (neighbours.get(outer) ?? new Set()).add(inner))
  }
  return neighbours
}
