import { byId, inert } from '../../client/dom.ts'
import { decodePage, type EncodedPage, type PageData } from '../page-format.ts'
import { camera } from './camera.ts'
import { lights } from './lights.ts'
import { listNodes, showResults, showNode } from './show-results.ts'
import { model, type PageNode, type Model, type View } from './model.ts'
import { offers, searchBox } from './search-box.ts'
import { stage } from './stage.ts'

/** The slider under which light edges vanish; its line counts those that are left. */
function threshold({ edges, stops }: Model, view: View, paint: () => void): void {
  const slider = byId('threshold', HTMLInputElement)
  const shown = byId('shown', HTMLOutputElement)
  slider.max = String(stops.length)
  const filter = (): void => {
    const stop = Number(slider.value)
    view.threshold = stop === 0 ? -Infinity : (stops[stop] ?? Infinity)
    const left = edges.filter(({ weight }) => weight >= view.threshold).length
    const least = Number.isFinite(view.threshold) ? `, weight ≥ ${view.threshold}` : ''
    const said = `${left} of ${edges.length}${least}`
    shown.textContent = said
    slider.setAttribute('aria-valuetext', said)
    paint()
  }
  slider.addEventListener('input', filter)
  filter()
}

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

const data = decodePage(inert('data') as EncodedPage)
const graph = model(data)
const { nodes } = graph
const view: View = { selected: null, hovered: null, threshold: -Infinity, lit: null, evidence: new Set() }
const [hint, panel] = [byId('hint', HTMLElement), byId('node', HTMLElement)]

const select = (node: PageNode | null): void => {
  view.selected = node
  hint.hidden = node !== null
  if (node) show(node)
  else panel.hidden = true
  paint()
  if (node) panel.scrollIntoView({ block: 'start' })
}
const show = showNode(graph, data, select, (group) => lightGroup(group))
const lens = camera(nodes)
const paint = stage(graph, lens, view, select)
threshold(graph, view, paint)
listNodes(nodes, data.kinds, select)

const { light, lightGroup, darken } = lights(showResults(select), nodes, view, lens, paint)
searchBox(offers(data, nodes, light), darken)
for (const button of document.querySelectorAll<HTMLElement>('[data-group]')) {
  button.addEventListener('click', () => {
    const group = Number(button.dataset['group'])
    lightGroup(group)
    // what is said of a whole group is read with it
    const about = nodes.find((node) => node.group === group && data.kinds[node.kind] === 'report')
    if (about) select(about)
  })
}
switchLevels(data, nodes, () => {
  darken()
  select(view.selected)
})
byId('dark', HTMLElement).addEventListener('click', () => {
  byId('search', HTMLInputElement).value = ''
  darken()
})
