import type { build } from './build.ts'
import type { camera } from './camera.ts'
import type { countOn } from './count-on.ts'
import type { Browser } from './dom.ts'
import type { gestures } from './gestures.ts'
import type { lights } from './lights.ts'
import type { listNodes } from './list-nodes.ts'
import type { model, PageNode } from './model.ts'
import type { offers } from './offers.ts'
import type { painter } from './painter.ts'
import type { readIntegers } from './read-integers.ts'
import type { searchBox } from './search-box.ts'
import type { showResults } from './show-results.ts'
import type { showNode } from './show-node.ts'
import type { stage } from './stage.ts'
import type { switchLevels } from './switch-levels.ts'
import type { threshold } from './threshold.ts'
import type { EncodedPage, decodePage } from './decode.ts'
import type { View } from './view.ts'
import type { words } from './words.ts'

/** The functions that the viewer is made of. They reach a page as their own source, so none of them imports a value. */
export interface Parts {
  readonly build: typeof build
  readonly camera: typeof camera
  readonly countOn: typeof countOn
  readonly gestures: typeof gestures
  readonly lights: typeof lights
  readonly listNodes: typeof listNodes
  readonly model: typeof model
  readonly offers: typeof offers
  readonly painter: typeof painter
  readonly readIntegers: typeof readIntegers
  readonly searchBox: typeof searchBox
  readonly showHits: typeof showResults
  readonly showNode: typeof showNode
  readonly stage: typeof stage
  readonly switchLevels: typeof switchLevels
  readonly threshold: typeof threshold
  readonly unpack: typeof decodePage
  readonly words: typeof words
}

/** Brings a page to life: what is drawn, pressed, searched and shown. */
export function viewer(browser: Browser, packed: EncodedPage, parts: Parts): void {
  const builder = parts.build(browser.document)
  const { find } = builder
  const data = parts.unpack(packed, parts.countOn, parts.readIntegers)
  const graph = parts.model(data)
  const { nodes } = graph
  const view: View = { selected: null, hovered: null, threshold: -Infinity, lit: null, evidence: new Set() }

  const select = (node: PageNode | null): void => {
    view.selected = node
    find('hint').hidden = node !== null
    if (node) show(node)
    else find('node').hidden = true
    paint()
    if (node) find('node').scrollIntoView({ block: 'start' })
  }
  const show = parts.showNode(builder, graph, data, select, (group) => lightGroup(group))
  const camera = parts.camera(nodes)
  const paint = parts.stage(browser, builder, parts, graph, camera, view, select)
  parts.threshold(builder, graph, view, paint)
  parts.listNodes(builder, nodes, data.kinds, select)

  const { light, lightGroup, darken } = parts.lights(
    builder,
    parts.showHits(builder, select),
    nodes,
    view,
    camera,
    paint,
  )
  parts.searchBox(builder, parts.offers(data, nodes, parts.words, light), darken)
  for (const button of browser.document.querySelectorAll('[data-group]')) {
    button.addEventListener('click', () => {
      const group = Number(button.dataset['group'])
      lightGroup(group)
      // what is said of a whole group is read with it
      const about = nodes.find((node) => node.group === group && data.kinds[node.kind] === 'report')
      if (about) select(about)
    })
  }
  parts.switchLevels(browser, data, nodes, () => {
    darken()
    select(view.selected)
  })
  find('dark').addEventListener('click', () => {
    find('search').value = ''
    darken()
  })
}
