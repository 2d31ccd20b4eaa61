import type { Drawing } from '../../types.ts'
import { graphml } from './graphml.ts'
import { layout } from './layout.ts'
import type { Point } from './point.ts'
import { mark } from '../../basics/gembench-files.ts'
import { graphPage } from './page.ts'
import { pageData } from './page-data.ts'

export const graphFormats = ['html', 'graphml', 'json'] as const
export type GraphFormat = (typeof graphFormats)[number]

/** The text of a file, and how many edges and questions had no room in it. */
export interface Exported {
  readonly text: string
  readonly leftOut: { readonly edges: number; readonly questions: number }
}

/** A drawing as the text of a file; nodes have the same places in every format, and only the page leaves anything out. */
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
