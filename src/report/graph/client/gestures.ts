import type { Point } from '../point.ts'
import type { Camera } from './camera.ts'

/** What the hand does on the canvas, in places of the screen. */
export interface Hand {
  readonly moved: () => void
  /** Nothing is under the hand where the place is null. */
  readonly hover: (place: Point | null) => void
  readonly press: (place: Point) => void
}

/** Mouse, pen, fingers and keys: drag to move, wheel or pinch to zoom, arrows, + and -, 0 for everything. */
export function gestures(canvas: HTMLCanvasElement, camera: Camera, { moved, hover, press }: Hand): void {
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
