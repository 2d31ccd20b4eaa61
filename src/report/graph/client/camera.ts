import type { Point } from '../page-data.ts'

export type Camera = ReturnType<typeof camera>

/** A camera that first fits all points: screen point (CSS pixels) = world point * scale + (x, y). */
export function camera(allPlaces: readonly Point[]) {
  let size = { x: 1, y: 1 }
  let view = { scale: 1, x: 0, y: 0 }
  let isFitted = true
  /** Frames points, by default all; does nothing without points. */
  const fit = (places: readonly Point[] = allPlaces) => {
    isFitted = places === allPlaces
    if (places.length === 0) return
    const margin = isFitted ? 36 : Math.min(size.x, size.y) / 5
    const boundsOf = (axis: 'x' | 'y') => {
      const values = places.map((place) => place[axis]).sort((a, b) => a - b)
      const low = values[0] ?? 0
      const high = values.at(-1) ?? 0
      return { middle: (low + high) / 2, scale: Math.max(40, size[axis] - 2 * margin) / Math.max(1, high - low) }
    }
    const across = boundsOf('x')
    const down = boundsOf('y')
    const scale = Math.min(2, across.scale, down.scale)
    view = { scale, x: size.x / 2 - scale * across.middle, y: size.y / 2 - scale * down.middle }
  }
  return {
    fit,
    transform: () => view,
    toScreen: ({ x, y }: Point): Point => ({ x: x * view.scale + view.x, y: y * view.scale + view.y }),
    /** Zooms around a screen point, by default the middle. */
    zoom(factor: number, around: Point = { x: size.x / 2, y: size.y / 2 }): void {
      const scale = Math.min(20, Math.max(0.02, view.scale * factor))
      const ratio = scale / view.scale
      view = { scale, x: around.x + (view.x - around.x) * ratio, y: around.y + (view.y - around.y) * ratio }
      isFitted = false
    },
    pan(right: number, down: number): void {
      view = { ...view, x: view.x + right, y: view.y + down }
      isFitted = false
    },
    /** Adapts to a new screen size, and fits again if everything fitted before. */
    resize(width: number, height: number): void {
      size = { x: width, y: height }
      if (isFitted) fit()
    },
  }
}
