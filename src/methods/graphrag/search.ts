import { valueOf } from '../../basics/collections.ts'
import type { Budget, Models, Passage, Trace } from '../../types.ts'
import { nearestItems, queryVector } from '../shared/embed.ts'
import { addTrace } from '../shared/add-trace.ts'
import type { GraphIndex } from './build.ts'
import { nodeIds } from './drawing.ts'
import type { GraphragOptions } from './options.ts'
import { type Count, fittingRows, type Section } from '../shared/fitting.ts'
import { plainRow, quotedRow, type Tables, type TextUnit } from './tables.ts'

/** A question and the inputs of every search mode. `count` is memoised, since rows recur. */
export interface Search {
  readonly text: string
  readonly budget: Budget
  readonly models: Models
  readonly index: GraphIndex
  readonly visible: Visible
  readonly options: GraphragOptions
  readonly count: Count
}

/** Maximum tokens of a context (microsoft/graphrag@6dad6d2); the run's budget may be smaller. */
export const contextTokens = 12000

/** The part of an index that is visible at a community level. */
export type Visible = ReturnType<typeof visibleAt>

/**
 * Entities and reports up to a level (section 3), without entities outside communities; `null`: all. `communitiesOf`:
 * those of an entity by its id, ascending.
 */
export function visibleAt({ entities, communities, reports }: Tables, level: number | null) {
  const isSeen = (row: { readonly level: number }) => level === null || row.level <= level
  const communitiesOf = new Map<number, readonly number[]>(level === null ? entities.map(({ id }) => [id, []]) : [])
  const rows = communities.filter(isSeen).toSorted((a, b) => a.id - b.id)
  for (const { id, entityIds } of rows)
    for (const entity of entityIds) communitiesOf.set(entity, [...(communitiesOf.get(entity) ?? []), id])
  const visible = entities.filter(({ id }) => communitiesOf.has(id))
  const byId = new Map(visible.map((entity) => [entity.id, entity]))
  return { entities: visible, byId, reports: reports.filter(isSeen), communitiesOf }
}

/** The ids of the chunks behind text units, each once. */
export function chunksOf({ sources }: Pick<GraphIndex, 'sources'>, textUnitIds: readonly number[]): readonly string[] {
  const distinctIds = [...new Set(textUnitIds)]
  const chunkIds = distinctIds.flatMap((id) => sources[id]?.from ?? [])
  return [...new Set(chunkIds)]
}

/** The text units of a community. */
export const communityUnits = ({ communities }: Tables, community: number): readonly number[] =>
  communities.find(({ id }) => id === community)?.textUnitIds ?? []

/** A text unit as a passage without a score; none if it is in no document of the run. */
export function unitPassage({ sources }: Pick<GraphIndex, 'sources'>, { id, text }: TextUnit, trace: Trace) {
  const source = sources[id]
  if (!source) return []
  const { from, spans } = source
  const why = { ...trace, nodes: [nodeIds.textUnit(id, source)] }
  return [{ text, from, kind: 'chunk' as const, ...(spans && { spans }), why }]
}

/** Names the kinds of replies that a mode lost; undefined if none. */
export function lossesOf(mode: string, counts: Readonly<Record<string, number>>): string | undefined {
  const missing = Object.entries(counts).flatMap(([reason, count]) => (count > 0 ? [reason] : []))
  if (missing.length === 0) return undefined
  return `${mode} without some ${missing.join(' and ')}: the replies could not be read or were refused`
}

/** Text units of basic search (release 3.1.2). */
const nearestUnits = 10

/**
 * Basic search (section 3): the text units nearest to the question that fit a context, in table order; with `compat`
 * they are cut in that order, so that the nearest may be lost. `fallback`: why another mode fell back to it.
 */
export async function basic(search: Search, fallback?: string): Promise<readonly Passage[]> {
  const { text, budget, models, index, options, count } = search
  const { textUnits } = index
  if (textUnits.length === 0) return []
  const near = nearestItems(await queryVector(text, models), index.embeddedUnits, nearestUnits)
  const similarity = new Map(near.map(({ item, score }) => [item.id, score]))
  const nearest = near.map(({ item }) => item)
  const { items } = options.compat
    ? basicContext(textUnits, new Set(similarity.keys()), Math.min(contextTokens, budget.tokens), count)
    : fittingRows('', nearest, (unit) => unit.text, contextTokens, count)
  const passages = items.flatMap((unit, place) => {
    const cosine = valueOf(similarity, unit.id)
    const score = options.compat ? -place : cosine
    const unitPassages = unitPassage(index, unit, { textUnit: unit.id, similarity: cosine })
    return unitPassages.map((passage) => ({ ...passage, score, order: unit.id }))
  })
  return addTrace(passages.slice(0, budget.passages), [fallback && `basic: ${fallback}`])
}

/** The context of basic search (section 3), cut in table order. */
export function basicContext(
  textUnits: readonly TextUnit[],
  hits: ReadonlySet<number>,
  tokens: number,
  count: Count,
): Section<TextUnit> {
  const head = 'id|text\n'
  const near = textUnits.filter(({ id }) => hits.has(id))
  const fitting = fittingRows(head, near, ({ id, text }) => plainRow([id, text]), tokens, count)
  // only this table doubles backslashes
  const rows = fitting.items.map(({ id, text }) => quotedRow([id, text.replaceAll('\\', '\\\\')], '|'))
  const text = head + rows.join('')
  return { ...fitting, text, tokens: count(text) }
}
