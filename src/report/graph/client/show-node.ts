import { byId, element } from '../../client/dom.ts'
import type { PageData } from '../page-format.ts'
import { lineButton } from './line-button.ts'
import type { Model, PageNode } from './model.ts'

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
      ...targets.map(({ node, note }) =>
        element(
          'li',
          {},
          lineButton(() => go(node), element('span', {}, title(node)), element('small', {}, note)),
        ),
      ),
    )
  const title = ({ id, text }: PageNode): string => {
    const words = text.replace(/\s+/g, ' ').trim()
    return words === '' ? id : words.length > 90 ? `${words.slice(0, 88)}…` : words
  }
  const section = (heading: string, content: HTMLElement): readonly HTMLElement[] => [
    element('h3', {}, heading),
    content,
  ]

  // two names of data have a meaning of their own: questions that a node answers, and indices of the nodes it was made of
  const listed = (name: string, value: readonly (string | number)[]): readonly HTMLElement[] => {
    if (value.length === 0) return []
    if (name === 'members') {
      const members = value.flatMap((index) => nodes[Number(index)] ?? [])
      return section('Made of', links(members.map((node) => ({ node, note: node.id }))))
    }
    const heading = name === 'questions' ? 'Utility questions' : name
    return section(heading, element('ul', { class: 'words' }, ...value.map((one) => element('li', {}, String(one)))))
  }

  return (node: PageNode): void => {
    const values = Object.entries(node.data)
    const single = values.filter(([, value]) => !Array.isArray(value))
    const lists = values.flatMap(([name, value]) =>
      Array.isArray(value) ? listed(name, value as readonly (string | number)[]) : [],
    )
    const edges = edgesOf(node)
    const heaviest = edges.slice(0, 12).map(({ from, to, weight, relation }) => ({
      node: from === node ? to : from,
      note: `${relation} ${weight}`.trim(),
    }))
    place.replaceChildren(
      element('h2', {}, node.id, ' ', element('small', {}, kinds[node.kind] ?? '')),
      ...(node.group > 0
        ? [lineButton(() => lightGroup(node.group), `All of ${groups[node.group - 1] ?? `group ${node.group}`}`)]
        : []),
      element('p', { class: 'text' }, node.text.replace(/\n\s*\n\s*/g, '\n\n').trim()),
      ...lists,
      ...(single.length > 0
        ? [
            element(
              'dl',
              {},
              ...single.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, String(value))]),
            ),
          ]
        : []),
      ...(edges.length > 0
        ? section(edges.length > 12 ? `Heaviest 12 of ${edges.length} edges` : 'Edges', links(heaviest))
        : []),
    )
    place.hidden = false
  }
}
