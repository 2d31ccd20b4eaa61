import { topK } from '../../math/vectors.ts'
import type { Passage, Trace } from '../../types.ts'
import { queryVector } from '../shared/embed.ts'
import type { Entity } from './tables.ts'
import { localContext, type LocalContext, type Shares } from './local-context.ts'
import { basic, chunksOf, contextTokens, type Asked, type Visible, unitPassage } from './asked.ts'
import { nodeIds } from './drawing.ts'

/** Entities nearest to the question: the option of the code is 10, and it takes twice as many (its release 3.1.2). */
const topEntities = 20

/** Relationships to entities that were not selected, for each that was (microsoft/graphrag@6dad6d2). */
const topRelationships = 10

/** Shares of a context for reports and for text units (microsoft/graphrag@6dad6d2). */
export const localShares: Shares = { communityShare: 0.15, textShare: 0.5 }

/** Local search (section 3): the mixed context of the entities nearest to the question, within the budget. */
export async function local(asked: Asked): Promise<readonly Passage[]> {
  const { index, budget } = asked
  if (index.entities.length === 0) return basic(asked, 'the index has no entity')
  const selected = await selectedFor(asked, asked.text)
  if (selected.length === 0) return basic(asked, 'no entity near the question is in a community')
  const context = mixedContext(asked, selected, Math.min(contextTokens, budget.tokens), localShares)
  return passagesOf(asked, context, selected)
}

/** The entities near a question that it sees; those of the highest degree for an empty one. */
export async function selectedFor({ index, models, visible }: Asked, question: string): Promise<readonly Entity[]> {
  // twice as many are fetched for a question as for none
  if (question.trim() === '') return highestDegree(visible, Math.ceil(topEntities / 2))
  const near = topK(await queryVector(question, models), index.entityVectors, topEntities)
  // none takes the place of another that is not seen
  return near.flatMap(({ index: place }) => visible.byId.get(index.entities[place]?.id ?? -1) ?? [])
}

/** The mixed context of selected entities. */
export const mixedContext = (
  { index, visible, count }: Asked,
  selected: readonly Entity[],
  tokens: number,
  shares: Shares,
): LocalContext =>
  localContext({ ...index, visible }, selected, { contextTokens: tokens, topRelationships, ...shares }, count)

/** Text units, the tables as one passage, reports: so ranked, because only text units quote; read reports first. */
function passagesOf({ index, budget }: Asked, context: LocalContext, selected: readonly Entity[]): readonly Passage[] {
  const why = traceOf(context, selected)
  const reports = context.reports.items.map((report, place) => ({
    text: report.fullContent,
    from: chunksOf(index, communityUnits(index, report.community)),
    kind: 'summary' as const,
    order: place,
    why: {
      section: 'report',
      level: report.level,
      rank: report.rank,
      matches: matchesOf(context, report.community),
      nodes: [nodeIds.community(report.community)],
    },
  }))
  const tables = tablePassage(index, context)
  const kept = Math.max(1, budget.passages - tables.length - Math.min(1, reports.length))
  const units = context.textUnits.items.slice(0, kept).flatMap((unit, place) =>
    unitPassage(index, unit, {
      score: 0,
      order: 10_000 + place,
      why: { section: 'text unit', textUnit: unit.id },
    }),
  )
  return [...units, ...tables, ...reports]
    .slice(0, budget.passages)
    .map((passage, place) => ({ ...passage, score: -place, why: { ...passage.why, ...(place === 0 && why) } }))
}

function tablePassage(
  index: Asked['index'],
  { entities, relationships }: LocalContext,
): readonly Omit<Passage, 'score'>[] {
  if (entities.items.length === 0) return []
  const rows = relationships.items.map(({ relationship }) => relationship)
  const units = [...entities.items, ...rows].flatMap(({ textUnitIds }) => textUnitIds)
  return [
    {
      text: [entities.text, relationships.text].join('\n\n').trim(),
      from: chunksOf(index, units),
      kind: 'facts',
      order: 5000,
      why: {
        section: 'tables',
        nodes: entities.items.map(({ id }) => nodeIds.entity(id)),
        relationships: rows.map(({ id }) => id),
      },
    },
  ]
}

const matchesOf = ({ ranked }: LocalContext, community: number): number =>
  ranked.find(({ report }) => report.community === community)?.matches ?? 0

const traceOf = (context: LocalContext, selected: readonly Entity[]): Trace => ({
  selected: selected.map(({ id }) => id),
  rankedReports: context.ranked.map(({ report }) => report.community),
  reportTokens: context.reports.tokens,
  entityTokens: context.entities.tokens,
  relationshipTokens: context.relationships.tokens,
  textUnitTokens: context.textUnits.tokens,
})

/** The text units that a community was made of. */
export const communityUnits = ({ communities }: Asked['index'], community: number): readonly number[] =>
  communities.find(({ id }) => id === community)?.textUnitIds ?? []

/** What an empty question gets: the entities of the highest degree. */
export const highestDegree = ({ entities }: Visible, count: number): readonly Entity[] =>
  entities.toSorted((a, b) => b.degree - a.degree).slice(0, count)
