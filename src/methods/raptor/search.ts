import type { RaptorOptions } from './options.ts'
import type { Tree, TreeNode } from './tree.ts'

/** A node of one of the trees that a question found, best first. A higher score is better; of a traversal only the order has a meaning. */
export interface FoundNode {
  readonly tree: number
  readonly node: TreeNode
  readonly score: number
  readonly similarity: number
}

/** Collapsed tree (section 3): all layers in one list by distance. */
export function collapsed(
  trees: readonly Tree[],
  question: Float32Array,
  { distance }: Pick<RaptorOptions, 'distance'>,
): readonly FoundNode[] {
  const all = trees.flatMap(({ nodes }, tree) => nodes.map((node) => ({ tree, node })))
  return nearest(all, question, distance)
}

/** Tree traversal (section 3): from the start layer down, the nearest nodes of what is below those taken before, in that order. */
export function traversal(
  trees: readonly Tree[],
  question: Float32Array,
  options: RaptorOptions,
): readonly FoundNode[] {
  const { startLayer, traversalLayers, traversalTopK, traversalMode, threshold, distance } = options
  let candidates = trees.flatMap((tree, number) => layerOf(tree, number, startLayer))
  const found: FoundNode[] = []
  for (let layer = 0; candidates.length > 0 && (traversalLayers === 'all' || layer < traversalLayers); layer++) {
    const near = nearest(candidates, question, distance)
    const taken =
      traversalMode === 'top_k'
        ? near.slice(0, traversalTopK)
        : near.filter(({ similarity }) => similarity >= threshold)
    found.push(...taken)
    candidates = childrenOf(taken, trees)
  }
  return found.map((one, rank) => ({ ...one, score: 1 / (1 + rank) }))
}

interface Place {
  readonly tree: number
  readonly node: TreeNode
}

/** The nodes of a layer, or of the top layer of a tree that is not so high. */
function layerOf({ layers, nodes }: Tree, tree: number, layer: RaptorOptions['startLayer']): Place[] {
  const top = layers.length - 1
  const numbers = layers[layer === 'top' ? top : Math.min(layer, top)] ?? []
  return numbers.flatMap((number) => (nodes[number] ? [{ tree, node: nodes[number] }] : []))
}

/** The children of nodes, each once, in order. */
function childrenOf(parents: readonly Place[], trees: readonly Tree[]): Place[] {
  const seen = new Set<string>()
  return parents.flatMap(({ tree, node }) =>
    node.children.flatMap((number) => {
      const child = trees[tree]?.nodes[number]
      const key = `${tree} ${number}`
      if (!child || seen.has(key)) return []
      seen.add(key)
      return [{ tree, node: child }]
    }),
  )
}

/** Places in rising distance from the question; equal ones by tree and number. */
function nearest(
  places: readonly Place[],
  question: Float32Array,
  distance: RaptorOptions['distance'],
): readonly FoundNode[] {
  return places
    .map(({ tree, node }) => {
      const away = distanceOf(question, node.vector, distance)
      return { tree, node, away, score: -away, similarity: 1 - distanceOf(question, node.vector, 'cosine') }
    })
    .sort((a, b) => a.away - b.away || a.tree - b.tree || a.node.number - b.node.number)
    .map(({ tree, node, score, similarity }) => ({ tree, node, score: score + 0, similarity }))
}

function distanceOf(a: Float32Array, b: Float32Array, distance: RaptorOptions['distance']): number {
  let [product, aa, bb, sum, squares, most] = [0, 0, 0, 0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    const x = a[i] ?? 0
    const y = b[i] ?? 0
    const gap = Math.abs(x - y)
    product += x * y
    aa += x * x
    bb += y * y
    sum += gap
    squares += gap * gap
    most = Math.max(most, gap)
  }
  switch (distance) {
    case 'cosine':
      return aa === 0 || bb === 0 ? 1 : 1 - product / Math.sqrt(aa * bb)
    case 'l1':
      return sum
    case 'l2':
      return Math.sqrt(squares)
    case 'linf':
      return most
  }
}
