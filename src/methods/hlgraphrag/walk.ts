/** The neighbours of a node that were not visited, in the order in which the search descends to them. */
export type Descend = (node: number, unvisited: readonly number[]) => readonly number[]

/** Depth-first search from a node, in pre-order, of no more than so many nodes. It ends where nothing is left to reach. */
export function depthFirst(
  start: number,
  neighbours: (node: number) => Iterable<number>,
  most: number,
  descend: Descend = (_, unvisited) => unvisited,
): readonly number[] {
  const visited = new Set<number>()
  const visit = (node: number): void => {
    visited.add(node)
    const unvisited = [...neighbours(node)].filter((next) => !visited.has(next))
    for (const next of visited.size < most ? descend(node, unvisited) : []) {
      if (visited.size >= most) return
      // the search below a neighbour before it may have come here
      if (!visited.has(next)) visit(next)
    }
  }
  visit(start)
  return [...visited]
}
