import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationLinkDatum,
  type SimulationNodeDatum,
} from 'd3-force'
import { countEach, valueOf } from '../../basics/collections.ts'
import { mulberry32 } from '../../math/random.ts'
import type { Graph } from '../../types.ts'
import type { Point } from './page-data.ts'

/** `share`: position of the weight from the least to the greatest, 0 to 1; `degree`: of the end with fewer edges. */
type Spring = SimulationLinkDatum<SimulationNodeDatum> & { readonly share: number; readonly degree: number }

/** Force-directed coordinates, deterministic for a graph and seed. */
export function layout({ nodes, edges }: Pick<Graph, 'nodes' | 'edges'>, seed = 42): readonly Point[] {
  const degrees = countEach(edges.flatMap(({ from, to }) => [from, to]))
  const [low, high] = edges.reduce(
    ([least, greatest], { weight }) => [Math.min(least, weight), Math.max(greatest, weight)],
    [Infinity, -Infinity],
  )
  const springs = edges
    .filter(({ from, to }) => from !== to)
    .map(({ from, to, weight }): Spring => ({
      source: from,
      target: to,
      share: high > low ? (weight - low) / (high - low) : 1,
      degree: Math.min(valueOf(degrees, from), valueOf(degrees, to)),
    }))
  // d3's default of 300, fewer for large graphs; independent of the machine
  const ticks = Math.max(60, Math.min(300, Math.floor(900_000 / Math.max(1, nodes.length))))
  const bodies: SimulationNodeDatum[] = nodes.map(() => ({}))
  forceSimulation(bodies)
    .randomSource(mulberry32(seed))
    // reaches d3's final alpha of 0.001 after `ticks`
    .alphaDecay(1 - 0.001 ** (1 / ticks))
    .force(
      'links',
      forceLink<SimulationNodeDatum, Spring>(springs)
        .distance(({ share }) => 70 - 45 * share)
        .strength(({ share, degree }) => (0.2 + 0.8 * share) / degree),
    )
    .force('repulsion', forceManyBody().strength(-90).distanceMax(600))
    .force('space', forceCollide(11))
    // keeps unconnected components near each other
    .force('x', forceX().strength(0.035))
    .force('y', forceY().strength(0.035))
    .stop()
    .tick(ticks)
  return bodies.map(({ x = 0, y = 0 }) => ({ x, y }))
}
