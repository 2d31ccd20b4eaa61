import type { Point } from '../page-data.ts'

/** Screen point (CSS pixels) = world point * scale + (x, y). */
export interface Transform extends Point {
  readonly scale: number
}

export type Camera = ReturnType<typeof camera>

/** A camera that first fits all points. */
export function camera(allPlaces: readonly Point[]) {
  let size = { width: 1, height: 1 }
  let scale = 1
  let x = 0
  let y = 0
  let isFitted = true

  /** Frames points, by default all; does nothing without points. */
  const fit = (places: readonly Point[] = allPlaces): void => {
    isFitted = places === allPlaces
    if (places.length === 0) return
    const [minX, maxX] = range(places.map((place) => place.x))
    const [minY, maxY] = range(places.map((place) => place.y))
    const margin = isFitted ? 36 : Math.min(size.width, size.height) / 5
    const room = (pixels: number, span: number): number => Math.max(40, pixels - 2 * margin) / Math.max(1, span)
    scale = Math.min(2, room(size.width, maxX - minX), room(size.height, maxY - minY))
    x = (size.width - scale * (minX + maxX)) / 2
    y = (size.height - scale * (minY + maxY)) / 2
  }
  return {
    fit,
    transform: (): Transform => ({ scale, x, y }),
    toScreen: (place: Point): Point => ({ x: place.x * scale + x, y: place.y * scale + y }),
    /** Zooms around a screen point, by default the middle. */
    zoom(factor: number, around: Point = { x: size.width / 2, y: size.height / 2 }): void {
      const next = Math.min(20, Math.max(0.02, scale * factor))
      x = around.x + ((x - around.x) * next) / scale
      y = around.y + ((y - around.y) * next) / scale
      scale = next
      isFitted = false
    },
    pan(right: number, down: number): void {
      x += right
      y += down
      isFitted = false
    },
    /** Adapts to a new screen size, and fits again if everything fitted before. */
    resize(width: number, height: number): void {
      size = { width, height }
      if (isFitted) fit()
    },
  }
}

const range = (values: readonly number[]): readonly [low: number, high: number] => [
  values.reduce((least, value) => Math.min(least, value), Infinity),
  values.reduce((most, value) => Math.max(most, value), -Infinity),
]
