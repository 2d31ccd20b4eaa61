import { button, byId, element, type Inside } from '../../client/dom.ts'
import { firstWords } from '../first-words.ts'
import type { Model, PageNode, SearchResult } from './model.ts'

type Go = (node: PageNode) => void

/** Lists the results of a search below a caption; an empty caption hides the list. */
export function showResults(
  go: Go,
  caption: string,
  results: readonly SearchResult[],
  evidence: ReadonlySet<PageNode>,
): void {
  const panel = byId('hits', HTMLElement)
  panel.hidden = caption === ''
  const items = results.map(({ nodes, score, text = '', why = {} }) => {
    const [node] = nodes
    const names = nodes.length > 0 ? nodes.map(({ id }) => id).join(', ') : 'not a node of this graph'
    const mark = nodes.some((result) => evidence.has(result)) ? ' · evidence' : ''
    const notes = [
      `${names} · ${Number(score.toPrecision(4))}${mark}`,
      Object.entries(why)
        .map(([name, value]) => `${name}: ${String(value)}`)
        .join(' · '),
    ]
    return listLine(node && (() => go(node)), firstWords(node?.text ?? text, 140), notes)
  })
  panel.replaceChildren(
    element('h2', {}, 'Found'),
    element('p', { class: 'note' }, caption),
    items.length > 0 ? element('ol', { class: 'lines' }, items) : element('p', {}, 'Nothing.'),
  )
}

/** A list item with notes; a button if `press` is given. */
function listLine(press: (() => void) | undefined, text: string, notes: readonly string[]): HTMLElement {
  const small = notes.map((note) => note !== '' && element('small', {}, note))
  const inside = [element('span', {}, text), small]
  return element('li', {}, press ? button({ class: 'line' }, press, inside) : element('div', { class: 'line' }, inside))
}

const nodeLine = (node: PageNode, note: string, go: Go): HTMLElement =>
  listLine(() => go(node), firstWords(node.text, 90) || node.id, [note])

/** All nodes as a list for keyboards and screen readers, built on first opening. */
export function listNodes(nodes: readonly PageNode[], go: Go): void {
  const details = byId('all', HTMLElement)
  const fill = (): void => {
    const items = nodes.map((node) => nodeLine(node, `${node.id} · ${node.kind}`, go))
    details.append(element('ol', { class: 'lines' }, items))
  }
  details.addEventListener('toggle', fill, { once: true })
}

/** Shows a node: group, text, data, and its heaviest edges. */
export function showNode(node: PageNode, { nodes, edgesOf }: Model, go: Go, group: Inside): void {
  const panel = byId('node', HTMLElement)
  const section = (heading: string, kind: string, items: readonly HTMLElement[]): Inside =>
    items.length > 0 && [element('h3', {}, heading), element('ul', { class: kind }, items)]
  // `questions`: texts; `members`: indices of nodes that a summary covers
  const listSection = (name: string, values: readonly unknown[]): Inside => {
    if (name !== 'members')
      return section(
        name === 'questions' ? 'Utility questions' : name,
        'words',
        values.map((value) => element('li', {}, String(value))),
      )
    const members = values.flatMap((index) => nodes[Number(index)] ?? [])
    return section(
      'Made of',
      'lines',
      members.map((member) => nodeLine(member, member.id, go)),
    )
  }
  const data = Object.entries(node.data)
  const terms = data.map(
    ([name, value]) => !Array.isArray(value) && [element('dt', {}, name), element('dd', {}, String(value))],
  )
  const edges = edgesOf(node)
  const heaviest = edges
    .slice(0, 12)
    .map(({ from, to, weight, kind }) => nodeLine(from === node ? to : from, `${kind} ${weight}`.trim(), go))
  const content = element(
    'div',
    {},
    element('h2', {}, node.id, ' ', element('small', {}, node.kind)),
    group,
    element('p', { class: 'text' }, node.text.replace(/\n\s*\n\s*/g, '\n\n').trim()),
    data.map(([name, value]) => Array.isArray(value) && listSection(name, value)),
    terms.some(Boolean) && element('dl', {}, terms),
    section(edges.length > 12 ? `Heaviest 12 of ${edges.length} edges` : 'Edges', 'lines', heaviest),
  )
  panel.replaceChildren(...content.childNodes)
  panel.hidden = false
}
