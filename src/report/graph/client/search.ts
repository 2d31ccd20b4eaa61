import { bm25Index } from '../../../math/bm25.ts'
import type { LookupPassage } from '../../../types.ts'
import type { PageData } from '../page-data.ts'
import type { PageNode } from './model.ts'

export type Results = ReturnType<ReturnType<typeof finder>>

/**
 * What the method retrieves for a question that was looked up; for any other text, a keyword search of the nodes.
 * `results`, best first: passages with their nodes; `text` is set if the graph has no node for one.
 */
export function finder({ method, lookups }: Pick<PageData, 'method' | 'lookups'>, nodes: readonly PageNode[]) {
  const nodesAt = (indices: readonly number[]) => indices.flatMap((index) => nodes[index] ?? [])
  const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const textsOf = ({ text, data = {} }: PageNode) => [text, ...Object.values(data).flat()].join('\n')
  const index = bm25Index(nodes.map((node) => wordsOf(textsOf(node))))
  return (input: string) => {
    const lookup = lookups.find(({ question }) => oneLine(question) === oneLine(input))
    const rings = lookup?.evidence?.length ? ' Dashed rings mark nodes that hold evidence.' : ''
    const hits = lookup ? [] : index.search([...new Set(wordsOf(input))], 10)
    const passages: readonly LookupPassage[] =
      lookup?.found ?? hits.map(({ index: node, score }) => ({ nodes: [node], score }))
    return {
      caption: lookup
        ? `Passages that ${method} retrieves for this question within the budget, best first.${rings}`
        : `Nodes that share words with “${input}”, ranked by BM25 (a keyword search, not embeddings).`,
      results: passages.map((passage) => ({ ...passage, nodes: nodesAt(passage.nodes) })),
      evidence: nodesAt(lookup?.evidence ?? []),
    }
  }
}

export const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()
