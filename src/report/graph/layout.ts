import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from 'd3-force'
import { mulberry32 } from '../../math/random.ts'
import type { Graph } from '../../types.ts'
import { start } from './start.ts'
import type { Point } from './point.ts'

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
        (0.2 + 0.8 * share(link.weight)) /
        Math.max(1, Math.min(ends[at(link.source)] ?? 1, ends[at(link.target)] ?? 1)),
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

/** d3's own 300, fewer where a tick takes long; a function of the size alone, or the layout would depend on the machine. */
const ticksFor = (nodes: number): number => Math.max(60, Math.min(300, Math.floor(900_000 / Math.max(1, nodes))))

function degrees(size: number, edges: Graph['edges']): readonly number[] {
  const count = new Array<number>(size).fill(0)
  for (const { from, to } of edges) {
    count[from] = (count[from] ?? 0) + 1
    count[to] = (count[to] ?? 0) + 1
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
const at = (end: SimulationNodeDatum | string | number): number =>
  typeof end === 'object' ? (end.index ?? 0) : Number(end)
