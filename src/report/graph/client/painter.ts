import { themes } from '../../figures/colours.ts'
import type { Camera } from './camera.ts'
import type { Model, PageEdge, PageNode, View } from './model.ts'

/** Paints the graph as the view says. Returns a function that asks for a painting; several requests make one. */
export function painter(canvas: HTMLCanvasElement, { nodes, edges }: Model, camera: Camera, view: View): () => void {
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('this browser has no canvas')
  const heaviest = edges[0]?.weight ?? 1
  const lightest = edges.at(-1)?.weight ?? 0
  const rarest = nodes.reduce((most, { radius }) => Math.max(most, radius), 0)
  // where there are many, each is fainter
  const ease = Math.min(1, Math.max(0.45, 900 / edges.length))
  let waiting = false

  const paint = (): void => {
    waiting = false
    const style = getComputedStyle(canvas)
    const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim()
    const sharpness = devicePixelRatio
    pen.setTransform(sharpness, 0, 0, sharpness, 0, 0)
    pen.clearRect(0, 0, canvas.clientWidth, canvas.clientHeight)
    pen.lineJoin = 'round'
    paintEdges(colour)
    for (const node of nodes.filter(isFar)) paintNode(node, colour)
    for (const node of nodes) if (!isFar(node)) paintNode(node, colour)
    paintLabels(colour)
  }

  const isFar = (node: PageNode): boolean =>
    view.lit !== null && view.lit.size > 0 && !view.lit.has(node) && !view.evidence.has(node) && node !== view.selected

  const paintEdges = (colour: (name: string) => string): void => {
    for (const edge of edges) {
      // heaviest first: all that follow weigh less
      if (edge.weight < view.threshold) break
      const near = isNear(edge)
      pen.strokeStyle = colour(near ? 'accent' : 'edge')
      const share = heaviest > lightest ? (edge.weight - lightest) / (heaviest - lightest) : 0.4
      pen.globalAlpha = near ? 0.8 : (0.12 + 0.5 * share) * ease * (isFar(edge.from) || isFar(edge.to) ? 0.25 : 1)
      pen.lineWidth = near ? 1.6 : 0.5 + 1.3 * share
      const from = camera.toScreen(edge.from)
      const to = camera.toScreen(edge.to)
      pen.beginPath()
      pen.moveTo(from.x, from.y)
      pen.lineTo(to.x, to.y)
      pen.stroke()
    }
    pen.globalAlpha = 1
  }
  const isNear = ({ from, to }: PageEdge): boolean =>
    [view.selected, view.hovered].some((node) => node !== null && (node === from || node === to))

  const paintNode = (node: PageNode, colour: (name: string) => string): void => {
    const { x, y } = camera.toScreen(node)
    const radius = radiusOf(node)
    pen.globalAlpha = isFar(node) ? 0.22 : 1
    pen.fillStyle = colour(node.colour > 0 ? `theme-${(node.colour - 1) % themes}` : 'plain')
    pen.strokeStyle = colour('paper')
    pen.lineWidth = 1.5
    outline(pen, node.kind, x, y, radius)
    pen.fill()
    pen.stroke()
    const ring = (name: string, distance: number, dashes: number[]): void => {
      pen.strokeStyle = colour(name)
      pen.lineWidth = 2
      pen.setLineDash(dashes)
      outline(pen, node.kind, x, y, radius + distance)
      pen.stroke()
      pen.setLineDash([])
    }
    if (view.lit?.has(node)) ring('accent', 3, [])
    if (view.evidence.has(node)) ring('ink', 6.5, [3, 3])
    if (node === view.selected || node === view.hovered) ring('ink', 3, [])
    pen.globalAlpha = 1
  }
  const radiusOf = ({ radius }: PageNode): number => radius * Math.min(2.2, Math.max(0.55, camera.scale() ** 0.5))

  const outline = (pen: CanvasRenderingContext2D, kind: number, x: number, y: number, radius: number): void => {
    pen.beginPath()
    // circle, diamond, square, triangle: kinds are told apart without colours
    const corners = [0, 4, 4, 3][kind % 4] ?? 0
    const turn = kind % 4 === 2 ? Math.PI / 4 : -Math.PI / 2
    if (corners === 0) pen.arc(x, y, radius, 0, 2 * Math.PI)
    for (let corner = 0; corner < corners; corner++) {
      const angle = turn + (2 * Math.PI * corner) / corners
      pen.lineTo(x + 1.25 * radius * Math.cos(angle), y + 1.25 * radius * Math.sin(angle))
    }
    pen.closePath()
  }

  const paintLabels = (colour: (name: string) => string): void => {
    const write = (text: string, x: number, y: number, weight: number, size: number): void => {
      pen.font = `${weight} ${size}px ui-sans-serif, system-ui, sans-serif`
      pen.textAlign = 'center'
      pen.textBaseline = 'middle'
      pen.lineWidth = 4
      pen.strokeStyle = colour('paper')
      pen.strokeText(text, x, y)
      pen.fillStyle = colour('ink')
      pen.fillText(text, x, y)
    }
    // names that would lie on others wait until there is room
    const taken: { readonly x: number; readonly y: number; readonly half: number }[] = []
    const isFree = (text: string, x: number, y: number): boolean => {
      const half = 3.2 * text.length
      const free = taken.every((one) => Math.abs(one.y - y) > 13 || Math.abs(one.x - x) > one.half + half)
      if (free) taken.push({ x, y, half })
      return free
    }
    const few = nodes.filter(({ radius }) => radius === rarest).length
    const named = few <= 24 && few < nodes.length
    for (const node of nodes) {
      const { x, y } = camera.toScreen(node)
      const rank = view.lit?.get(node) ?? 0
      const radius = radiusOf(node)
      if (rank > 0) write(String(rank), x + radius + 9, y - radius - 5, 700, 15)
      if (named && node.radius === rarest && !isFar(node) && isFree(nameOf(node), x, y + radius + 12))
        write(nameOf(node), x, y + radius + 12, 500, 11.5)
    }
  }
  const nameOf = ({ id, text }: PageNode): string => (text.length > 0 && text.length <= 28 ? text : id)

  return () => {
    if (waiting) return
    waiting = true
    requestAnimationFrame(paint)
  }
}
