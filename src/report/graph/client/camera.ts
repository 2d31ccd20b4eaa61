import type { Point } from '../page-data.ts'

/** What part of the plane is seen: from world to screen (CSS pixels) and back. */
export interface Camera {
  toScreen(place: Point): Point
  toWorld(place: Point): Point
  /** Screen pixels per unit of the world. */
  scale(): number
  /** Zooms by a factor around a place of the screen, its middle where none is given. */
  zoom(factor: number, around?: Point): void
  pan(x: number, y: number): void
  readonly fit: () => void
  /** Shows some places and what lies around them; nothing moves where there are none. */
  show(some: readonly Point[]): void
  /** The screen has another size; what fitted before fits again. */
  resize(width: number, height: number): void
}

interface Bounds {
  readonly low: number
  readonly high: number
}

/** A camera over the places, which it shows all at first. */
export function camera(places: readonly Point[]): Camera {
  const range = (values: readonly number[]): Bounds => ({
    low: values.reduce((least, value) => Math.min(least, value), Infinity),
    high: values.reduce((most, value) => Math.max(most, value), -Infinity),
  })
  let size = { width: 1, height: 1 }
  let centre = { x: 0, y: 0 }
  let scale = 1
  let fitted = true

  const toScreen = ({ x, y }: Point): Point => ({
    x: (x - centre.x) * scale + size.width / 2,
    y: (y - centre.y) * scale + size.height / 2,
  })
  const toWorld = ({ x, y }: Point): Point => ({
    x: (x - size.width / 2) / scale + centre.x,
    y: (y - size.height / 2) / scale + centre.y,
  })
  const frame = (seen: readonly Point[], most: number, margin: number): void => {
    if (seen.length === 0) return
    const across = range(seen.map(({ x }) => x))
    const down = range(seen.map(({ y }) => y))
    const room = (pixels: number, { low, high }: Bounds): number =>
      Math.max(40, pixels - 2 * margin) / Math.max(1, high - low)
    centre = { x: (across.low + across.high) / 2, y: (down.low + down.high) / 2 }
    scale = Math.min(most, room(size.width, across), room(size.height, down))
  }
  const fit = (): void => {
    fitted = true
    frame(places, 2.5, 36)
  }
  return {
    toScreen,
    toWorld,
    fit,
    show(some) {
      frame(some, 1.6, Math.min(size.width, size.height) / 5)
      fitted = fitted && some.length === 0
    },
    scale: () => scale,
    zoom(factor, around = { x: size.width / 2, y: size.height / 2 }) {
      const held = toWorld(around)
      scale = Math.min(20, Math.max(0.02, scale * factor))
      const moved = toWorld(around)
      centre = { x: centre.x + held.x - moved.x, y: centre.y + held.y - moved.y }
      fitted = false
    },
    pan(x, y) {
      centre = { x: centre.x - x / scale, y: centre.y - y / scale }
      fitted = false
    },
    resize(width, height) {
      size = { width, height }
      if (fitted) fit()
    },
  }
}
