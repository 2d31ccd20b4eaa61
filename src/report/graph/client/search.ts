import { bm25Index } from '../../../math/bm25.ts'
import type { Trace } from '../../../types.ts'
import type { PageData } from '../page-data.ts'
import type { PageNode } from './model.ts'

/** `results`, best first: passages with their nodes; `text` is set if the graph has no node for one. */
export interface Found {
  readonly caption: string
  readonly results: readonly {
    readonly nodes: readonly PageNode[]
    readonly score: number
    readonly text?: string
    readonly why?: Trace
  }[]
  readonly evidence: readonly PageNode[]
}

/** What the method retrieves for a question that was looked up; for any other text, a keyword search of the nodes. */
export function finder(
  { method, lookups }: Pick<PageData, 'method' | 'lookups'>,
  nodes: readonly PageNode[],
): (input: string) => Found {
  const nodesAt = (indices: readonly number[]): readonly PageNode[] => indices.flatMap((index) => nodes[index] ?? [])
  const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const textsOf = ({ text, data = {} }: PageNode): string => [text, ...Object.values(data).flat()].join('\n')
  const index = bm25Index(nodes.map((node) => wordsOf(textsOf(node))))
  return (input) => {
    const lookup = lookups.find(({ question }) => oneLine(question) === oneLine(input))
    if (!lookup) {
      const hits = index.search([...new Set(wordsOf(input))], 10)
      return {
        caption: `Nodes that share words with “${input}”, ranked by BM25 (a keyword search, not embeddings).`,
        results: hits.map(({ index: node, score }) => ({ nodes: nodesAt([node]), score })),
        evidence: [],
      }
    }
    const { found, evidence = [] } = lookup
    const rings = evidence.length > 0 ? ' Dashed rings mark nodes that hold evidence.' : ''
    return {
      caption: `Passages that ${method} retrieves for this question within the budget, best first.${rings}`,
      results: found.map((passage) => ({ ...passage, nodes: nodesAt(passage.nodes) })),
      evidence: nodesAt(evidence),
    }
  }
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
