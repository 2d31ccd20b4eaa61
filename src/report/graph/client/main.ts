import { byId, inert } from '../../client/dom.ts'
import { decodePage } from '../page-format.ts'
import type { EncodedPage } from '../page-format.ts'
import { camera } from './camera.ts'
import { lights } from './lights.ts'
import { model, type PageNode } from './model.ts'
import { searchBox, offers } from './search-box.ts'
import { showResults, listNodes, showNode } from './show-results.ts'
import { stage } from './stage.ts'
import { switchLevels } from './switch-levels.ts'
import { threshold } from './threshold.ts'
import type { View } from './model.ts'
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
