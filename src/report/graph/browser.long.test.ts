import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { chromium, openTab, type Tab, type Window } from '../../test-support/chromium.ts'
import { drawing, hostile } from '../../test-support/drawing.ts'
import { camera, type Camera } from './client/camera.ts'
import { graphPage } from './page.ts'
import { layout } from './layout.ts'
import type { Point } from './page-data.ts'

const browser = chromium()
const wide = { width: 1400, height: 900 }
/** The colour of the ring; a pixel may be a little less than full. */
const accent = /^#c[12]1[78]5[ab]$/
const phone = { width: 390, height: 844, phone: true }

const title = 'in a real browser (skipped without Chromium on the path or in GEMBENCH_CHROMIUM)'

describe.skipIf(browser === undefined)(title, () => {
  const points = layout(drawing.graph)
  let folder: string
  let tab: Tab

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gembench-graph-'))
  })
  beforeEach(async () => writeFile(join(folder, 'graph.html'), (await graphPage(drawing)).text))
  afterAll(() => rm(folder, { recursive: true, force: true }))
  afterEach(() => tab.close())

  const address = (): string => pathToFileURL(join(folder, 'graph.html')).href
  const open = async (window: Window): Promise<void> => {
    tab = await openTab(browser ?? '', address(), window)
    await tab.evaluate('new Promise((done) => (function wait() { shown.value ? done() : setTimeout(wait, 5) })())')
    await painted()
  }
  const painted = (): Promise<unknown> =>
    tab.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  /** A property of every such element, by default its text. */
  const all = (selector: string, property = 'innerText'): Promise<unknown> =>
    tab.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((one) => one.${property})`)
  const count = (selector: string): Promise<unknown> =>
    tab.evaluate(`document.querySelectorAll(${JSON.stringify(selector)}).length`)
  const text = (selector: string): Promise<unknown> =>
    tab.evaluate(`document.querySelector(${JSON.stringify(selector)}).innerText`)
  /** The camera of the page, for it is a function of the places and the size of the canvas. */
  const lens = async (): Promise<Camera> => {
    const [width, height] = (await tab.evaluate('[canvas.clientWidth, canvas.clientHeight]')) as [number, number]
    const own = camera(points.map(({ x, y }) => ({ x: Math.round(x), y: Math.round(y) })))
    own.resize(width, height)
    return own
  }
  const at = (node: number): Point => points[node] ?? { x: NaN, y: NaN }
  /** The colour of a canvas pixel, as #rrggbb; empty where nothing was painted. */
  const pixel = ({ x, y }: Point): Promise<unknown> =>
    tab.evaluate(`(() => {
      const [r, g, b, a] = canvas.getContext('2d').getImageData(${x} * devicePixelRatio, ${y} * devicePixelRatio, 1, 1).data
      return a === 0 ? '' : '#' + [r, g, b].map((one) => one.toString(16).padStart(2, '0')).join('')
    })()`)
  const press = async (place: Point): Promise<void> => {
    const [left, top] = (await tab.evaluate('(({ left, top }) => [left, top])(canvas.getBoundingClientRect())')) as [
      number,
      number,
    ]
    await tab.press(left + place.x, top + place.y)
    await painted()
  }
  const middle = (a: Point, b: Point): Point => ({ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 })

  test('renders colours, edges, spectrum and counts without network access, errors or execution of hostile text', async () => {
    await open(wide)
    const view = await lens()
    expect(await pixel(view.toScreen(at(0)))).toBe('#0072b2')
    expect(await pixel(view.toScreen(at(2)))).toBe('#e69f00')
    expect(await pixel(view.toScreen(at(3)))).toBe('#9aa1a9')
    expect(await pixel(view.toScreen(middle(at(0), at(1))))).not.toBe('')
    expect(await count('figure [aria-roledescription=bar]')).toBe(3)
    expect(await text('#shown')).toBe('5 of 5, weight ≥ 0.5')
    expect(await text('h1')).toBe(`memory mill ${hostile}`)
    expect(await tab.evaluate("[window.hacked, document.querySelectorAll('img').length]")).toEqual([null, 0])
    expect(tab.requests).toEqual([address()])
    expect(tab.complaints).toEqual([])
  })

  test('shows a node on click, hides it on a click elsewhere, and names it on hover', async () => {
    await open(wide)
    const view = await lens()
    await press(view.toScreen(at(1)))
    expect(await text('#node')).toContain('The weir broke in 1903.')
    expect(await text('#node')).toContain(`What broke? ${hostile}`)
    await press(view.toScreen(at(2)))
    expect(await text('#node')).toContain(`The bakery sells rye bread. ${hostile}`)
    await press({ x: 3, y: 3 })
    expect(await tab.evaluate("document.getElementById('node').hidden")).toBe(true)
    const [left, top] = (await tab.evaluate('(({ left, top }) => [left, top])(canvas.getBoundingClientRect())')) as [
      number,
      number,
    ]
    const { x, y } = view.toScreen(at(0))
    await tab.hover(left + x, top + y)
    await painted()
    expect(await text('#tip')).toBe('Tamsin Vale built the mill.')
    expect(await tab.evaluate("[window.hacked, document.querySelectorAll('img').length]")).toEqual([null, 0])
  })

  test('hides light edges with the slider', async () => {
    await open(wide)
    const view = await lens()
    const edge = view.toScreen(middle(at(1), at(2)))
    expect(await pixel(edge)).not.toBe('')
    const slide = async (stop: number): Promise<void> => {
      await tab.evaluate(`(threshold.value = '${stop}', threshold.dispatchEvent(new Event('input')))`)
      await painted()
    }
    await slide(1)
    expect(await text('#shown')).toBe('4 of 5, weight ≥ 1.5')
    expect(await pixel(edge)).toBe('')
    await slide(4)
    expect(await text('#shown')).toMatch(/^1 of 5, weight ≥ /)
    await slide(0)
    expect(await pixel(edge)).not.toBe('')
  })

  test('draws no edge again while the graph is dragged, and all edges afterwards', async () => {
    await open(wide)
    const edgesDrawn = await tab.evaluate(`(async () => {
      let lines = 0
      const { moveTo } = CanvasRenderingContext2D.prototype
      CanvasRenderingContext2D.prototype.moveTo = function (...place) { lines++; return moveTo.apply(this, place) }
      canvas.setPointerCapture = () => undefined
      const send = (type, x) => canvas.dispatchEvent(new PointerEvent(type, { pointerId: 1, clientX: x, clientY: 400 }))
      const pause = (time) => new Promise((done) => setTimeout(done, time))
      send('pointerdown', 300)
      for (const x of [310, 330, 360]) { send('pointermove', x); await pause(200) }
      const dragged = lines
      send('pointerup', 360)
      await pause(400)
      return [dragged, lines]
    })()`)
    expect(edgesDrawn).toEqual([0, 5])
  })

  test('highlights the ranked passages of a question, or matches of a keyword search', async () => {
    await open(wide)
    expect(await all('#questions option', 'value')).toEqual(drawing.lookups.map(({ question }) => question))
    await tab.evaluate('search.focus()')
    await tab.type('Where did the oven go?')
    await painted()
    const listed = (await all('#hits li')) as string[]
    expect(listed.map((one) => one.split('\n')[0])).toEqual([
      'The oven went to a museum.',
      'A bakery and its oven.',
      `of no node ${hostile}`,
    ])
    expect(listed[0]).toContain('evidence')
    expect(listed[0]).toContain('question: Where is the oven?')
    const view = await lens()
    view.fit([3, 5, 2].map(at))
    const beside = (node: number, away: number): Point => {
      const { x, y } = view.toScreen(at(node))
      return { x: x - away, y }
    }
    const radius = (5 + 4 * (1 - 4 / 6)) * Math.sqrt(view.transform().scale)
    // the ring of what was retrieved, and none around what was not
    expect(await pixel(beside(3, radius + 3))).toMatch(accent)
    expect(await pixel(beside(2, radius + 3))).not.toMatch(accent)
    await tab.key('Escape')
    expect(await tab.evaluate("document.getElementById('hits').hidden")).toBe(true)
    await tab.type('1903')
    await tab.evaluate('search.form.requestSubmit()')
    await painted()
    expect(await text('#hits')).toContain('not embeddings')
    expect(await text('#hits li')).toContain('The weir broke in 1903.')
    await tab.evaluate('dark.click()')
    expect(await tab.evaluate("document.getElementById('hits').hidden")).toBe(true)
  })

  test('offers the list of nodes and the legend without a mouse', async () => {
    await open(wide)
    await tab.evaluate("document.querySelector('#all summary').click()")
    await painted()
    expect(await count('#all li button')).toBe(6)
    await tab.evaluate("document.querySelectorAll('#all li button')[3].click()")
    expect(await text('#node')).toContain('The oven went to a museum.')
    await tab.evaluate(`document.querySelectorAll('#groups button')[1].click()`)
    await painted()
    expect(await tab.evaluate("document.getElementById('dark').hidden")).toBe(false)
  })

  test('shows notes below the spectrum and names of groups in the legend, and links a node to its group', async () => {
    await open(wide)
    expect(await all('#notes p')).toEqual(expect.arrayContaining([...(drawing.graph.notes ?? [])]))
    expect(await all('.legend button')).toEqual(drawing.graph.groups?.map((name) => `● ${name}`))
    const view = await lens()
    await press(view.toScreen(at(2)))
    expect(await all('#node > button')).toEqual([`All of theme 2 of ${hostile}`])
    await press(view.toScreen(at(0)))
    await tab.evaluate("document.querySelector('#node > button').click()")
    await painted()
    const ring = (node: number): Promise<unknown> => {
      const { x, y } = view.toScreen(at(node))
      return pixel({ x: x - (5 + 4 * (1 - 4 / 6)) * Math.sqrt(view.transform().scale) - 3, y })
    }
    expect(await ring(1)).toMatch(accent)
    expect(await ring(2)).not.toMatch(accent)
    expect(await tab.evaluate("[window.hacked, document.querySelectorAll('img').length]")).toEqual([null, 0])
  })

  test('colours nodes by the communities of the selected level, and shows their legend', async () => {
    const { nodes } = drawing.graph
    const levels = [
      { name: 'level 0', groups: nodes.map(() => 1) },
      { name: 'level 1', groups: nodes.map((_, index) => (index % 2) + 1) },
    ]
    const levelled = { ...drawing, graph: { ...drawing.graph, groups: ['all', 'odd'], levels } }
    await writeFile(join(folder, 'graph.html'), (await graphPage(levelled)).text)
    await open(wide)
    const view = await lens()
    expect(await pixel(view.toScreen(at(1)))).toBe('#0072b2')
    await tab.evaluate("(level.value = '1', level.dispatchEvent(new Event('change')))")
    await painted()
    expect(await pixel(view.toScreen(at(1)))).toBe('#e69f00')
    expect(await all('.legend button')).toEqual(['● all', '● odd'])
  })

  test('is one column as wide as the window on a phone', async () => {
    await open(phone)
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(390)
    const view = await lens()
    expect(await pixel(view.toScreen(at(0)))).toBe('#0072b2')
    await press(view.toScreen(at(1)))
    expect(await text('#node')).toContain('The weir broke in 1903.')
    // the graph stays in sight above what is read
    const [graph, node] = (await tab.evaluate(
      "[canvas, document.getElementById('node')].map((one) => one.getBoundingClientRect().top)",
    )) as [number, number]
    expect(graph).toBeGreaterThanOrEqual(0)
    expect(node).toBeLessThan(844)
  })
})
