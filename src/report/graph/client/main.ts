import { button, byId, unpackJson } from '../../client/dom.ts'
import type { PageData } from '../page-data.ts'
import { camera } from './camera.ts'
import { buildModel, type Light, type Model, type PageNode, type View } from './model.ts'
import { listNodes, showNode, showResults } from './panels.ts'
import { finder, searchBox } from './search-box.ts'
import { stage } from './stage.ts'

function start(data: PageData): void {
  const { groups = [], levels = [] } = data
  const graph = buildModel(data)
  const { nodes } = graph
  const view: View = { selection: null, pointedNode: null, threshold: -Infinity, lit: null, evidence: new Set() }
  const lens = camera(nodes)
  const panel = byId('node', HTMLElement)
  const clear = byId('dark', HTMLElement)

  const select = (node: PageNode | null): void => {
    view.selection = node
    byId('hint', HTMLElement).hidden = node !== null
    panel.hidden = true
    if (node) {
      const { group } = node
      const label = `All of ${groups[group - 1] ?? `group ${group}`}`
      showNode(node, graph, select, group > 0 && button({ class: 'line' }, () => lightGroup(group), label))
      panel.scrollIntoView({ block: 'start' })
    }
    paint.onMark()
  }
  const paint = stage(graph, lens, view, select)

  const light: Light = (caption, results, evidence) => {
    const lit = new Map<PageNode, number>()
    results.forEach((result, rank) => result.nodes.forEach((node) => lit.set(node, lit.get(node) ?? rank + 1)))
    lens.show([...lit.keys(), ...evidence])
    set(lit, caption, results, evidence)
    byId('hits', HTMLElement).scrollIntoView({ block: 'nearest' })
  }
  const set = (lit: View['lit'], ...[caption, results, evidence]: Parameters<Light>): void => {
    view.lit = lit
    view.evidence = new Set(evidence)
    clear.hidden = lit === null
    showResults(select, caption, results, view.evidence)
    paint.onChange()
  }
  const lightGroup = (group: number): void =>
    set(new Map(nodes.flatMap((node) => (node.group === group ? [[node, 0] as const] : []))), '', [], [])
  const clearLight = (): void => {
    if (view.lit) lens.fit()
    set(null, '', [], [])
  }

  threshold(graph, view, paint.onChange)
  listNodes(nodes, select)
  searchBox(data, finder(data, nodes, light), clearLight)
  for (const legend of document.querySelectorAll<HTMLElement>('[data-group]')) {
    legend.addEventListener('click', () => {
      const group = Number(legend.dataset['group'])
      lightGroup(group)
      // opens the report of the group
      const report = nodes.find((node) => node.group === group && node.kind === 'report')
      if (report) select(report)
    })
  }
  const level = document.querySelector<HTMLSelectElement>('#level')
  level?.addEventListener('change', () => {
    const groupOfNode = levels[level.selectedIndex]?.groups ?? []
    for (const node of nodes) node.group = node.colour = groupOfNode[node.index] ?? 0
    for (const legend of document.querySelectorAll<HTMLElement>('[data-level]'))
      legend.hidden = legend.dataset['level'] !== level.value
    clearLight()
    select(view.selection)
  })
  clear.addEventListener('click', () => {
    byId('search', HTMLInputElement).value = ''
    clearLight()
  })
}

/** The slider that hides light edges, in at most 200 steps, and the count of visible ones. */
function threshold({ edges }: Model, view: View, paint: () => void): void {
  const slider = byId('threshold', HTMLInputElement)
  const output = byId('shown', HTMLOutputElement)
  const weights = [...new Set(edges.map(({ weight }) => weight))].reverse()
  const step = Math.ceil(weights.length / 200)
  // ascending; the first shows all edges, the last the heaviest
  const stops = weights.filter((_, index) => index % step === 0 || index === weights.length - 1)
  slider.max = String(Math.max(0, stops.length - 1))
  const filter = (): void => {
    const stop = Number(slider.value)
    view.threshold = stop === 0 ? -Infinity : (stops[stop] ?? Infinity)
    const visibleCount = edges.filter(({ weight }) => weight >= view.threshold).length
    const least = stop === 0 ? '' : `, weight ≥ ${Number(view.threshold.toPrecision(3))}`
    output.textContent = `${visibleCount} of ${edges.length}${least}`
    slider.setAttribute('aria-valuetext', output.textContent)
    paint()
  }
  slider.addEventListener('input', filter)
  filter()
}

void unpackJson('data').then((data) => start(data as PageData))
