import { byId, element } from '../../client/dom.ts'
import { lineButton } from './line-button.ts'
import type { PageNode } from './model.ts'

/** The nodes as a list for keyboards and screen readers, made when it is first opened, so many lines at a time. */
export function listNodes(nodes: readonly PageNode[], kinds: readonly string[], go: (node: PageNode) => void): void {
  const details = byId('all', HTMLElement)
  const list = element('ol', { class: 'lines' })
  const step = 200
  let shown = 0
  const more = lineButton(() => grow(), 'Show more')

  const grow = (): void => {
    for (const node of nodes.slice(shown, shown + step)) {
      const words = node.text.replace(/\s+/g, ' ').trim().slice(0, 90)
      list.append(
        element(
          'li',
          {},
          lineButton(
            () => go(node),
            element('span', {}, words),
            element('small', {}, `${node.id} · ${kinds[node.kind] ?? ''}`),
          ),
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
