import type { Build } from './build.ts'
import type { Hit, PageNode } from './model.ts'

/** Lists what a question found, in order, under a line that says how; an empty caption hides the list. */
export function showHits({ find, make, button }: Build, go: (node: PageNode) => void) {
  const place = find('hits')
  return (caption: string, hits: readonly Hit[], evidence: ReadonlySet<PageNode>): void => {
    place.hidden = caption === ''
    const items = hits.map(({ nodes, score, text }) => {
      const [node] = nodes
      const words = (node?.text ?? text).replace(/\s+/g, ' ').trim()
      const names = nodes.length > 0 ? nodes.map(({ id }) => id).join(', ') : 'no node of this graph'
      const mark = nodes.some((one) => evidence.has(one)) ? ' · evidence' : ''
      const note = make('small', {}, `${names} · ${Number(score.toPrecision(4))}${mark}`)
      const line = make('span', {}, words.length > 140 ? `${words.slice(0, 138)}…` : words)
      return make('li', {}, node ? button(() => go(node), line, note) : make('div', { class: 'line' }, line, note))
    })
    place.replaceChildren(
      make('h2', {}, 'Found'),
      make('p', { class: 'note' }, caption),
      items.length > 0 ? make('ol', { class: 'lines' }, ...items) : make('p', {}, 'Nothing.'),
    )
  }
}
