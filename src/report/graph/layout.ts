import * as d3 from 'd3-force'
import { mulberry32 } from '../../math/random.ts'
import type { Graph } from '../../types.ts'
import type { Point } from './page-data.ts'

/** `share`: position of the weight from the least to the greatest, 0 to 1. */
type Spring = d3.SimulationLinkDatum<d3.SimulationNodeDatum> & { readonly share: number }

/** Force-directed coordinates, deterministic for a graph and seed. */
export function layout({ nodes, edges }: Pick<Graph, 'nodes' | 'edges'>, seed = 42): readonly Point[] {
  const weights = edges.map(({ weight }) => weight).sort((a, b) => a - b)
  const low = weights[0] ?? 0
  const span = (weights.at(-1) ?? 0) - low
  const springs = edges
    .filter(({ from, to }) => from !== to)
    .map(({ from: source, to: target, weight }): Spring => {
      return { source, target, share: span > 0 ? (weight - low) / span : 1 }
    })
  const links = d3.forceLink<d3.SimulationNodeDatum, Spring>(springs).distance(({ share }) => 70 - 45 * share)
  // d3's strength is 1 / the degree of the end with fewer edges
  const byDegree = links.strength()
  links.strength((spring, index, all) => (0.2 + 0.8 * spring.share) * byDegree(spring, index, all))
  // d3's default of 300, fewer for large graphs; independent of the machine
  const ticks = Math.max(60, Math.min(300, Math.floor(900_000 / Math.max(1, nodes.length))))
  const bodies: d3.SimulationNodeDatum[] = nodes.map(() => ({}))
  d3.forceSimulation(bodies)
    .randomSource(mulberry32(seed))
    // reaches d3's final alpha of 0.001 after `ticks`
    .alphaDecay(1 - 0.001 ** (1 / ticks))
    .force('links', links)
    .force('repulsion', d3.forceManyBody().strength(-90).distanceMax(600))
    .force('space', d3.forceCollide(11))
    // keeps unconnected components near each other
    .force('x', d3.forceX().strength(0.035))
    .force('y', d3.forceY().strength(0.035))
    .stop()
    .tick(ticks)
  return bodies.map(({ x = 0, y = 0 }) => ({ x, y }))
}
