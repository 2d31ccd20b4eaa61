import type { Graph } from '../../types.ts'
import { drawTextGraph } from '../shared/text-graph.ts'
import type { SourceUnit } from '../shared/text-units.ts'
import type { BuiltIndex, Community } from './tables.ts'

type Node = Graph['nodes'][number]

/** Node ids in the drawing, by table ids; a text unit that is a chunk of the run has the chunk's id. */
export const nodeIds = {
  entity: (id: number): string => `entity ${id}`,
  community: (id: number): string => `community ${id}`,
  textUnit: (id: number, source: Pick<SourceUnit, 'from' | 'spans'> | undefined): string =>
    (source?.spans ? undefined : source?.from[0]) ?? `text unit ${id}`,
}

/**
 * Entities, reports and text units, coloured by community. Edges lead from a report to its sub-communities, or else to
 * its entities, and from an entity to its text units.
 */
export function drawingOf({ entities, relationships, communities, reports, textUnits, sources }: BuiltIndex): Graph {
  const reportOf = new Map(reports.map((report) => [report.community, report]))
  const unitId = (id: number): string => nodeIds.textUnit(id, sources[id])
  const byTitle = new Map(entities.map(({ id, title }) => [title, nodeIds.entity(id)]))
  const { nodes, edges } = drawTextGraph({
    entities: entities.map(({ id, title, type, description, degree, frequency, textUnitIds }) => ({
      id: nodeIds.entity(id),
      text: title,
      data: { type, description, degree, frequency },
      texts: [...new Set(textUnitIds)].map(unitId),
    })),
    otherNodes: communities.map(({ id, level, entityIds }) => {
      const report = reportOf.get(id)
      const data = { level, entities: entityIds.length, ...(report && { rank: report.rank }) }
      const text = report?.fullContent ?? `Community ${id} (no report)`
      return { id: nodeIds.community(id), kind: 'report', text, data }
    }),
    texts: textUnits.map(({ id, text }) => {
      const source = sources[id]
      const from = source && { from: source.from, data: { document: source.documentId } }
      return { id: unitId(id), kind: 'text unit', text, ...from }
    }),
    relations: relationships.map(({ source, target, weight }) => ({
      ends: [byTitle.get(source) ?? '', byTitle.get(target) ?? ''],
      weight: Number.isFinite(weight) ? weight : 0,
    })),
    otherEdges: communities.flatMap(({ id, children, entityIds }) => {
      const targets = children.length > 0 ? children.map(nodeIds.community) : entityIds.map(nodeIds.entity)
      return targets.map((target) => ({ ends: [nodeIds.community(id), target] as const, weight: 1, kind: 'holds' }))
    }),
  })
  const levels = levelsOf(communities, nodes)
  return {
    nodes: nodes.map((node, index) => ({ ...node, group: levels[0]?.groups[index] ?? 0 })),
    edges,
    groups: communities.map(({ id }) => reportOf.get(id)?.title ?? `Community ${id}`),
    ...(levels.length > 0 && { levels }),
  }
}

/** The community of every node at each level, numbered from 1 in table order. */
function levelsOf(communities: readonly Community[], nodes: readonly Node[]): NonNullable<Graph['levels']> {
  const place = new Map(nodes.map(({ id }, index) => [id, index]))
  const deepest = communities.reduce((most, { level }) => Math.max(most, level), -1)
  const groups = new Array<number>(place.size).fill(0)
  return Array.from({ length: deepest + 1 }, (_, level) => {
    for (const [index, { id, level: communityLevel, entityIds }] of communities.entries())
      for (const node of communityLevel === level ? [nodeIds.community(id), ...entityIds.map(nodeIds.entity)] : []) {
        const at = place.get(node)
        if (at !== undefined) groups[at] = index + 1
      }
    return { name: `level ${level}`, groups: [...groups] }
  })
}
