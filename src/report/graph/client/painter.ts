import { itemAt } from '../../../basics/collections.ts'
import { memoise } from '../../../basics/memoise.ts'
import { firstWords, type Point } from '../page-data.ts'
import type { Camera } from './camera.ts'
import { edgesOf, themes, type PageNode, type Scene } from './model.ts'

export type Painter = ReturnType<typeof painter>

/** Requests of repaints, which are merged within a frame. */
export function painter(canvas: HTMLCanvasElement, scene: Scene, camera: Camera) {
  const { nodes, edges, isGrouped } = scene
  const pen = penOf(canvas)
  // edges of the visible part and half a screen around it, as seen by the camera at `base`
  const edgeLayer = penOf(document.createElement('canvas'))
  let base = camera.transform()
  let isStale = true
  let isWaiting = false
  let restTimer = 0
  const labelledNodes = rareNodes(nodes)

  const isDimmed = (node: PageNode) => {
    const { lit, evidence, selection } = scene
    if (!lit || lit.size === 0) return false
    return !lit.has(node) && !evidence.has(node) && node !== selection
  }
  const radiusOf = ({ radius }: PageNode) => radius * Math.min(2.2, Math.max(0.55, camera.transform().scale ** 0.5))

  const strokeEdge = (context: CanvasRenderingContext2D, { from, to }: Scene['edges'][number]) => {
    const start = camera.toScreen(itemAt(nodes, from))
    const end = camera.toScreen(itemAt(nodes, to))
    context.beginPath()
    context.moveTo(start.x, start.y)
    context.lineTo(end.x, end.y)
    context.stroke()
  }
  const paintLayer = (margin: Point, colour: Colour) => {
    base = camera.transform()
    edgeLayer.canvas.width = canvas.width + 2 * margin.x
    edgeLayer.canvas.height = canvas.height + 2 * margin.y
    edgeLayer.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, margin.x, margin.y)
    edgeLayer.strokeStyle = colour('edge')
    const heaviest = edges[0]?.weight ?? 1
    const lightest = edges.at(-1)?.weight ?? 0
    // many edges are fainter
    const ease = Math.min(1, Math.max(0.45, 900 / edges.length))
    for (const edge of edges.slice(0, scene.shownEdges)) {
      const share = heaviest > lightest ? (edge.weight - lightest) / (heaviest - lightest) : 0.4
      const isFaint = [edge.from, edge.to].some((index) => isDimmed(itemAt(nodes, index)))
      edgeLayer.globalAlpha = (0.12 + 0.5 * share) * ease * (isFaint ? 0.25 : 1)
      edgeLayer.lineWidth = 0.5 + 1.3 * share
      strokeEdge(edgeLayer, edge)
    }
    isStale = false
  }
  const paintEdges = (colour: Colour) => {
    const margin = { x: canvas.width >> 1, y: canvas.height >> 1 }
    if (isStale) paintLayer(margin, colour)
    const { scale, x, y } = camera.transform()
    const zoom = scale / base.scale
    pen.setTransform(zoom, 0, 0, zoom, devicePixelRatio * (x - zoom * base.x), devicePixelRatio * (y - zoom * base.y))
    pen.drawImage(edgeLayer.canvas, -margin.x, -margin.y)
    pen.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0)
    pen.globalAlpha = 0.8
    pen.lineWidth = 1.6
    pen.strokeStyle = colour('accent')
    for (const node of [scene.selection, scene.pointedNode])
      for (const edge of node ? edgesOf(scene, node) : []) strokeEdge(pen, edge)
  }

  const paintNode = (node: PageNode, colour: Colour) => {
    const outline = (distance: number, line: string, lineWidth = 2) => {
      tracePath(pen, node.shape, camera.toScreen(node), radiusOf(node) + distance)
      pen.strokeStyle = colour(line)
      pen.lineWidth = lineWidth
      pen.stroke()
    }
    const theme = isGrouped ? node.group - 1 : node.shape
    pen.globalAlpha = isDimmed(node) ? 0.22 : 1
    outline(0, 'paper', 3)
    pen.fillStyle = colour(theme >= 0 ? `theme-${theme % themes}` : 'plain')
    pen.fill()
    if (scene.lit?.has(node)) outline(3, 'accent')
    if (node === scene.selection || node === scene.pointedNode) outline(3, 'ink')
    pen.setLineDash([2, 2])
    if (scene.evidence.has(node)) outline(6.5, 'ink')
    pen.setLineDash([])
  }

  /** Ranks of highlighted nodes, and the first words of rare ones that do not overlap. */
  const paintLabels = (colour: Colour) => {
    pen.globalAlpha = 1
    pen.textAlign = 'center'
    pen.textBaseline = 'middle'
    pen.lineWidth = 4
    pen.strokeStyle = colour('paper')
    pen.fillStyle = colour('ink')
    const write = (text: string, x: number, y: number) => {
      pen.strokeText(text, x, y)
      pen.fillText(text, x, y)
    }
    pen.font = `700 15px ${fontFamily}`
    for (const [node, rank] of scene.lit ?? []) {
      const { x, y } = camera.toScreen(node)
      if (rank > 0) write(String(rank), x + radiusOf(node) + 9, y - radiusOf(node) - 5)
    }
    pen.font = `500 11.5px ${fontFamily}`
    const labels: Point[] = []
    for (const node of labelledNodes) {
      const place = camera.toScreen(node)
      const isFree = labels.every(({ x, y }) => Math.abs(y - place.y) > 16 || Math.abs(x - place.x) > 170)
      if (isDimmed(node) || !isFree) continue
      labels.push(place)
      write(firstWords(node.text || node.id, 28), place.x, place.y + radiusOf(node) + 12)
    }
  }

  const paint = () => {
    isWaiting = false
    const style = getComputedStyle(canvas)
    const colour = memoise((name: string) => style.getPropertyValue(`--${name}`).trim())
    pen.reset()
    pen.lineJoin = 'round'
    paintEdges(colour)
    for (const node of nodes) if (isDimmed(node)) paintNode(node, colour)
    for (const node of nodes) if (!isDimmed(node)) paintNode(node, colour)
    paintLabels(colour)
  }
  /** After a change of selection or pointer. */
  const onMark = () => {
    if (!isWaiting) requestAnimationFrame(paint)
    isWaiting = true
  }
  /** After a change of edges or highlights. */
  const onChange = () => {
    isStale = true
    onMark()
  }
  /** After a camera move: edges stay a bitmap while a pointer is held, and until 150 ms pass without movement. */
  const onMove = (isHeld = false) => {
    onMark()
    clearTimeout(restTimer)
    if (!isHeld) restTimer = window.setTimeout(onChange, 150)
  }
  return { onMark, onChange, onMove }
}

/** The value of a colour variable of the style. */
type Colour = (name: string) => string

const fontFamily = 'ui-sans-serif, system-ui, sans-serif'

function penOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('this browser has no canvas')
  return pen
}

/** Nodes of the rarest kind, if they are few. */
function rareNodes(nodes: readonly PageNode[]): readonly PageNode[] {
  const greatest = nodes.reduce((most, { radius }) => Math.max(most, radius), 0)
  const rare = nodes.filter(({ radius }) => radius === greatest)
  return rare.length <= 24 && rare.length < nodes.length ? rare : []
}

/** The shapes of `shapeMarks`. */
function tracePath(pen: CanvasRenderingContext2D, shape: number, { x, y }: Point, radius: number) {
  const corners = [0, 4, 4, 3][shape % 4] ?? 0
  const turn = shape % 4 === 2 ? Math.PI / 4 : -Math.PI / 2
  pen.beginPath()
  if (corners === 0) pen.arc(x, y, radius, 0, 2 * Math.PI)
  for (let corner = 0; corner < corners; corner++) {
    const angle = turn + (2 * Math.PI * corner) / corners
    pen.lineTo(x + 1.2 * radius * Math.cos(angle), y + 1.2 * radius * Math.sin(angle))
  }
  pen.closePath()
}
