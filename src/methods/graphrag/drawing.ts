import type { Graph } from '../../types.ts'
import type { Community, Built } from './tables.ts'
import type { SourceUnit } from '../shared/text-units.ts'

type Node = Graph['nodes'][number]
type Edge = Graph['edges'][number]

/**
 * Entities, reports and text units. A level is coloured by the communities that hold an entity there; where a community
 * was not split, it stays that of the level above. A report leads to its sub-communities, or else to its entities, and
 * an entity to its text units.
 */
export function drawingOf({ entities, relationships, communities, reports, textUnits, sources }: Built): Graph {
  const reportOf = new Map(reports.map((report) => [report.community, report]))
  const nodes: readonly Node[] = [
    ...entities.map(({ id, title, type, description, degree, frequency }) => {
      const data = { type, description, degree, frequency }
      return { id: nodeIds.entity(id), kind: 'entity', text: title, data }
    }),
    ...communities.map(({ id, level, entityIds }) => {
      const report = reportOf.get(id)
      const data = { level, entities: entityIds.length, ...(report && { rank: report.rank }) }
      return {
        id: nodeIds.community(id),
        kind: 'report',
        text: report?.fullContent ?? `Community ${id} (no report)`,
        data,
      }
    }),
    ...textUnits.map(({ id, text }) => {
      const source = sources[id]
      const from = source && { from: source.from, data: { document: source.docId } }
      return { id: nodeIds.textUnit(id, source), kind: 'text unit', text, ...from }
    }),
  ]
  const place = new Map(nodes.map(({ id }, index) => [id, index]))
  const edge = (from: string, to: string, weight: number, kind: string): readonly Edge[] => {
    const [start, end] = [place.get(from), place.get(to)]
    return start === undefined || end === undefined ? [] : [{ from: start, to: end, weight, kind }]
  }
  const byTitle = new Map(entities.map(({ id, title }) => [title, nodeIds.entity(id)]))
  const edges = [
    ...relationships.flatMap(({ source, target, weight }) =>
      edge(byTitle.get(source) ?? '', byTitle.get(target) ?? '', Number.isFinite(weight) ? weight : 0, 'related'),
    ),
    ...communities.flatMap(({ id, children, entityIds }) => {
      const below = children.length > 0 ? children.map(nodeIds.community) : entityIds.map(nodeIds.entity)
      return below.flatMap((one) => edge(nodeIds.community(id), one, 1, 'holds'))
    }),
    ...entities.flatMap(({ id, textUnitIds }) =>
      [...new Set(textUnitIds)].flatMap((unit) =>
        edge(nodeIds.entity(id), nodeIds.textUnit(unit, sources[unit]), 1, 'stands in'),
      ),
    ),
  ]
  const levels = levelsOf(communities, place)
  const first = levels[0]?.groups ?? []
  return {
    nodes: nodes.map((node, index) => ({ ...node, group: first[index] ?? 0 })),
    edges,
    groups: communities.map(({ id }) => reportOf.get(id)?.title ?? `Community ${id}`),
    ...(levels.length > 0 && { levels }),
  }
}

/** Of each level the community of every node, numbered from 1 in the order of the table. */
function levelsOf(communities: readonly Community[], place: ReadonlyMap<string, number>): NonNullable<Graph['levels']> {
  const deepest = communities.reduce((most, { level }) => Math.max(most, level), -1)
  const groups = new Array<number>(place.size).fill(0)
  return Array.from({ length: deepest + 1 }, (_, level) => {
    for (const [index, community] of communities.entries()) {
      if (community.level !== level) continue
      for (const id of [nodeIds.community(community.id), ...community.entityIds.map(nodeIds.entity)]) {
        const node = place.get(id)
        if (node !== undefined) groups[node] = index + 1
      }
    }
    return { name: `level ${level}`, groups: [...groups] }
  })
}

/** The ids of nodes in the drawing, by the ids of tables; a text unit that is a chunk of the run has the chunk's id. */
export const nodeIds = {
  entity: (id: number): string => `entity ${id}`,
  community: (id: number): string => `community ${id}`,
  textUnit: (id: number, source: Pick<SourceUnit, 'from' | 'span'> | undefined): string =>
    (source?.span ? undefined : source?.from[0]) ?? `text unit ${id}`,
}
