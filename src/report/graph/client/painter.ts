import { memoise } from '../../../basics/memoise.ts'
import { firstWords } from '../first-words.ts'
import { shapes, themes } from '../shapes.ts'
import type { Camera } from './camera.ts'
import type { Model, PageEdge, PageNode, View } from './model.ts'

/** Requests repaints; requests within a frame are merged. */
export interface Painter {
  /** After a change of edges or highlights. */
  readonly onChange: () => void
  /** After a camera move: edges stay a bitmap while a pointer is held, and until the movement stops. */
  readonly onMove: (isHeld?: boolean) => void
  /** After a change of selection or pointer. */
  readonly onMark: () => void
}

/** Pause of movement after which edges are redrawn. */
const restMilliseconds = 150

export function painter(canvas: HTMLCanvasElement, model: Model, camera: Camera, view: View): Painter {
  const { nodes, edges, edgesOf } = model
  const pen = penOf(canvas)
  // edges of the visible part and half a screen around it
  const edgeLayer = penOf(document.createElement('canvas'))
  let base = camera.transform()
  let isStale = true
  let isWaiting = false
  let restTimer = 0
  const heaviest = edges[0]?.weight ?? 1
  const lightest = edges.at(-1)?.weight ?? 0
  // many edges are fainter
  const ease = Math.min(1, Math.max(0.45, 900 / edges.length))

  const isFar = (node: PageNode): boolean =>
    view.lit !== null && view.lit.size > 0 && !view.lit.has(node) && !view.evidence.has(node)
  const isDimmed = (node: PageNode): boolean => isFar(node) && node !== view.selection

  const stroke = (context: CanvasRenderingContext2D, edge: PageEdge): void => {
    const [start, end] = [camera.toScreen(edge.from), camera.toScreen(edge.to)]
    context.beginPath()
    context.moveTo(start.x, start.y)
    context.lineTo(end.x, end.y)
    context.stroke()
  }
  const margins = (): { readonly x: number; readonly y: number } => ({ x: canvas.width >> 1, y: canvas.height >> 1 })

  const drawEdges = (colour: string): void => {
    const margin = margins()
    base = camera.transform()
    isStale = false
    edgeLayer.canvas.width = canvas.width + 2 * margin.x
    edgeLayer.canvas.height = canvas.height + 2 * margin.y
    edgeLayer.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, margin.x, margin.y)
    edgeLayer.strokeStyle = colour
    for (const edge of edges) {
      // descending weights
      if (edge.weight < view.threshold) break
      const share = heaviest > lightest ? (edge.weight - lightest) / (heaviest - lightest) : 0.4
      edgeLayer.globalAlpha = (0.12 + 0.5 * share) * ease * (isFar(edge.from) || isFar(edge.to) ? 0.25 : 1)
      edgeLayer.lineWidth = 0.5 + 1.3 * share
      stroke(edgeLayer, edge)
    }
  }

  const paintEdges = (colour: Colour): void => {
    if (isStale) drawEdges(colour('edge'))
    const { scale, x, y } = camera.transform()
    const zoom = scale / base.scale
    const margin = margins()
    pen.setTransform(zoom, 0, 0, zoom, devicePixelRatio * (x - zoom * base.x), devicePixelRatio * (y - zoom * base.y))
    pen.drawImage(edgeLayer.canvas, -margin.x, -margin.y)
    pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
    pen.globalAlpha = 0.8
    pen.lineWidth = 1.6
    pen.strokeStyle = colour('accent')
    for (const node of [view.selection, view.pointedNode])
      for (const edge of node ? edgesOf(node) : []) if (edge.weight >= view.threshold) stroke(pen, edge)
    pen.globalAlpha = 1
  }

  const outlines = shapes.map((shape) => new Path2D(shape))
  const paintNode = (node: PageNode, colour: Colour): void => {
    const { x, y } = camera.toScreen(node)
    const outline = outlines[node.shape % outlines.length] ?? new Path2D()
    // shape units: 6 from the middle to the edge
    const drawShape = (radius: number, line: string, lineWidth: number, fill?: string): void => {
      const size = (devicePixelRatio * radius) / 6
      pen.setTransform(size, 0, 0, size, devicePixelRatio * x - 8 * size, devicePixelRatio * y - 8 * size)
      pen.lineWidth = (6 * lineWidth) / radius
      pen.strokeStyle = colour(line)
      if (fill !== undefined) {
        pen.fillStyle = colour(fill)
        pen.fill(outline)
      }
      pen.stroke(outline)
    }
    const radius = radiusOf(node, camera)
    pen.globalAlpha = isDimmed(node) ? 0.22 : 1
    drawShape(radius, 'paper', 1.5, node.colour > 0 ? `theme-${(node.colour - 1) % themes}` : 'plain')
    if (view.lit?.has(node)) drawShape(radius + 3, 'accent', 2)
    if (node === view.selection || node === view.pointedNode) drawShape(radius + 3, 'ink', 2)
    if (view.evidence.has(node)) {
      pen.setLineDash([2, 2])
      drawShape(radius + 6.5, 'ink', 2)
      pen.setLineDash([])
    }
    pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
    pen.globalAlpha = 1
  }

  const paintLabels = labelPainter(pen, nodes, camera)
  const paint = (): void => {
    isWaiting = false
    const style = getComputedStyle(canvas)
    const colour = memoise((name: string) => style.getPropertyValue(`--${name}`).trim())
    pen.setTransform(1, 0, 0, 1, 0, 0)
    pen.clearRect(0, 0, canvas.width, canvas.height)
    pen.lineJoin = 'round'
    paintEdges(colour)
    for (const node of nodes) if (isDimmed(node)) paintNode(node, colour)
    for (const node of nodes) if (!isDimmed(node)) paintNode(node, colour)
    paintLabels(colour, view, isDimmed)
  }
  const request = (): void => {
    if (!isWaiting) requestAnimationFrame(paint)
    isWaiting = true
  }
  const all = (): void => {
    isStale = true
    request()
  }
  return {
    onChange: all,
    onMark: request,
    onMove(isHeld = false) {
      request()
      clearTimeout(restTimer)
      if (!isHeld) restTimer = window.setTimeout(all, restMilliseconds)
    },
  }
}

/** The value of a colour variable of the style. */
type Colour = (name: string) => string

function penOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('this browser has no canvas')
  return pen
}

const radiusOf = ({ radius }: PageNode, camera: Camera): number =>
  radius * Math.min(2.2, Math.max(0.55, camera.transform().scale ** 0.5))

/** Labels ranks of highlighted nodes, and names of the rarest kind if they are few and do not overlap. */
function labelPainter(pen: CanvasRenderingContext2D, nodes: readonly PageNode[], camera: Camera) {
  const rarest = nodes.reduce((most, { radius }) => Math.max(most, radius), 0)
  const rareNodes = nodes.filter(({ radius }) => radius === rarest)
  const labelledNodes = new Set(rareNodes.length <= 24 && rareNodes.length < nodes.length ? rareNodes : [])
  return (colour: Colour, { lit }: View, isDimmed: (node: PageNode) => boolean): void => {
    pen.textAlign = 'center'
    pen.textBaseline = 'middle'
    pen.lineWidth = 4
    pen.strokeStyle = colour('paper')
    pen.fillStyle = colour('ink')
    const write = (text: string, x: number, y: number, font: string): void => {
      pen.font = font
      pen.strokeText(text, x, y)
      pen.fillText(text, x, y)
    }
    const boxes: { readonly x: number; readonly y: number; readonly half: number }[] = []
    for (const node of nodes) {
      const { x, y } = camera.toScreen(node)
      const radius = radiusOf(node, camera)
      const rank = lit?.get(node) ?? 0
      if (rank > 0) write(String(rank), x + radius + 9, y - radius - 5, `700 15px ${fontFamily}`)
      if (!labelledNodes.has(node) || isDimmed(node)) continue
      const name = firstWords(node.text, labelLength) || firstWords(node.id, labelLength)
      pen.font = labelFont
      const half = pen.measureText(name).width / 2 + labelGap
      // keeps the label inside the canvas
      const centre = Math.max(half, Math.min(x, canvasWidth(pen) - half))
      const top = y + radius + 12
      if (boxes.some((box) => Math.abs(box.y - top) <= 16 && Math.abs(box.x - centre) <= box.half + half)) continue
      boxes.push({ x: centre, y: top, half })
      write(name, centre, top, labelFont)
    }
  }
}

const fontFamily = 'ui-sans-serif, system-ui, sans-serif'
const labelFont = `500 11.5px ${fontFamily}`
const labelLength = 28
const labelGap = 3

const canvasWidth = ({ canvas }: CanvasRenderingContext2D): number => canvas.width / devicePixelRatio
