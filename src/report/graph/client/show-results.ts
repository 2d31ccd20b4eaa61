import { itemAt } from '../../../basics/collections.ts'
import { button, byId, element, type Inside } from '../../client/dom.ts'
import type { PageData } from '../page-data.ts'
import type { SearchResult, PageNode, Model } from './model.ts'

/** Lists what a question found, in order, under a line that says how; an empty caption hides the list. */
export function showResults(go: (node: PageNode) => void) {
  const place = byId('hits', HTMLElement)
  return (caption: string, hits: readonly SearchResult[], evidence: ReadonlySet<PageNode>): void => {
    place.hidden = caption === ''
    const items = hits.map(({ nodes, score, text = '', why = {} }) => {
      const [node] = nodes
      const words = (node?.text ?? text).replace(/\s+/g, ' ').trim()
      const names = nodes.length > 0 ? nodes.map(({ id }) => id).join(', ') : 'not a node of this graph'
      const mark = nodes.some((one) => evidence.has(one)) ? ' · evidence' : ''
      const note = element('small', {}, `${names} · ${Number(score.toPrecision(4))}${mark}`)
      const line = element('span', {}, words.length > 140 ? `${words.slice(0, 138)}…` : words)
      const said = Object.entries(why).map(([name, value]) => `${name}: ${String(value)}`)
      const content = [line, note, said.length > 0 && element('small', {}, said.join(' · '))]
      return element('li', {}, node ? lineButton(() => go(node), content) : element('div', { class: 'line' }, content))
    })
    place.replaceChildren(
      element('h2', {}, 'Found'),
      element('p', { class: 'note' }, caption),
      items.length > 0 ? element('ol', { class: 'lines' }, items) : element('p', {}, 'Nothing.'),
    )
  }
}

/** A button that looks like a line of a list; `press` is called where it is pressed. */
const lineButton = (press: () => void, ...inside: readonly Inside[]): HTMLButtonElement =>
  button({ class: 'line' }, press, inside)

/** The nodes as a list for keyboards and screen readers, made when it is first opened, so many lines at a time. */
export function listNodes(nodes: readonly PageNode[], kinds: readonly string[], go: (node: PageNode) => void): void {
  const details = byId('all', HTMLElement)
  const list = element('ol', { class: 'lines' })
  const step = 200
  let shown = 0
  const more = lineButton(() => grow(), 'Show more')

  const grow = (): void => {
    for (const node of nodes.slice(shown, shown + step)) {
      const words = element('span', {}, node.text.replace(/\s+/g, ' ').trim().slice(0, 90))
      const note = element('small', {}, `${node.id} · ${itemAt(kinds, node.kind)}`)
      list.append(
        element(
          'li',
          {},
          lineButton(() => go(node), words, note),
        ),
      )
    }
    shown += step
    more.hidden = shown >= nodes.length
  }
  details.addEventListener('toggle', () => {
    if (shown > 0) return
    grow()
    details.append(list, more)
  })
}

/** Fills the panel with one node: its group, its text, its data, and where its heaviest edges lead. */
export function showNode(
  { nodes, edgesOf }: Model,
  { kinds, groups }: Pick<PageData, 'kinds' | 'groups'>,
  go: (node: PageNode) => void,
  lightGroup: (group: number) => void,
) {
  const place = byId('node', HTMLElement)

  const links = (targets: readonly { readonly node: PageNode; readonly note: string }[]): HTMLElement =>
    element(
      'ul',
      { class: 'lines' },
      targets.map(({ node, note }) => {
        const words = [element('span', {}, title(node)), element('small', {}, note)]
        return element(
          'li',
          {},
          lineButton(() => go(node), words),
        )
      }),
    )
  const title = ({ id, text }: PageNode): string => {
    const words = text.replace(/\s+/g, ' ').trim()
    return words === '' ? id : words.length > 90 ? `${words.slice(0, 88)}…` : words
  }
  const section = (heading: string, content: HTMLElement): Inside => [element('h3', {}, heading), content]

  // `questions` are those that a node answers, `members` indices of the nodes that it was made of
  const listed = (name: string, value: readonly unknown[]): Inside => {
    if (value.length === 0) return undefined
    if (name === 'members') {
      const members = value.flatMap((index) => nodes[Number(index)] ?? [])
      return section('Made of', links(members.map((node) => ({ node, note: node.id }))))
    }
    const heading = name === 'questions' ? 'Utility questions' : name
    const items = value.map((one) => element('li', {}, String(one)))
    return section(heading, element('ul', { class: 'words' }, items))
  }

  return (node: PageNode): void => {
    const values = Object.entries(node.data)
    const single = values.filter(([, value]) => !Array.isArray(value))
    const lists = values.map(([name, value]) => Array.isArray(value) && listed(name, value))
    const edges = edgesOf(node)
    const heaviest = edges.slice(0, 12).map(({ from, to, weight, relation }) => ({
      node: from === node ? to : from,
      note: `${relation} ${weight}`.trim(),
    }))
    const terms = single.map(([name, value]) => [element('dt', {}, name), element('dd', {}, String(value))])
    const content = element(
      'div',
      {},
      element('h2', {}, node.id, ' ', element('small', {}, itemAt(kinds, node.kind))),
      node.group > 0 &&
        lineButton(() => lightGroup(node.group), `All of ${groups[node.group - 1] ?? `group ${node.group}`}`),
      element('p', { class: 'text' }, node.text.replace(/\n\s*\n\s*/g, '\n\n').trim()),
      lists,
      terms.length > 0 && element('dl', {}, terms),
      edges.length > 0 &&
        section(edges.length > 12 ? `Heaviest 12 of ${edges.length} edges` : 'Edges', links(heaviest)),
    )
    place.replaceChildren(...content.childNodes)
    place.hidden = false
  }
}
