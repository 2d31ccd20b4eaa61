import type { Graph } from '../../types.ts'
import type { Built } from './build.ts'

/** Entities, coloured by their community of level 0, and their relations. */
export function drawingOf({ entities, relationships, communities }: Built): Graph {
  const tops = communities.filter(({ level }) => level === 0)
  const groupOf = new Map(tops.flatMap(({ entityIds }, place) => entityIds.map((id) => [id, place + 1] as const)))
  const place = new Map(entities.map(({ title }, index) => [title, index]))
  return {
    nodes: entities.map(({ id, title, type, description, degree }) => ({
      id: `entity ${id}`,
      kind: 'entity',
      text: title,
      group: groupOf.get(id) ?? 0,
      data: { type, description, degree },
    })),
    edges: relationships.flatMap(({ source, target, weight }) => {
      const [from, to] = [place.get(source), place.get(target)]
      if (from === undefined || to === undefined) return []
      return [{ from, to, weight: Number.isFinite(weight) ? weight : 0 }]
    }),
    groups: tops.map(({ title }) => title),
  }
}
