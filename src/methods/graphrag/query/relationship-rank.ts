import type { Relationship } from '../tables.ts'

/** A relationship as a step of the local context has it; `links` where it was outside at this or an earlier step. */
export interface RankedRelationship {
  readonly relationship: Relationship
  readonly links?: number
}

/** The relationships that name a title, by their places in the table. */
export type RelationshipsByTitle = ReadonlyMap<string, readonly number[]>

export function relationshipsByTitle(relationships: readonly Relationship[]): RelationshipsByTitle {
  const places = new Map<string, number[]>()
  for (const [place, { source, target }] of relationships.entries()) {
    for (const title of new Set([source, target])) {
      const known = places.get(title)
      if (known) known.push(place)
      else places.set(title, [place])
    }
  }
  return places
}

/**
 * Gives the relationships of a growing list of selected titles, a call for each title more (section 3): those between them by rank, then
 * those that leave them by (links, rank), no more than `top` for each title. Links are the selected neighbours of the outer end; they are
 * counted where two or more leave, and one that came inside keeps its last count.
 */
export function relationshipRanker(relationships: readonly Relationship[], byTitle: RelationshipsByTitle, top: number) {
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
