import { byId } from '../../client/dom.ts'
import type { Point } from '../point.ts'
import type { Camera } from './camera.ts'
import { gestures } from './gestures.ts'
import type { Model, PageNode } from './model.ts'
import { painter } from './painter.ts'
import type { View } from './view.ts'

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
