import { byId } from '../../client/dom.ts'
import { firstWords } from '../first-words.ts'
import type { Point } from '../page-data.ts'
import type { Camera } from './camera.ts'
import type { Model, PageNode, View } from './model.ts'
import { painter, type Painter } from './painter.ts'

/** Connects the canvas with camera, gestures and tooltip. */
export function stage(graph: Model, camera: Camera, view: View, select: (node: PageNode | null) => void): Painter {
  const canvas = byId('canvas', HTMLCanvasElement)
  const tip = byId('tip', HTMLElement)
  const paint = painter(canvas, graph, camera, view)

  const nodeAt = (place: Point): PageNode | null => {
    let nearest: PageNode | null = null
    let least = 16
    for (const node of graph.nodes) {
      const { x, y } = camera.toScreen(node)
      const distance = Math.hypot(place.x - x, place.y - y)
      if (distance >= least) continue
      nearest = node
      least = distance
    }
    return nearest
  }
  const hover = (place: Point | null): void => {
    const node = place && nodeAt(place)
    if (node !== view.pointedNode) paint.onMark()
    view.pointedNode = node
    tip.hidden = node === null
    if (!node) return
    tip.textContent = firstWords(node.text, 120) || node.id
    tip.style.setProperty('left', `${Math.max(0, Math.min(place.x + 14, canvas.clientWidth - 270))}px`)
    tip.style.setProperty('top', `${place.y + 18}px`)
  }

  /** Pressed pointers. */
  const pointers = new Map<number, Point>()
  let travel = 0
  const placeOf = ({ clientX, clientY }: MouseEvent): Point => {
    const { left, top } = canvas.getBoundingClientRect()
    return { x: clientX - left, y: clientY - top }
  }
  canvas.addEventListener('pointerdown', (event) => {
    if (pointers.size === 0) travel = 0
    pointers.set(event.pointerId, placeOf(event))
    canvas.setPointerCapture(event.pointerId)
  })
  canvas.addEventListener('pointermove', (event) => {
    const place = placeOf(event)
    const before = pointers.get(event.pointerId)
    if (!before) {
      hover(place)
      return
    }
    const [x, y] = [place.x - before.x, place.y - before.y]
    const anchor = [...pointers].find(([pointer]) => pointer !== event.pointerId)?.[1]
    if (anchor) {
      const span = (finger: Point): number => Math.max(1, Math.hypot(finger.x - anchor.x, finger.y - anchor.y))
      camera.zoom(span(place) / span(before), { x: (place.x + anchor.x) / 2, y: (place.y + anchor.y) / 2 })
      camera.pan(x / 2, y / 2)
    } else camera.pan(x, y)
    travel += Math.hypot(x, y)
    pointers.set(event.pointerId, place)
    paint.onMove(true)
  })
  const release = (event: PointerEvent): boolean => {
    paint.onMove(pointers.size > 1)
    return pointers.delete(event.pointerId) && pointers.size === 0
  }
  canvas.addEventListener('pointerup', (event) => {
    // tolerates small movements of a click
    if (release(event) && travel < 6) select(nodeAt(placeOf(event)))
  })
  canvas.addEventListener('pointercancel', release)
  canvas.addEventListener('pointerleave', () => hover(null))
  const zoomByWheel = (event: WheelEvent): void => {
    event.preventDefault()
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 30 : event.deltaY
    camera.zoom(Math.exp(-pixels / 400), placeOf(event))
    paint.onMove()
  }
  canvas.addEventListener('wheel', zoomByWheel, { passive: false })

  const zoomIn = (): void => camera.zoom(1.3)
  const zoomOut = (): void => camera.zoom(1 / 1.3)
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => camera.pan(60, 0),
    ArrowRight: () => camera.pan(-60, 0),
    ArrowUp: () => camera.pan(0, 60),
    ArrowDown: () => camera.pan(0, -60),
    '+': zoomIn,
    '=': zoomIn,
    '-': zoomOut,
    '0': camera.fit,
  }
  canvas.addEventListener('keydown', (event) => {
    const move = keys[event.key]
    if (!move) return
    event.preventDefault()
    move()
    paint.onMove()
  })
  for (const [id, zoom] of Object.entries({ 'zoom-in': zoomIn, 'zoom-out': zoomOut, 'zoom-all': camera.fit }))
    byId(id, HTMLElement).addEventListener('click', () => {
      zoom()
      paint.onChange()
    })

  const resize = (): void => {
    const { clientWidth, clientHeight } = canvas
    canvas.width = Math.round(clientWidth * devicePixelRatio)
    canvas.height = Math.round(clientHeight * devicePixelRatio)
    camera.resize(clientWidth, clientHeight)
    paint.onChange()
  }
  new ResizeObserver(resize).observe(canvas)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint.onChange)
  resize()
  return paint
}
