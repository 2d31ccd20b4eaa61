import type { Point } from '../page-data.ts'

/** Screen point (CSS pixels) = world point * scale + (x, y). */
export interface Transform extends Point {
  readonly scale: number
}

export interface Camera {
  transform(): Transform
  toScreen(place: Point): Point
  /** Zooms around a screen point, by default the middle. */
  zoom(factor: number, around?: Point): void
  pan(x: number, y: number): void
  readonly fit: () => void
  /** Frames points with a margin; does nothing without points. */
  show(places: readonly Point[]): void
  /** Adapts to a new screen size, and fits again if everything fitted before. */
  resize(width: number, height: number): void
}

/** A camera that first fits all points. */
export function camera(allPlaces: readonly Point[]): Camera {
  const all = allPlaces.length > 0 ? allPlaces : [{ x: 0, y: 0 }]
  let size = { width: 1, height: 1 }
  let [scale, x, y] = [1, 0, 0]
  let isFitted = true

  const frame = (places: readonly Point[], maxScale: number, margin: number): void => {
    const [minX, maxX] = range(places.map((place) => place.x))
    const [minY, maxY] = range(places.map((place) => place.y))
    const room = (pixels: number, span: number): number => Math.max(40, pixels - 2 * margin) / Math.max(1, span)
    scale = Math.min(maxScale, room(size.width, maxX - minX), room(size.height, maxY - minY))
    x = (size.width - scale * (minX + maxX)) / 2
    y = (size.height - scale * (minY + maxY)) / 2
  }
  const fit = (): void => {
    isFitted = true
    frame(all, 2.5, 36)
  }
  return {
    transform: () => ({ scale, x, y }),
    toScreen: (place) => ({ x: place.x * scale + x, y: place.y * scale + y }),
    fit,
    show(places) {
      if (places.length === 0) return
      isFitted = false
      frame(places, 1.6, Math.min(size.width, size.height) / 5)
    },
    zoom(factor, around = { x: size.width / 2, y: size.height / 2 }) {
      const next = Math.min(20, Math.max(0.02, scale * factor))
      x = around.x + ((x - around.x) * next) / scale
      y = around.y + ((y - around.y) * next) / scale
      scale = next
      isFitted = false
    },
    pan(right, down) {
      x += right
      y += down
      isFitted = false
    },
    resize(width, height) {
      size = { width, height }
      if (isFitted) fit()
    },
  }
}

const range = (values: readonly number[]): readonly [low: number, high: number] => [
  values.reduce((least, value) => Math.min(least, value), Infinity),
  values.reduce((most, value) => Math.max(most, value), -Infinity),
]
