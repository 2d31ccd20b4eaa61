import { byId } from '../../client/dom.ts'
import type { Camera } from './camera.ts'
import type { SearchResult, PageNode, View } from './model.ts'
import type { showResults } from './show-results.ts'

/** What is lit in the graph, and the list that says why. */
export interface Lights {
  /** Lights what was found, numbered in order, and rings the evidence. */
  readonly light: (caption: string, hits: readonly SearchResult[], evidence: readonly PageNode[]) => void
  /** Lights the nodes of one group, without an order. */
  readonly lightGroup: (group: number) => void
  readonly darken: () => void
}

export function lights(
  list: ReturnType<typeof showResults>,
  nodes: readonly PageNode[],
  view: View,
  camera: Camera,
  paint: () => void,
): Lights {
  const [dark, results] = [byId('dark', HTMLElement), byId('hits', HTMLElement)]
  const set = (lit: View['lit'], evidence: View['evidence']): void => {
    view.lit = lit
    view.evidence = evidence
    dark.hidden = lit === null
    paint()
  }
  return {
    light(caption, hits, evidence) {
      const lit = new Map<PageNode, number>()
      hits.forEach((hit, rank) => hit.nodes.forEach((node) => lit.set(node, lit.get(node) ?? rank + 1)))
      camera.show([...lit.keys(), ...evidence])
      set(lit, new Set(evidence))
      list(caption, hits, view.evidence)
      results.scrollIntoView({ block: 'nearest' })
    },
    lightGroup(group) {
      set(new Map(nodes.flatMap((node) => (node.group === group ? [[node, 0] as const] : []))), new Set())
      list('', [], view.evidence)
    },
    darken() {
      if (view.lit) camera.fit()
      set(null, new Set())
      list('', [], view.evidence)
    },
  }
}
