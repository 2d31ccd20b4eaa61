import type { Drawing, Found } from '../../types.ts'
import type { PageData } from './client/model.ts'
import type { Point } from './layout.ts'

/** More are seen by nobody; the page stays below 400 kB without its texts. */
export const mostEdges = 10_000

/** What the page carries, in columns, heaviest edges first; the lightest of very many are left out. */
export function pageData({ method, graph, lookups }: Drawing, points: readonly Point[]): PageData {
  const { nodes, edges } = graph
  const kinds = [...new Set(nodes.map(({ kind }) => kind))]
  const relations = [...new Set(edges.flatMap(({ kind }) => kind ?? []))]
  const heaviest = [...edges].sort((a, b) => b.weight - a.weight).slice(0, mostEdges)
  return {
    method,
    kinds,
    relations,
    nodes: {
      id: nodes.map(({ id }) => id),
      text: nodes.map(({ text }) => text),
      kind: nodes.map(({ kind }) => kinds.indexOf(kind)),
      group: nodes.map(({ group = 0 }) => group),
      x: points.map(({ x }) => Math.round(x * 10) / 10),
      y: points.map(({ y }) => Math.round(y * 10) / 10),
      data: nodes.map(({ data = {} }) =>
        Object.fromEntries(Object.entries(data).map(([name, value]) => [name, short(value)])),
      ),
    },
    edges: heaviest.map(({ from, to, weight, kind }) => [
      from,
      to,
      Number(weight.toPrecision(4)),
      ...(kind === undefined ? [] : [relations.indexOf(kind)]),
    ]),
    lookups: lookups.map((lookup) => ({ ...lookup, found: lookup.found.map(beginning) })),
  }
}

/** Of a passage that is no node, the list shows the beginning; whole, it would be here once for every question. */
const beginning = ({ text, ...found }: Found): Found => ({
  ...found,
  ...(text !== undefined && { text: text.slice(0, 200) }),
})

/** Numbers to be read by people. */
const short = <T>(value: T): T | number =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value
