import { byId } from '../../client/dom.ts'
import type { PageData } from '../page-data.ts'
import { camera } from './camera.ts'
import { model, unpacked, type Light, type Model, type PageNode, type View } from './model.ts'
import { searchBox, offers } from './search-box.ts'
import { showResults, listNodes, showNode } from './show-results.ts'
import { stage } from './stage.ts'

function start(data: PageData): void {
  const graph = model(data)
  const { nodes } = graph
  const view: View = { selected: null, hovered: null, threshold: -Infinity, lit: null, evidence: new Set() }
  const [hint, panel] = [byId('hint', HTMLElement), byId('node', HTMLElement)]
  const [clear, results] = [byId('dark', HTMLElement), byId('hits', HTMLElement)]

  const select = (node: PageNode | null): void => {
    view.selected = node
    hint.hidden = node !== null
    if (node) show(node)
    else panel.hidden = true
    paint()
    if (node) panel.scrollIntoView({ block: 'start' })
  }
  const show = showNode(graph, data, select, (group) => lightGroup(group))
  const list = showResults(select)
  const lens = camera(nodes)
  const paint = stage(graph, lens, view, select)

  const set = (lit: View['lit'], evidence: View['evidence']): void => {
    view.lit = lit
    view.evidence = evidence
    clear.hidden = lit === null
    paint()
  }
  const light: Light = (caption, hits, evidence) => {
    const lit = new Map<PageNode, number>()
    hits.forEach((hit, rank) => hit.nodes.forEach((node) => lit.set(node, lit.get(node) ?? rank + 1)))
    lens.show([...lit.keys(), ...evidence])
    set(lit, new Set(evidence))
    list(caption, hits, view.evidence)
    results.scrollIntoView({ block: 'nearest' })
  }
  // the nodes of one group, without an order
  const lightGroup = (group: number): void => {
    set(new Map(nodes.flatMap((node) => (node.group === group ? [[node, 0] as const] : []))), new Set())
    list('', [], view.evidence)
  }
  const darken = (): void => {
    if (view.lit) lens.fit()
    set(null, new Set())
    list('', [], view.evidence)
  }

  threshold(graph, view, paint)
  listNodes(nodes, data.kinds, select)
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
  clear.addEventListener('click', () => {
    byId('search', HTMLInputElement).value = ''
    darken()
  })
}

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

/** Shows another level: its groups colour the nodes. A page without levels has no switch. */
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

void unpacked(byId('data', HTMLScriptElement).text).then(start)
