import { mark } from '../../basics/files.ts'
import type { Drawing } from '../../types.ts'
import { escapeXml } from '../page-head.ts'
import { layout } from './layout.ts'
import { pageData, type Point } from './page-data.ts'
import { graphPage } from './page.ts'

export const graphFormats = ['html', 'graphml', 'json'] as const
export type GraphFormat = (typeof graphFormats)[number]

/** The text of a file. `leftOut`: edges that it omits. */
interface ExportedGraph {
  readonly text: string
  readonly leftOut: number
}

/** Renders a drawing; nodes have the same coordinates in every format. */
export async function exportGraph(format: GraphFormat, drawing: Drawing): Promise<ExportedGraph> {
  const points = layout(drawing.graph)
  if (format === 'html') {
    const data = pageData(drawing, points)
    return { text: await graphPage(drawing, data), leftOut: drawing.graph.edges.length - data.edges.length }
  }
  return { text: format === 'json' ? toJson(drawing, points) : toGraphml(drawing, points), leftOut: 0 }
}

/** `mark` comes first. */
function toJson({ graph, ...rest }: Drawing, points: readonly Point[]): string {
  const nodes = graph.nodes.map((node, index) => ({ ...node, ...points[index] }))
  return `${JSON.stringify({ mark, ...rest, ...graph, nodes }, null, 2)}\n`
}

/** Undirected GraphML (graphml.graphdrawing.org) with coordinates and data of nodes; lists are JSON. */
function toGraphml({ graph: { nodes, edges, groups = [] } }: Drawing, points: readonly Point[]): string {
  const records = nodes.map(({ id, kind, text, group = 0, data = {} }, index): Readonly<Record<string, unknown>> => {
    const groupName = groups[group - 1]
    return { ...data, label: id, kind, text, group, groupName, ...points[index] }
  })
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))]
  const keys = names.map((name, index) => {
    const isNumber = records.every((record) => record[name] == null || typeof record[name] === 'number')
    return key(`data${index}`, 'node', name, isNumber ? 'double' : 'string')
  })
  const nodeLines = records.map((record, index) => {
    const values = names.map((name, column) => datum(`data${column}`, record[name]))
    return `<node id="n${index}">${values.join('')}</node>`
  })
  const edgeLines = edges.map(
    ({ from, to, weight, kind }) =>
      `<edge source="n${from}" target="n${to}">${datum('weight', weight)}${datum('relation', kind)}</edge>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ${mark} -->
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
${[...keys, key('weight', 'edge', 'weight', 'double'), key('relation', 'edge', 'kind', 'string')].join('\n')}
<graph edgedefault="undirected">
${[...nodeLines, ...edgeLines].join('\n')}
</graph>
</graphml>
`
}

const key = (id: string, of: 'node' | 'edge', name: string, type: string): string =>
  `<key id="${id}" for="${of}" attr.name="${escapeXml(name)}" attr.type="${type}"/>`

const datum = (id: string, value: unknown): string =>
  value === undefined || value === null
    ? ''
    : `<data key="${id}">${escapeXml(typeof value === 'string' ? value : JSON.stringify(value))}</data>`
