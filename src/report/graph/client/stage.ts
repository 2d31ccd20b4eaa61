import { byId } from '../../client/dom.ts'
import { firstWords, type Point } from '../page-data.ts'
import type { Camera } from './camera.ts'
import type { PageNode, Scene } from './model.ts'
import { painter, type Painter } from './painter.ts'

/** Connects the canvas with camera, gestures and tooltip. */
export function stage(scene: Scene, camera: Camera, select: (node: PageNode | null) => void): Painter {
  const canvas = byId('canvas', HTMLCanvasElement)
  const tip = byId('tip', HTMLElement)
  const paint = painter(canvas, scene, camera)

  /** The nearest node within 16 pixels. */
  const nodeAt = (place: Point) => {
    const distanceTo = (node: PageNode) => {
      const { x, y } = camera.toScreen(node)
      return Math.hypot(place.x - x, place.y - y)
    }
    const near = scene.nodes.filter((node) => distanceTo(node) < 16)
    return near.sort((a, b) => distanceTo(a) - distanceTo(b))[0] ?? null
  }
  const hover = (place: Point | null) => {
    const node = place && nodeAt(place)
    if (node !== scene.pointedNode) paint.onMark()
    scene.pointedNode = node
    tip.hidden = node === null
    if (!node) return
    tip.textContent = firstWords(node.text || node.id, 120)
    tip.style.setProperty('left', `${Math.max(0, Math.min(place.x + 14, canvas.clientWidth - 270))}px`)
    tip.style.setProperty('top', `${place.y + 18}px`)
  }
  const placeOf = ({ offsetX: x, offsetY: y }: MouseEvent) => ({ x, y })

  /** Where the pressed pointer was last. */
  let lastPlace: Point | null = null
  let travel = 0
  canvas.addEventListener('pointerdown', (event) => {
    if (!event.isPrimary) return
    lastPlace = placeOf(event)
    travel = 0
    canvas.setPointerCapture(event.pointerId)
  })
  canvas.addEventListener('pointermove', (event) => {
    if (!event.isPrimary) return
    const place = placeOf(event)
    if (!lastPlace) {
      hover(place)
      return
    }
    const right = place.x - lastPlace.x
    const down = place.y - lastPlace.y
    camera.pan(right, down)
    travel += Math.hypot(right, down)
    lastPlace = place
    paint.onMove(true)
  })
  const release = (event: PointerEvent) => {
    // tolerates small movements of a click
    if (event.type === 'pointerup' && lastPlace && travel < 6) select(nodeAt(placeOf(event)))
    lastPlace = null
    paint.onMove()
  }
  canvas.addEventListener('pointerup', release)
  canvas.addEventListener('pointercancel', release)
  canvas.addEventListener('pointerleave', () => hover(null))
  const zoomByWheel = (event: WheelEvent) => {
    event.preventDefault()
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 30 : event.deltaY
    camera.zoom(Math.exp(-pixels / 400), placeOf(event))
    paint.onMove()
  }
  canvas.addEventListener('wheel', zoomByWheel, { passive: false })

  const moves: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => camera.pan(60, 0),
    ArrowRight: () => camera.pan(-60, 0),
    ArrowUp: () => camera.pan(0, 60),
    ArrowDown: () => camera.pan(0, -60),
    '+': () => camera.zoom(1.3),
    '-': () => camera.zoom(1 / 1.3),
    '0': () => camera.fit(),
  }
  const press = (key = '', event?: Event) => {
    if (!moves[key]) return
    event?.preventDefault()
    moves[key]()
    paint.onMove()
  }
  canvas.addEventListener('keydown', (event) => press(event.key, event))
  for (const button of document.querySelectorAll<HTMLElement>('[data-key]'))
    button.addEventListener('click', () => press(button.dataset['key']))

  const resizes = new ResizeObserver(() => {
    canvas.width = Math.round(canvas.clientWidth * devicePixelRatio)
    canvas.height = Math.round(canvas.clientHeight * devicePixelRatio)
    camera.resize(canvas.clientWidth, canvas.clientHeight)
    paint.onChange()
  })
  resizes.observe(canvas)
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint.onChange)
  return paint
}
