import { mark } from '../../basics/files.ts'
import type { Drawing } from '../../types.ts'
import { escapeXml } from '../page-head.ts'
import { layout } from './layout.ts'
import { pageData, type Point } from './page-data.ts'
import { graphPage } from './page.ts'

export type GraphFormat = 'html' | 'graphml' | 'json'

/** The text of a file, with the same coordinates in every format. `leftOut`: edges that it omits. */
export async function exportGraph(format: GraphFormat, drawing: Drawing) {
  const { graph, ...rest } = drawing
  const points = layout(graph)
  if (format === 'graphml') return { text: toGraphml(graph, points), leftOut: 0 }
  if (format === 'json') {
    const nodes = graph.nodes.map((node, index) => ({ ...node, ...points[index] }))
    // `mark` comes first
    return { text: `${JSON.stringify({ mark, ...rest, ...graph, nodes }, null, 2)}\n`, leftOut: 0 }
  }
  const data = pageData(drawing, points)
  return { text: await graphPage(drawing, data), leftOut: graph.edges.length - data.edges.length }
}

/** Undirected GraphML (graphml.graphdrawing.org) with coordinates and data of nodes; lists are JSON. */
function toGraphml({ nodes, edges, groups = [] }: Drawing['graph'], points: readonly Point[]) {
  const records = nodes.map(({ id, kind, text, group = 0, data = {} }, index): Readonly<Record<string, unknown>> => {
    const groupName = groups[group - 1]
    return { ...data, label: id, kind, text, group, groupName, ...points[index] }
  })
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))]
  const keys = names.map((name, index) => {
    const isNumber = records.every((record) => record[name] == null || typeof record[name] === 'number')
    const type = isNumber ? 'double' : 'string'
    return `<key id="data${index}" for="node" attr.name="${escapeXml(name)}" attr.type="${type}"/>`
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
${keys.join('\n')}
<key id="weight" for="edge" attr.name="weight" attr.type="double"/>
<key id="relation" for="edge" attr.name="kind" attr.type="string"/>
<graph edgedefault="undirected">
${[...nodeLines, ...edgeLines].join('\n')}
</graph>
</graphml>
`
}

const datum = (id: string, value: unknown) =>
  value === undefined || value === null
    ? ''
    : `<data key="${id}">${escapeXml(typeof value === 'string' ? value : JSON.stringify(value))}</data>`
