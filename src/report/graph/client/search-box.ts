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
  let chosen = -1

  const choose = (line: number): void => {
    chosen = line
    const lines = [...list.children]
    lines.forEach((item, index) => item.setAttribute('aria-selected', String(index === line)))
    lines[line]?.scrollIntoView({ block: 'nearest' })
    field.setAttribute('aria-activedescendant', lines[line]?.id ?? '')
  }
  const show = (shown: readonly Offer[]): void => {
    offers = shown
    const lines = offers.map((offer, index) => {
      const line = element(
        'li',
        { role: 'option', id: `offer-${index}` },
        offer.text,
        ' ',
        element('small', {}, offer.note),
      )
      // before the field loses the focus, which closes the list
      line.addEventListener('pointerdown', (event) => event.preventDefault())
      line.addEventListener('click', () => take(offer))
      return line
    })
    list.replaceChildren(...lines)
    list.hidden = lines.length === 0
    field.setAttribute('aria-expanded', String(lines.length > 0))
    choose(-1)
  }
  const open = (): void => show(offersFor(field.value.trim()))
  const take = (offer: Offer | undefined): void => {
    if (!offer) return
    field.value = offer.text
    show([])
    offer.take()
  }

  field.addEventListener('focus', open)
  field.addEventListener('click', open)
  field.addEventListener('blur', () => show([]))
  field.addEventListener('input', () => {
    open()
    if (field.value === '') clear()
  })
  field.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && offers.length > 0) {
      event.preventDefault()
      choose((Math.max(chosen, step < 0 ? 0 : -1) + step + offers.length) % offers.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      take(offers[Math.max(0, chosen)])
    } else if (event.key === 'Escape') {
      field.value = ''
      show([])
      clear()
    }
  })
}

/** What the search box offers: a search by words, and the questions that were looked up for the page. */
export function offers(
  { method, lookups }: Pick<PageData, 'method' | 'lookups'>,
  nodes: readonly PageNode[],
  light: Light,
): (typed: string) => readonly Offer[] {
  const at = (indices: readonly number[]): readonly PageNode[] => indices.flatMap((index) => nodes[index] ?? [])
  const questions = lookups.map(({ question, own, found, evidence = [] }): Offer => {
    const rings = evidence.length > 0 ? ' Dashed rings mark nodes that hold evidence.' : ''
    const caption = `Passages that ${method} retrieves for this question within the budget, best first.${rings}`
    const results = found.map((passage) => ({ ...passage, nodes: at(passage.nodes) }))
    return {
      text: question,
      note: own ? 'asked with --ask' : '',
      take: () => light(caption, results, at(evidence)),
    }
  })
  const strings = ({ data }: PageNode): readonly unknown[] =>
    Object.values(data)
      .flat()
      .filter((value) => typeof value === 'string')
  const inNodes = words(nodes.map((node) => [node.text, ...strings(node)].join('\n')))
  const inQuestions = words(questions.map(({ text }) => text))

  const byWords = (typed: string): Offer => ({
    text: typed,
    note: 'keyword search',
    take() {
      const results = inNodes(typed, 10).map(({ index, score }) => ({ nodes: at([index]), score }))
      light(`Nodes that share words with “${typed}”, ranked by BM25 (a keyword search, not embeddings).`, results, [])
    },
  })

  return (typed) => {
    if (typed === '') return questions.slice(0, 8)
    const same = questions.find(({ text }) => text === typed)
    if (same) return [same]
    const containing = questions.filter(({ text }) => text.toLowerCase().includes(typed.toLowerCase()))
    const near = inQuestions(typed, 8).flatMap(({ index }) => questions[index] ?? [])
    return [byWords(typed), ...new Set([...containing, ...near])].slice(0, 9)
  }
}

/** A search of texts by shared words, best first; a word counts once. */
export function words(texts: readonly string[]): (query: string, most: number) => readonly ScoredIndex[] {
  const split = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const index = bm25Index(texts.map(split))
  return (query, most) => index.search([...new Set(split(query))], most)
}
