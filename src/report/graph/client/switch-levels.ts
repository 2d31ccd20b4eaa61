import type { Browser } from './dom.ts'
import type { PageData, PageNode } from './model.ts'

/** Shows another level: its groups colour the nodes, and its legend stands below. A page without levels has no switch. */
export function switchLevels(
  { document }: Pick<Browser, 'document'>,
  { levels = [] }: Pick<PageData, 'levels'>,
  nodes: readonly PageNode[],
  changed: () => void,
): void {
  for (const choice of document.querySelectorAll('#level')) {
    choice.addEventListener('change', () => {
      const group = levels[Number(choice.value)]?.group ?? []
      for (const node of nodes) node.group = node.colour = group[node.index] ?? 0
      for (const legend of document.querySelectorAll('[data-level]'))
        legend.hidden = legend.dataset['level'] !== choice.value
      changed()
    })
  }
}
