import { bm25Index } from '../../../math/bm25.ts'
import type { ScoredIndex } from '../../../math/highest.ts'
import { byId, element } from '../../client/dom.ts'
import type { PageData } from '../page-data.ts'
import type { Light, PageNode } from './model.ts'

/** The search field: the browser lists the questions; choosing one or Enter searches, Escape or no text clears. */
export function searchBox({ lookups }: PageData, find: (input: string) => void, clear: () => void): void {
  const field = byId('search', HTMLInputElement)
  const questions = new Set(lookups.map(({ question }) => oneLine(question)))
  const options = Array.from(questions, (value) => element('option', { value }))
  byId('questions', HTMLDataListElement).append(...options)
  field.addEventListener('input', () => {
    if (field.value === '') clear()
    else if (questions.has(field.value)) find(field.value)
  })
  field.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    field.value = ''
    clear()
  })
  field.form?.addEventListener('submit', (event) => {
    event.preventDefault()
    if (field.value.trim() !== '') find(field.value.trim())
  })
}

/** Highlights what the method retrieves for a question that was looked up; any other text is a keyword search. */
export function finder(
  { method, lookups }: Pick<PageData, 'method' | 'lookups'>,
  nodes: readonly PageNode[],
  light: Light,
): (input: string) => void {
  const nodesAt = (indices: readonly number[]): readonly PageNode[] => indices.flatMap((index) => nodes[index] ?? [])
  const textsOf = ({ text, data }: PageNode): string =>
    [text, ...Object.values(data).flat()].filter((value) => typeof value === 'string').join('\n')
  const inNodes = wordSearch(nodes.map(textsOf))
  return (input) => {
    const lookup = lookups.find(({ question }) => oneLine(question) === oneLine(input))
    if (!lookup) {
      const results = inNodes(input, 10).map(({ index, score }) => ({ nodes: nodesAt([index]), score }))
      light(`Nodes that share words with “${input}”, ranked by BM25 (a keyword search, not embeddings).`, results, [])
      return
    }
    const { found, evidence = [] } = lookup
    const rings = evidence.length > 0 ? ' Dashed rings mark nodes that hold evidence.' : ''
    const caption = `Passages that ${method} retrieves for this question within the budget, best first.${rings}`
    const results = found.map((passage) => ({ ...passage, nodes: nodesAt(passage.nodes) }))
    light(caption, results, nodesAt(evidence))
  }
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** BM25 search, best first; repeated query words count once. */
export function wordSearch(texts: readonly string[]): (query: string, most: number) => readonly ScoredIndex[] {
  const split = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const index = bm25Index(texts.map(split))
  return (query, most) => index.search([...new Set(split(query))], most)
}
