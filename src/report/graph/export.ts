import type { Drawing } from '../../types.ts'
import { graphml } from './graphml.ts'
import { layout, type Point } from './layout.ts'
import { mark } from './mark.ts'
import { graphPage } from './page.ts'

export const graphFormats = ['html', 'graphml', 'json'] as const
export type GraphFormat = (typeof graphFormats)[number]

/** A drawing as the text of a file; nodes have the same places in every format. */
export function exportGraph(format: GraphFormat, drawing: Drawing): string {
  const points = layout(drawing.graph)
  switch (format) {
    case 'html':
      return graphPage(drawing, points)
    case 'graphml':
      return graphml(drawing, points)
    case 'json':
      return json(drawing, points)
  }
}

/** `mark` first; nodes with their places. */
function json({ graph, ...rest }: Drawing, points: readonly Point[]): string {
  const nodes = graph.nodes.map((node, index) => ({ ...node, ...points[index] }))
  return `${JSON.stringify({ mark, ...rest, ...graph, nodes }, null, 2)}\n`
}
