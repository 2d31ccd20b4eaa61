import type { PageData } from '../page-format.ts'
import type { Lights } from './lights.ts'
import type { SearchResult, PageNode } from './model.ts'
import type { Offer } from './search-box.ts'
import { words } from './words.ts'

/** What the search box offers for what is typed: a search by words, and the questions that were looked up when the page was made. */
export function offers(
  data: Pick<PageData, 'method' | 'lookups'>,
  nodes: readonly PageNode[],
  light: Lights['light'],
): (typed: string) => readonly Offer[] {
  const at = (indices: readonly number[]): readonly PageNode[] => indices.flatMap((index) => nodes[index] ?? [])
  const known = data.lookups.map(({ question, own, found, evidence = [] }): Offer => {
    const rings = evidence.length > 0 ? ' Dashed rings mark nodes that hold evidence.' : ''
    const take = (): void => {
      const hits = found.map(({ nodes, score, text = '', why = {} }): SearchResult => ({
        nodes: at(nodes),
        score,
        text,
        why,
      }))
      light(
        `Passages that ${data.method} retrieves for this question within the budget, best first.${rings}`,
        hits,
        at(evidence),
      )
    }
    return { text: question, note: own ? 'asked with --ask' : '', take }
  })
  const strings = (node: PageNode): readonly string[] =>
    Object.values(node.data).flatMap((value) => [value].flat().filter((one) => typeof one === 'string'))
  const inNodes = words(nodes.map((node) => [node.text, ...strings(node)].join('\n')))
  const inQuestions = words(known.map(({ text }) => text))

  const byWords = (typed: string): Offer => ({
    text: typed,
    note: 'keyword search',
    take() {
      const hits = inNodes(typed, 10).map(({ index, score }): SearchResult => ({
        nodes: at([index]),
        score,
        text: '',
        why: {},
      }))
      light(`Nodes that share words with “${typed}”, ranked by BM25 (a keyword search, not embeddings).`, hits, [])
    },
  })

  return (typed) => {
    if (typed === '') return known.slice(0, 8)
    const same = known.find(({ text }) => text === typed)
    if (same) return [same]
    const begun = known.filter(({ text }) => text.toLowerCase().includes(typed.toLowerCase()))
    const near = inQuestions(typed, 8).flatMap(({ index }) => known[index] ?? [])
    return [byWords(typed), ...new Set([...begun, ...near])].slice(0, 9)
  }
}
