import type { Drawing, LookupPassage, Graph, Lookup, Trace } from '../../types.ts'
import { encodePage, encodeEdges, type PageData, type Point } from './page-format.ts'
/** More are seen by nobody; with fewer a graph is none. */
const [mostEdges, leastEdges] = [10_000, 1000]

/** Bytes of the data, their texts aside: with its own code a page stays below 400 kB. */
const mostBytes = 345_000

/** Bytes of them that questions may take. */
const mostOfLookups = 60_000

/** What a page carries: every node, as many questions as fit, and then the heaviest edges that fit, 10,000 at most and 1000 at least. */
export function pageData(drawing: Drawing, points: readonly Point[]): PageData {
  const { method, graph, lookups } = drawing
  const { nodes, edges } = graph
  const kinds = [...new Set(nodes.map(({ kind }) => kind))]
  const relations = [...new Set(edges.flatMap(({ kind }) => kind ?? []))]
  const heaviest = byWeight(edges, relations)
  const whole: PageData = {
    method,
    kinds,
    relations,
    groups: graph.groups ?? [],
    nodes: {
      id: nodes.map(({ id }) => id),
      text: nodes.map(({ text }) => text),
      kind: nodes.map(({ kind }) => kinds.indexOf(kind)),
      group: nodes.map(({ group = 0 }) => group),
      x: points.map(({ x }) => Math.round(x)),
      y: points.map(({ y }) => Math.round(y)),
      data: nodes.map(({ data = {} }) =>
        Object.fromEntries(Object.entries(data).map(([name, value]) => [name, short(value)])),
      ),
    },
    edges: [],
    ...(graph.levels && { levels: graph.levels.map(({ name, groups }) => ({ name, group: groups })) }),
    lookups: fitting(lookups.map(shortened)),
  }
  const room = mostBytes - Buffer.byteLength(JSON.stringify(encodePage(withoutTexts(whole))))
  let most = mostEdges
  while (most > leastEdges && JSON.stringify(encodeEdges(heaviest.slice(0, most))).length > room) most -= 1000
  return { ...whole, edges: heaviest.slice(0, most) }
}

/** Edges as a page has them, in the order of a page; weights are rounded so that of very many most have one that another has. */
const byWeight = (edges: Graph['edges'], relations: readonly string[]): PageData['edges'] =>
  edges
    .map(({ from, to, weight, kind }) => [
      from,
      to,
      Number(weight.toPrecision(3)),
      ...(kind === undefined ? [] : [relations.indexOf(kind)]),
    ])
    .sort(inOrder)

/** Heaviest first; of equal weight by relation and by ends. */
const inOrder = (a: readonly number[], b: readonly number[]): number =>
  (b[2] ?? 0) - (a[2] ?? 0) || (a[3] ?? -1) - (b[3] ?? -1) || (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0)

/** The same with nothing to read in it but names. */
function withoutTexts({ nodes, lookups, ...rest }: PageData): PageData {
  return {
    ...rest,
    nodes: {
      ...nodes,
      text: [],
      data: nodes.data.map(withoutWords),
    },
    lookups: lookups.map((lookup) => ({
      ...lookup,
      question: '',
      found: lookup.found.map(({ nodes, score, why }) => ({ nodes, score, ...(why && { why: withoutWords(why) }) })),
    })),
  }
}

function withoutWords(trace: Trace): Trace {
  const isText = (value: unknown): boolean => typeof value === 'string'
  const emptied = (value: Trace[string]): Trace[string] => ([value].flat().every(isText) ? '' : value)
  return Object.fromEntries(Object.entries(trace).map(([name, value]) => [name, emptied(value)]))
}

/** As many questions as fit, the own ones before all; they keep their order. */
function fitting(lookups: readonly Lookup[]): readonly Lookup[] {
  let left = mostOfLookups
  const size = ({ found, evidence }: Lookup): number =>
    JSON.stringify([found.map(({ nodes, score, why }) => [score, nodes, why && withoutWords(why)]), evidence]).length
  const kept = new Set(
    [...lookups].sort((a, b) => Number(b.own) - Number(a.own)).filter((lookup) => (left -= size(lookup)) >= 0),
  )
  return lookups.filter((lookup) => kept.has(lookup))
}

const shortened = (lookup: Lookup): Lookup => ({ ...lookup, found: lookup.found.map(beginning) })

/** Of a passage that is no node, the list shows the beginning; whole, it would be here once for every question. */
const beginning = ({ text, score, nodes, why }: LookupPassage): LookupPassage => ({
  nodes,
  score: short(score),
  ...(text !== undefined && { text: text.slice(0, 200) }),
  ...(why && { why: inOneLine(why) }),
})

/** What is said in one line: lists are long, and those of a node stand with the node. */
const inOneLine = (why: Trace): Trace =>
  Object.fromEntries(
    Object.entries(why).flatMap(([name, value]) => (Array.isArray(value) ? [] : [[name, short(value)] as const])),
  )

/** Numbers to be read by people. */
const short = <T>(value: T): T | number =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value
