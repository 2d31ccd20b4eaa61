import { button, byId, element, fill, type Inside } from '../../client/dom.ts'
import { firstWords, type PageData } from '../page-data.ts'
import { edgesOf, themes, type PageNode, type Scene } from './model.ts'
import type { Results } from './search.ts'

type Go = (node: PageNode) => void

/** Lists the results of a search below its caption; hides them without a search. */
export function showResults(search: Results | undefined, go: Go): void {
  const panel = byId('hits', HTMLElement)
  panel.hidden = search === undefined
  const items = search?.results.map(({ nodes, score, text = '', why = {} }) => {
    const [node] = nodes
    const names = nodes.length > 0 ? nodes.map(({ id }) => id).join(', ') : 'not a node of this graph'
    const mark = nodes.some((result) => search.evidence.includes(result)) ? ' · evidence' : ''
    const trace = Object.entries(why).map(([name, value]) => `${name}: ${String(value)}`)
    const notes = [`${names} · ${Number(score.toPrecision(4))}${mark}`, trace.join(' · ')]
    return listLine(firstWords(node?.text ?? text, 140), notes, node && (() => go(node)))
  })
  fill(
    panel,
    element('h2', {}, 'Found'),
    element('p', { class: 'note' }, search?.caption),
    items?.length ? element('ol', { class: 'lines' }, items) : element('p', {}, 'Nothing.'),
  )
}

/** A list item with notes; a button if `press` is given. */
function listLine(text: string, notes: readonly string[], press?: () => void) {
  const inside = [element('span', {}, text), notes.map((note) => note !== '' && element('small', {}, note))]
  return element('li', {}, press ? button({ class: 'line' }, press, inside) : element('div', { class: 'line' }, inside))
}

const nodeLine = (node: PageNode, note: string, go: Go) =>
  listLine(firstWords(node.text || node.id, 90), [note], () => go(node))

/** All nodes as a list for keyboards and screen readers, built on first opening. */
export function listNodes(nodes: readonly PageNode[], go: Go): void {
  const details = byId('all', HTMLElement)
  const addList = () => {
    const items = nodes.map((node) => nodeLine(node, `${node.id} · ${node.kind}`, go))
    details.append(element('ol', { class: 'lines' }, items))
  }
  details.addEventListener('toggle', addList, { once: true })
}

/** Shows a node: group, text, data, the nodes that a summary covers, and its heaviest edges. */
export function showNode(node: PageNode, scene: Scene, go: Go, group: Inside): void {
  const { members = [], ...data } = node.data ?? {}
  const terms = Object.entries(data).map(([name, value]) => [
    element('dt', {}, name),
    [value].flat().map((item) => element('dd', {}, String(item))),
  ])
  const memberLines = [members].flat().flatMap((index) => {
    const member = scene.nodes[Number(index)]
    return member ? [nodeLine(member, member.id, go)] : []
  })
  const edges = edgesOf(scene, node)
  const edgeLines = edges
    .slice(0, 12)
    .map(({ end, weight, kind = '' }) => nodeLine(end, `${kind} ${weight}`.trim(), go))
  const section = (heading: string, items: readonly HTMLElement[]) =>
    items.length > 0 && [element('h3', {}, heading), element('ul', { class: 'lines' }, items)]
  fill(
    byId('node', HTMLElement),
    element('h2', {}, node.id, ' ', element('small', {}, node.kind)),
    group,
    element('p', { class: 'text' }, node.text.replace(/\n\s*\n\s*/g, '\n\n').trim()),
    element('dl', {}, terms),
    section('Made of', memberLines),
    section(edges.length > 12 ? `Heaviest 12 of ${edges.length} edges` : 'Edges', edgeLines),
  )
}

/** The groups of the selected level as buttons that highlight their nodes. */
export function showGroups({ groups }: PageData, nodes: readonly PageNode[], press: (group: number) => void): void {
  const list = byId('groups', HTMLElement)
  const allNumbers = new Set(nodes.map(({ group }) => group))
  const numbers = [...allNumbers].filter((group) => group > 0).sort((a, b) => a - b)
  const items = numbers.slice(0, themes).map((group) => {
    const mark = element('span', { 'aria-hidden': 'true' }, '● ')
    mark.style.setProperty('color', `var(--theme-${(group - 1) % themes})`)
    const inside = button({}, () => press(group), mark, groupLabel(groups, group))
    return element('li', {}, inside)
  })
  const more = numbers.length - themes
  fill(list, items, more > 0 && element('li', {}, `and ${more} more; select a node to see its group`))
  list.parentElement?.toggleAttribute('hidden', items.length === 0)
}

/** Groups count from 1. */
export const groupLabel = (groups: PageData['groups'], group: number): string => groups[group - 1] ?? `group ${group}`
