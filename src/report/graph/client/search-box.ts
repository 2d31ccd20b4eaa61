import { bm25Index } from '../../../math/bm25.ts'
import type { ScoredIndex } from '../../../math/highest.ts'
import { byId, element } from '../../client/dom.ts'
import type { PageData } from '../page-data.ts'
import type { Light, PageNode } from './model.ts'

interface Offer {
  readonly text: string
  readonly note: string
  readonly take: () => void
}

/** A combobox: typing asks for offers, arrows choose one, Enter or a press takes it, Escape clears. */
export function searchBox(offersFor: (typed: string) => readonly Offer[], clear: () => void): void {
  const field = byId('search', HTMLInputElement)
  const list = byId('offers', HTMLElement)
  let offers: readonly Offer[] = []
  let lines: readonly HTMLElement[] = []
  let chosen = -1

  const mark = (line: number): void => {
    chosen = line
    lines.forEach((one, index) => one.setAttribute('aria-selected', String(index === line)))
    const marked = lines[line]
    if (marked) {
      field.setAttribute('aria-activedescendant', marked.id)
      marked.scrollIntoView({ block: 'nearest' })
    } else field.removeAttribute('aria-activedescendant')
  }
  const close = (): void => {
    list.hidden = true
    field.setAttribute('aria-expanded', 'false')
    mark(-1)
  }
  const open = (): void => {
    offers = offersFor(field.value.trim())
    lines = offers.map((offer, index) => {
      const attributes = { role: 'option', id: `offer-${index}`, 'aria-selected': 'false' }
      const line = element('li', attributes, offer.text, ' ', element('small', {}, offer.note))
      // before the field loses the focus, which closes the list
      line.addEventListener('pointerdown', (event) => event.preventDefault())
      line.addEventListener('click', () => take(index))
      return line
    })
    list.replaceChildren(...lines)
    list.hidden = lines.length === 0
    field.setAttribute('aria-expanded', String(lines.length > 0))
    mark(-1)
  }
  const take = (index: number): void => {
    const offer = offers[index]
    if (!offer) return
    field.value = offer.text
    close()
    offer.take()
  }

  field.addEventListener('focus', open)
  field.addEventListener('click', open)
  field.addEventListener('blur', close)
  field.addEventListener('input', () => {
    open()
    if (field.value === '') clear()
  })
  field.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && lines.length > 0) {
      event.preventDefault()
      mark((chosen + step + lines.length) % lines.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      take(Math.max(0, chosen))
    } else if (event.key === 'Escape') {
      field.value = ''
      close()
      clear()
    }
  })
}

/** What the search box offers: a search by words, and the questions that were looked up for the page. */
export function offers(
  data: Pick<PageData, 'method' | 'lookups'>,
  nodes: readonly PageNode[],
  light: Light,
): (typed: string) => readonly Offer[] {
  const at = (indices: readonly number[]): readonly PageNode[] => indices.flatMap((index) => nodes[index] ?? [])
  const known = data.lookups.map(({ question, own, found, evidence = [] }): Offer => {
    const rings = evidence.length > 0 ? ' Dashed rings mark nodes that hold evidence.' : ''
    const take = (): void =>
      light(
        `Passages that ${data.method} retrieves for this question within the budget, best first.${rings}`,
        found.map((passage) => ({ ...passage, nodes: at(passage.nodes) })),
        at(evidence),
      )
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
      const hits = inNodes(typed, 10).map(({ index, score }) => ({ nodes: at([index]), score }))
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

/** A search of texts by shared words: BM25 (k1 1.2, b 0.75), best first; a word counts once. */
export function words(texts: readonly string[]): (query: string, most: number) => readonly ScoredIndex[] {
  const split = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const k1 = 1.2
  const index = bm25Index(texts.map(split), { k1, b: 0.75 })
  return (query, most) =>
    index.search([...new Set(split(query))], most).map((found) => ({ ...found, score: (k1 + 1) * found.score }))
}
