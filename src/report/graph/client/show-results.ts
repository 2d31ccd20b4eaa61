import { byId, element } from '../../client/dom.ts'
import { lineButton } from './line-button.ts'
import type { SearchResult, PageNode } from './model.ts'

/** Lists what a question found, in order, under a line that says how; an empty caption hides the list. */
export function showResults(go: (node: PageNode) => void) {
  const place = byId('hits', HTMLElement)
  return (caption: string, hits: readonly SearchResult[], evidence: ReadonlySet<PageNode>): void => {
    place.hidden = caption === ''
    const items = hits.map(({ nodes, score, text, why }) => {
      const [node] = nodes
      const words = (node?.text ?? text).replace(/\s+/g, ' ').trim()
      const names = nodes.length > 0 ? nodes.map(({ id }) => id).join(', ') : 'not a node of this graph'
      const mark = nodes.some((one) => evidence.has(one)) ? ' · evidence' : ''
      const note = element('small', {}, `${names} · ${Number(score.toPrecision(4))}${mark}`)
      const line = element('span', {}, words.length > 140 ? `${words.slice(0, 138)}…` : words)
      const said = Object.entries(why).map(([name, value]) => `${name}: ${String(value)}`)
      const content = [line, note, ...(said.length > 0 ? [element('small', {}, said.join(' · '))] : [])]
      return element(
        'li',
        {},
        node ? lineButton(() => go(node), ...content) : element('div', { class: 'line' }, ...content),
      )
    })
    place.replaceChildren(
      element('h2', {}, 'Found'),
      element('p', { class: 'note' }, caption),
      items.length > 0 ? element('ol', { class: 'lines' }, ...items) : element('p', {}, 'Nothing.'),
    )
  }
}
