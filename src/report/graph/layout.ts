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
import { countEach, groupBy, valueOf } from '../../basics/collections.ts'
import { buildGraph, connectedComponents } from '../../math/graph.ts'
import { mulberry32 } from '../../math/random.ts'
import type { Graph } from '../../types.ts'
import type { Point } from './page-data.ts'

/** Force-directed coordinates, deterministic for a graph and seed. */
export function layout({ nodes, edges }: Pick<Graph, 'nodes' | 'edges'>, seed = 42): readonly Point[] {
  const bodies: SimulationNodeDatum[] = initialPlaces({ nodes, edges }).map((place) => ({ ...place }))
  const degrees = countEach(edges.flatMap(({ from, to }) => [from, to]))
  const { low, high } = edges.reduce(
    (range, { weight }) => ({ low: Math.min(range.low, weight), high: Math.max(range.high, weight) }),
    { low: Infinity, high: -Infinity },
  )
  const links = edges
    .filter(({ from, to }) => from !== to)
    .map(({ from, to, weight }) => ({
      source: from,
      target: to,
      share: high > low ? (weight - low) / (high - low) : 1,
      degree: Math.min(valueOf(degrees, from), valueOf(degrees, to)),
    }))
  const springs = forceLink<SimulationNodeDatum, SimulationLinkDatum<SimulationNodeDatum> & (typeof links)[number]>(
    links,
  )
    .distance(({ share }) => 70 - 45 * share)
    .strength(({ share, degree }) => (0.2 + 0.8 * share) / degree)
  const ticks = ticksFor(nodes.length)
  forceSimulation(bodies)
    .randomSource(mulberry32(seed))
    // reaches d3's final alpha of 0.001 after `ticks`
    .alphaDecay(1 - 0.001 ** (1 / ticks))
    .force('links', springs)
    .force('repulsion', forceManyBody().strength(-90).distanceMax(600))
    .force('space', forceCollide(11))
    // keeps unconnected components near each other
    .force('x', forceX().strength(0.035))
    .force('y', forceY().strength(0.035))
    .stop()
    .tick(ticks)
  return bodies.map(({ x = 0, y = 0 }) => ({ x, y }))
}

/** d3's default of 300, fewer for large graphs; independent of the machine. */
const ticksFor = (nodes: number): number => Math.max(60, Math.min(300, Math.floor(900_000 / Math.max(1, nodes))))

/** Initial coordinates: each component in a spiral of its own, the largest in the middle. */
function initialPlaces({ nodes, edges }: Pick<Graph, 'nodes' | 'edges'>): readonly Point[] {
  const ends = { from: edges.map(({ from }) => from), to: edges.map(({ to }) => to), weight: edges.map(() => 1) }
  const component = connectedComponents(buildGraph(nodes.length, ends))
  const parts = [...groupBy(component.keys(), (node) => component[node]).values()].sort((a, b) => b.length - a.length)
  const places = new Array<Point>(nodes.length)
  let totalArea = 0
  parts.forEach((part, number) => {
    const partArea = part.length * spacing ** 2
    const centre = spiralPoint(number, number === 0 ? 0 : Math.sqrt(totalArea + partArea))
    totalArea += 2 * partArea
    part.forEach((node, index) => {
      const { x, y } = spiralPoint(index, spacing * Math.sqrt((0.5 + index) / Math.PI))
      places[node] = { x: centre.x + x, y: centre.y + y }
    })
  })
  return places
}

/** Typical distance of neighbours after layout. */
const spacing = 40

/** Points at the golden angle never line up. */
const spiralPoint = (index: number, radius: number): Point => {
  const angle = index * Math.PI * (3 - Math.sqrt(5))
  return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }
}
