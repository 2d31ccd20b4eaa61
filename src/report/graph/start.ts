import type { Graph } from '../../types.ts'
import type { Point } from './point.ts'

/** Where a layout starts: each connected part in a spiral of its own, the largest in the middle, so that parts do not begin entangled. */
export function start({
  nodes,
  edges,
}: Pick<Graph, 'edges'> & { readonly nodes: { readonly length: number } }): readonly Point[] {
  const places = new Array<Point>(nodes.length)
  let covered = 0
  parts(nodes.length, edges).forEach((part, number) => {
    const area = part.length * spacing ** 2
    const centre = number === 0 ? { x: 0, y: 0 } : onSpiral(number, Math.sqrt(covered + area))
    covered += 2 * area
    part.forEach((node, index) => {
      const { x, y } = onSpiral(index, spacing * Math.sqrt((0.5 + index) / Math.PI))
      places[node] = { x: centre.x + x, y: centre.y + y }
    })
  })
  return places
}

/** About the distance at which nodes come to rest. */
const spacing = 40

/** Places at the golden angle from each other never line up. */
const onSpiral = (index: number, radius: number): Point => {
  const angle = index * Math.PI * (3 - Math.sqrt(5))
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }
}

/** The connected parts, largest first, ties in order; nodes in order. */
function parts(size: number, edges: Graph['edges']): readonly (readonly number[])[] {
  const parent = Array.from({ length: size }, (_, node) => node)
  const root = (node: number): number => {
    let top = node
    for (let up = parent[top] ?? top; up !== top; up = parent[top] ?? top) {
      parent[top] = parent[up] ?? up
      top = up
    }
    return top
  }
  for (const { from, to } of edges) parent[root(to)] = root(from)
  const found = new Map<number, number[]>()
  for (let node = 0; node < size; node++) {
    const part = found.get(root(node))
    if (part) part.push(node)
    else found.set(root(node), [node])
  }
  return [...found.values()].sort((a, b) => b.length - a.length)
}
