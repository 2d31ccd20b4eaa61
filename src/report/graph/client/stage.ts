import { byId } from '../../client/dom.ts'
import type { Point } from '../page-data.ts'
import type { Camera } from './camera.ts'
import type { Model, PageNode, View } from './model.ts'
import { painter } from './painter.ts'

/** The canvas with its camera, its hands and the tip beside a node. Returns a function that asks for a painting. */
export function stage(graph: Model, camera: Camera, view: View, select: (node: PageNode | null) => void): () => void {
  const canvas = byId('canvas', HTMLCanvasElement)
  const tip = byId('tip', HTMLElement)
  const paint = painter(canvas, graph, camera, view)

  const nodeAt = (place: Point): PageNode | null => {
    const near = graph.nodes.map((node) => {
      const { x, y } = camera.toScreen(node)
      return { node, distance: Math.hypot(place.x - x, place.y - y) }
    })
    const nearest = near.reduce<{ readonly node: PageNode | null; readonly distance: number }>(
      (best, one) => (one.distance < best.distance ? one : best),
      {
        node: null,
        distance: 16,
      },
    )
    return nearest.node
  }
  const hover = (place: Point | null): void => {
    const node = place && nodeAt(place)
    if (node !== view.hovered) paint()
    view.hovered = node
    tip.hidden = node === null
    if (!node) return
    tip.textContent = node.text.length > 120 ? `${node.text.slice(0, 118)}…` : node.text || node.id
    tip.style.setProperty('left', `${Math.max(0, Math.min(place.x + 14, canvas.clientWidth - 270))}px`)
    tip.style.setProperty('top', `${place.y + 18}px`)
  }
  const resize = (): void => {
    const { clientWidth, clientHeight } = canvas
    canvas.width = Math.round(clientWidth * devicePixelRatio)
    canvas.height = Math.round(clientHeight * devicePixelRatio)
    camera.resize(clientWidth, clientHeight)
    paint()
  }

  gestures(canvas, camera, { moved: paint, hover, press: (place) => select(nodeAt(place)) })
  const zooms = { 'zoom-in': () => camera.zoom(1.3), 'zoom-out': () => camera.zoom(1 / 1.3), 'zoom-all': camera.fit }
  for (const [id, zoom] of Object.entries(zooms)) {
    byId(id, HTMLElement).addEventListener('click', () => {
      zoom()
      paint()
    })
  }
  new ResizeObserver(resize).observe(canvas)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint)
  resize()
  return paint
}

/** What the hand does on the canvas, in places of the screen. */
interface Hand {
  readonly moved: () => void
  readonly hover: (place: Point | null) => void
  readonly press: (place: Point) => void
}

/** Mouse, pen, fingers and keys: drag to move, wheel or pinch to zoom, arrows, + and -, 0 for everything. */
function gestures(canvas: HTMLCanvasElement, camera: Camera, { moved, hover, press }: Hand): void {
  const down = new Map<number, Point>()
  let travelled = 0

  const placeOf = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = canvas.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }
  const others = (pointer: number): readonly Point[] =>
    [...down].flatMap(([id, place]) => (id === pointer ? [] : [place]))

  canvas.addEventListener('pointerdown', (event) => {
    if (down.size === 0) travelled = 0
    down.set(event.pointerId, placeOf(event))
    canvas.setPointerCapture(event.pointerId)
  })
  canvas.addEventListener('pointermove', (event) => {
    const place = placeOf(event)
    const before = down.get(event.pointerId)
    if (!before) {
      hover(place)
      return
    }
    const [other] = others(event.pointerId)
    if (other) {
      const apart = (one: Point): number => Math.max(1, Math.hypot(one.x - other.x, one.y - other.y))
      camera.zoom(apart(place) / apart(before), { x: (place.x + other.x) / 2, y: (place.y + other.y) / 2 })
      camera.pan((place.x - before.x) / 2, (place.y - before.y) / 2)
    } else camera.pan(place.x - before.x, place.y - before.y)
    travelled += Math.hypot(place.x - before.x, place.y - before.y)
    down.set(event.pointerId, place)
    moved()
  })
  const lift = (event: PointerEvent, pressed: boolean): void => {
    if (!down.delete(event.pointerId)) return
    // a hand that rests is never quite still
    if (pressed && down.size === 0 && travelled < 6) press(placeOf(event))
  }
  canvas.addEventListener('pointerup', (event) => lift(event, true))
  canvas.addEventListener('pointercancel', (event) => lift(event, false))
  canvas.addEventListener('pointerleave', () => hover(null))
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault()
      const pixels = event.deltaMode === 1 ? event.deltaY * 30 : event.deltaY
      camera.zoom(Math.exp(-pixels / 400), placeOf(event))
      moved()
    },
    { passive: false },
  )

  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => camera.pan(60, 0),
    ArrowRight: () => camera.pan(-60, 0),
    ArrowUp: () => camera.pan(0, 60),
    ArrowDown: () => camera.pan(0, -60),
    '+': () => camera.zoom(1.3),
    '=': () => camera.zoom(1.3),
    '-': () => camera.zoom(1 / 1.3),
    '0': () => camera.fit(),
  }
  canvas.addEventListener('keydown', (event) => {
    const move = keys[event.key]
    if (!move) return
    event.preventDefault()
    move()
    moved()
  })
}
