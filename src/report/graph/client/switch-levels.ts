import type { PageData } from '../page-format.ts'
import type { PageNode } from './model.ts'

/** Shows another level: its groups colour the nodes, and its legend stands below. A page without levels has no switch. */
export function switchLevels(
  { levels = [] }: Pick<PageData, 'levels'>,
  nodes: readonly PageNode[],
  changed: () => void,
): void {
  const choice = document.querySelector<HTMLSelectElement>('#level')
  choice?.addEventListener('change', () => {
    const group = levels[Number(choice.value)]?.group ?? []
    for (const node of nodes) node.group = node.colour = group[node.index] ?? 0
    for (const legend of document.querySelectorAll<HTMLElement>('[data-level]'))
      legend.hidden = legend.dataset['level'] !== choice.value
    changed()
  })
}
