import type { Build } from './build.ts'
import type { SearchResult, PageNode } from './model.ts'

/** Lists what a question found, in order, under a line that says how; an empty caption hides the list. */
export function showResults({ find, make, button }: Build, go: (node: PageNode) => void) {
  const place = find('hits')
  return (caption: string, hits: readonly SearchResult[], evidence: ReadonlySet<PageNode>): void => {
    place.hidden = caption === ''
    const items = hits.map(({ nodes, score, text, why }) => {
      const [node] = nodes
      const words = (node?.text ?? text).replace(/\s+/g, ' ').trim()
      const names = nodes.length > 0 ? nodes.map(({ id }) => id).join(', ') : 'not a node of this graph'
      const mark = nodes.some((one) => evidence.has(one)) ? ' · evidence' : ''
      const note = make('small', {}, `${names} · ${Number(score.toPrecision(4))}${mark}`)
      const line = make('span', {}, words.length > 140 ? `${words.slice(0, 138)}…` : words)
      const said = Object.entries(why).map(([name, value]) => `${name}: ${String(value)}`)
      const content = [line, note, ...(said.length > 0 ? [make('small', {}, said.join(' · '))] : [])]
      return make('li', {}, node ? button(() => go(node), ...content) : make('div', { class: 'line' }, ...content))
    })
    place.replaceChildren(
      make('h2', {}, 'Found'),
      make('p', { class: 'note' }, caption),
      items.length > 0 ? make('ol', { class: 'lines' }, ...items) : make('p', {}, 'Nothing.'),
    )
  }
}
