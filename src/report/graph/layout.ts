import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from 'd3-force'
import { groupBy, itemAt } from '../../basics/collections.ts'
import { mulberry32 } from '../../math/random.ts'
import type { Graph } from '../../types.ts'
import type { Point } from './page-data.ts'

/** A place for every node, by springs of the edges' weights; the same graph and seed give the same places. */
export function layout({ nodes, edges }: Graph, seed = 42): readonly Point[] {
  const bodies: SimulationNodeDatum[] = start({ nodes, edges }).map((place) => ({ ...place }))
  const links = edges
    .filter(({ from, to }) => from !== to)
    .map(({ from, to, weight }) => ({ source: from, target: to, weight }))
  const ends = degrees(nodes.length, edges)
  const share = between(links.map(({ weight }) => weight))
  const springs = forceLink<SimulationNodeDatum, (typeof links)[number]>(links)
    .distance(({ weight }) => 70 - 45 * share(weight))
    .strength(
      (link) =>
        (0.2 + 0.8 * share(link.weight)) / Math.min(itemAt(ends, at(link.source)), itemAt(ends, at(link.target))),
    )
  const ticks = ticksFor(nodes.length)
  forceSimulation(bodies)
    .randomSource(mulberry32(seed))
    // cold after so many ticks, as d3's own decay is after 300
    .alphaDecay(1 - 0.001 ** (1 / ticks))
    .force('links', springs)
    .force('repulsion', forceManyBody().strength(-90).distanceMax(600))
    .force('space', forceCollide(11))
    // parts without an edge between them stay near each other
    .force('x', forceX().strength(0.035))
    .force('y', forceY().strength(0.035))
    .stop()
    .tick(ticks)
  return bodies.map(({ x = 0, y = 0 }) => ({ x, y }))
}

/** d3's own 300, fewer for many nodes: a function of the size alone, whatever the machine. */
const ticksFor = (nodes: number): number => Math.max(60, Math.min(300, Math.floor(900_000 / Math.max(1, nodes))))

function degrees(size: number, edges: Graph['edges']): readonly number[] {
  const count = new Array<number>(size).fill(0)
  for (const { from, to } of edges) {
    count[from] = itemAt(count, from) + 1
    count[to] = itemAt(count, to) + 1
  }
  return count
}

/** Where a weight lies between the lightest (0) and the heaviest (1); 1 where all are equal. */
function between(weights: readonly number[]): (weight: number) => number {
  let low = Infinity
  let high = -Infinity
  for (const weight of weights) {
    low = Math.min(low, weight)
    high = Math.max(high, weight)
  }
  return (weight) => (high > low ? (weight - low) / (high - low) : 1)
}

/** d3 replaces the index of an end by its body, which knows its index. */
function at(end: SimulationNodeDatum | string | number): number {
  const index = typeof end === 'object' ? end.index : Number(end)
  if (index === undefined) throw new Error('an edge leads to a body without an index')
  return index
}

/** Where a layout starts: each connected part in a spiral of its own, the largest in the middle. */
export function start({ nodes, edges }: Pick<Graph, 'nodes' | 'edges'>): readonly Point[] {
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
  return [...groupBy(parent.keys(), root).values()].sort((a, b) => b.length - a.length)
}
