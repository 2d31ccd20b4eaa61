import { mark } from '../../basics/files.ts'
import type { Drawing, Trace } from '../../types.ts'
import { escapeXml } from '../page-head.ts'
import { layout } from './layout.ts'
import { pageData, type Point } from './page-data.ts'
import { graphPage } from './page.ts'

export const graphFormats = ['html', 'graphml', 'json'] as const
export type GraphFormat = (typeof graphFormats)[number]

/** The text of a file, and how many edges and questions had no room in it. */
interface Exported {
  readonly text: string
  readonly leftOut: { readonly edges: number; readonly questions: number }
}

/** A drawing as the text of a file; nodes have the same places in every format. */
export function exportGraph(format: GraphFormat, drawing: Drawing): Exported {
  const points = layout(drawing.graph)
  switch (format) {
    case 'html':
      return page(drawing, points)
    case 'graphml':
      return { text: graphml(drawing, points), leftOut: nothing }
    case 'json':
      return { text: json(drawing, points), leftOut: nothing }
  }
}

const nothing = { edges: 0, questions: 0 }

function page(drawing: Drawing, points: readonly Point[]): Exported {
  const shown = pageData(drawing, points)
  const edges = drawing.graph.edges.length - shown.edges.length
  const questions = drawing.lookups.length - shown.lookups.length
  return { text: graphPage(drawing, shown), leftOut: { edges, questions } }
}

/** `mark` first; nodes with their places. */
function json({ graph, ...rest }: Drawing, points: readonly Point[]): string {
  const nodes = graph.nodes.map((node, index) => ({ ...node, ...points[index] }))
  return `${JSON.stringify({ mark, ...rest, ...graph, nodes }, null, 2)}\n`
}

/** The graph as GraphML (graphml.graphdrawing.org), undirected, with places and data of nodes; lists are JSON. */
function graphml({ graph: { nodes, edges, groups = [] } }: Drawing, points: readonly Point[]): string {
  const names = [...new Set(nodes.flatMap(({ data = {} }) => Object.keys(data)))]
  const keys = [
    ...['label', 'kind', 'text'].map((name) => key(name, 'node', name, 'string')),
    key('group', 'node', 'group', 'int'),
    key('groupName', 'node', 'groupName', 'string'),
    ...['x', 'y'].map((name) => key(name, 'node', name, 'double')),
    ...names.map((name, index) =>
      key(`data${index}`, 'node', name, typeOf(nodes.flatMap(({ data }) => data?.[name] ?? []))),
    ),
    key('weight', 'edge', 'weight', 'double'),
    key('relation', 'edge', 'kind', 'string'),
  ]
  const nodeLines = nodes.map(({ id, kind, text, group = 0, data = {} }, index) => {
    const { x, y } = points[index] ?? { x: 0, y: 0 }
    const values = names.map((name, column) => datum(`data${column}`, data[name]))
    return `<node id="n${index}">${datum('label', id)}${datum('kind', kind)}${datum('text', text)}${datum('group', group)}${datum('groupName', groups[group - 1])}${datum('x', x)}${datum('y', y)}${values.join('')}</node>`
  })
  const edgeLines = edges.map(
    ({ from, to, weight, kind }) =>
      `<edge source="n${from}" target="n${to}">${datum('weight', weight)}${datum('relation', kind)}</edge>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${mark} -->
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
${keys.join('\n')}
<graph edgedefault="undirected">
${[...nodeLines, ...edgeLines].join('\n')}
</graph>
</graphml>
`
}

const key = (id: string, of: 'node' | 'edge', name: string, type: string): string =>
  `<key id="${id}" for="${of}" attr.name="${escapeXml(name)}" attr.type="${type}"/>`

const typeOf = (values: readonly Trace[string][]): string => {
  const kinds = new Set(values.map((value) => (value === null ? 'null' : typeof value)))
  kinds.delete('null')
  return kinds.size === 1 && kinds.has('number')
    ? 'double'
    : kinds.size === 1 && kinds.has('boolean')
      ? 'boolean'
      : 'string'
}

const datum = (id: string, value: Trace[string] | undefined): string =>
  value === undefined || value === null
    ? ''
    : `<data key="${id}">${escapeXml(typeof value === 'object' ? JSON.stringify(value) : String(value))}</data>`
