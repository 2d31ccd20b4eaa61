import { button, byId, element, unpackJson } from '../../client/dom.ts'
import type { PageData } from '../page-data.ts'
import { camera } from './camera.ts'
import { buildScene, type PageNode, type Scene } from './model.ts'
import { groupLabel, listNodes, showGroups, showNode, showResults } from './panels.ts'
import { finder, oneLine, type Results } from './search.ts'
import { stage } from './stage.ts'

function start(data: PageData) {
  const { groups, levels, lookups } = data
  const scene = buildScene(data)
  const { nodes } = scene
  const lens = camera(nodes)
  const field = byId('search', HTMLInputElement)
  const clear = byId('dark', HTMLElement)

  const select = (node: PageNode | null) => {
    scene.selection = node
    const panel = byId('node', HTMLElement)
    panel.hidden = node === null
    if (node) {
      const { group } = node
      const label = `All of ${groupLabel(groups, group)}`
      showNode(node, scene, select, group > 0 && button({ class: 'line' }, () => lightGroup(group), label))
      panel.scrollIntoView({ block: 'start' })
    }
    paint.onMark()
  }
  const paint = stage(scene, lens, select)

  const light = (lit: Scene['lit'], results?: Results) => {
    scene.lit = lit
    scene.evidence = new Set(results?.evidence)
    clear.hidden = lit === null
    showResults(results, select)
    paint.onChange()
  }
  const lightGroup = (group: number) => {
    const members = nodes.filter((node) => node.group === group)
    light(new Map(members.map((node) => [node, 0])))
    const report = members.find(({ kind }) => kind === 'report')
    if (report) select(report)
  }
  const find = finder(data, nodes)
  const search = () => {
    const results = find(field.value.trim())
    const ranks = results.results.flatMap((result, rank) => result.nodes.map((node) => [node, rank + 1] as const))
    // of equal nodes the first rank counts
    const lit = new Map(ranks.reverse())
    lens.fit([...lit.keys(), ...results.evidence])
    light(lit, results)
    byId('hits', HTMLElement).scrollIntoView({ block: 'nearest' })
  }
  const clearLight = () => {
    field.value = ''
    if (scene.lit) lens.fit()
    light(null)
  }

  limitEdges(scene, paint.onChange)
  listNodes(nodes, select)
  showGroups(data, nodes, lightGroup)
  const questions = new Set(lookups.map(({ question }) => oneLine(question)))
  byId('questions', HTMLDataListElement).append(...Array.from(questions, (value) => element('option', { value })))
  field.addEventListener('input', () => {
    if (field.value === '') clearLight()
    else if (questions.has(field.value)) search()
  })
  field.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') clearLight()
  })
  field.form?.addEventListener('submit', (event) => {
    event.preventDefault()
    if (field.value.trim() !== '') search()
  })
  clear.addEventListener('click', clearLight)
  const level = byId('level', HTMLSelectElement)
  level.append(...levels.map(({ name }, index) => element('option', { value: index }, name)))
  level.parentElement?.toggleAttribute('hidden', levels.length === 0)
  level.addEventListener('change', () => {
    for (const [index, node] of nodes.entries()) node.group = levels[level.selectedIndex]?.groups[index] ?? 0
    showGroups(data, nodes, lightGroup)
    clearLight()
    select(scene.selection)
  })
}

/** The slider that hides light edges, and the count of visible ones. */
function limitEdges(scene: Scene, paint: () => void) {
  const { edges } = scene
  const slider = byId('threshold', HTMLInputElement)
  const output = byId('shown', HTMLOutputElement)
  slider.max = String(Math.max(0, edges.length - 1))
  const filter = () => {
    scene.shownEdges = edges.length - Number(slider.value)
    const least = edges[scene.shownEdges - 1]?.weight ?? 0
    output.textContent = `${scene.shownEdges} of ${edges.length}, weight ≥ ${Number(least.toPrecision(3))}`
    slider.setAttribute('aria-valuetext', output.textContent)
    paint()
  }
  slider.addEventListener('input', filter)
  filter()
}

void unpackJson('data').then((data) => start(data as PageData))
