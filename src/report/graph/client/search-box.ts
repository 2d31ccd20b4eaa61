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

/** A combobox: typing updates the offers, arrows move, Enter or a click takes one, Escape clears. */
export function searchBox(findOffers: (input: string) => readonly Offer[], clear: () => void): void {
  const field = byId('search', HTMLInputElement)
  const list = byId('offers', HTMLElement)
  let offers: readonly Offer[] = []
  let activeIndex = -1

  const choose = (line: number): void => {
    activeIndex = line
    const lines = [...list.children]
    lines.forEach((item, index) => item.setAttribute('aria-selected', String(index === line)))
    lines[line]?.scrollIntoView({ block: 'nearest' })
    field.setAttribute('aria-activedescendant', lines[line]?.id ?? '')
  }
  const show = (nextOffers: readonly Offer[]): void => {
    offers = nextOffers
    const lines = offers.map((offer, index) => {
      const line = element(
        'li',
        { role: 'option', id: `offer-${index}` },
        offer.text,
        ' ',
        element('small', {}, offer.note),
      )
      // keeps the focus, whose loss would close the list
      line.addEventListener('pointerdown', (event) => event.preventDefault())
      line.addEventListener('click', () => take(offer))
      return line
    })
    list.replaceChildren(...lines)
    list.hidden = lines.length === 0
    field.setAttribute('aria-expanded', String(lines.length > 0))
    choose(-1)
  }
  const open = (): void => show(findOffers(field.value.trim()))
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
      choose((Math.max(activeIndex, step < 0 ? 0 : -1) + step + offers.length) % offers.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      take(offers[Math.max(0, activeIndex)])
    } else if (event.key === 'Escape') {
      field.value = ''
      show([])
      clear()
    }
  })
}

/** Offers a keyword search and the questions that were looked up for the page. */
export function offerFinder(
  { method, lookups }: Pick<PageData, 'method' | 'lookups'>,
  nodes: readonly PageNode[],
  light: Light,
): (input: string) => readonly Offer[] {
  const nodesAt = (indices: readonly number[]): readonly PageNode[] => indices.flatMap((index) => nodes[index] ?? [])
  const questions = lookups.map(({ question, own, found, evidence = [] }): Offer => {
    const rings = evidence.length > 0 ? ' Dashed rings mark nodes that hold evidence.' : ''
    const caption = `Passages that ${method} retrieves for this question within the budget, best first.${rings}`
    const results = found.map((passage) => ({ ...passage, nodes: nodesAt(passage.nodes) }))
    return {
      text: question,
      note: own ? 'asked with --ask' : '',
      take: () => light(caption, results, nodesAt(evidence)),
    }
  })
  const strings = ({ data }: PageNode): readonly unknown[] =>
    Object.values(data)
      .flat()
      .filter((value) => typeof value === 'string')
  const inNodes = wordSearch(nodes.map((node) => [node.text, ...strings(node)].join('\n')))
  const inQuestions = wordSearch(questions.map(({ text }) => text))

  const byWords = (input: string): Offer => ({
    text: input,
    note: 'keyword search',
    take() {
      const results = inNodes(input, 10).map(({ index, score }) => ({ nodes: nodesAt([index]), score }))
      light(`Nodes that share words with “${input}”, ranked by BM25 (a keyword search, not embeddings).`, results, [])
    },
  })

  return (input) => {
    if (input === '') return questions.slice(0, 8)
    const exactMatch = questions.find(({ text }) => text === input)
    if (exactMatch) return [exactMatch]
    const containingMatches = questions.filter(({ text }) => text.toLowerCase().includes(input.toLowerCase()))
    const wordMatches = inQuestions(input, 8).flatMap(({ index }) => questions[index] ?? [])
    return [byWords(input), ...new Set([...containingMatches, ...wordMatches])].slice(0, 9)
  }
}

/** BM25 search, best first; repeated query words count once. */
export function wordSearch(texts: readonly string[]): (query: string, most: number) => readonly ScoredIndex[] {
  const split = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const index = bm25Index(texts.map(split))
  return (query, most) => index.search([...new Set(split(query))], most)
}
