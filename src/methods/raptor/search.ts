import type { Tree, TreeNode } from './tree.ts'

/** A node of one of the trees that a question found, best first. A higher score is better; of a traversal only the order has a meaning. */
export interface FoundNode {
  readonly tree: number
  readonly node: TreeNode
  readonly score: number
  readonly similarity: number
}

/** Collapsed tree (section 3): all layers in one list by cosine distance. */
export const collapsed = (trees: readonly Tree[], question: Float32Array): readonly FoundNode[] =>
  nearest(
    trees.flatMap(({ nodes }, tree) => nodes.map((node) => ({ tree, node }))),
    question,
  )

/** Tree traversal (section 3): from the top layer down, the nearest `topK` nodes of what is below those taken before, in that order. */
export function traversal(trees: readonly Tree[], question: Float32Array, topK: number): readonly FoundNode[] {
  let candidates = trees.flatMap((tree, number) => placesOf(tree, number, tree.layers.at(-1) ?? []))
  const found: FoundNode[] = []
  while (candidates.length > 0) {
    const taken = nearest(candidates, question).slice(0, topK)
    found.push(...taken)
    candidates = childrenOf(taken, trees)
  }
  return found.map((one, rank) => ({ ...one, score: 1 / (1 + rank) }))
}

interface Place {
  readonly tree: number
  readonly node: TreeNode
}

const placesOf = ({ nodes }: Tree, tree: number, numbers: readonly number[]): Place[] =>
  numbers.flatMap((number) => (nodes[number] ? [{ tree, node: nodes[number] }] : []))

/** The children of nodes, each once, in order. */
function childrenOf(parents: readonly Place[], trees: readonly Tree[]): Place[] {
  return trees.flatMap((tree, number) => {
    const own = parents.filter((parent) => parent.tree === number)
    return placesOf(tree, number, [...new Set(own.flatMap(({ node }) => node.children))])
  })
}

/** Places in rising distance from the question; equal ones by tree and number. */
const nearest = (places: readonly Place[], question: Float32Array): readonly FoundNode[] =>
  places
    .map(({ tree, node }) => {
      const away = distance(question, node.vector)
      return { tree, node, score: -away + 0, similarity: 1 - away }
    })
    .sort((a, b) => b.score - a.score || a.tree - b.tree || a.node.number - b.node.number)

/** Cosine distance; 1 from a vector of zeros. */
function distance(a: Float32Array, b: Float32Array): number {
  let [product, aa, bb] = [0, 0, 0]
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0]
    product += x * y
    aa += x * x
    bb += y * y
  }
  return aa === 0 || bb === 0 ? 1 : 1 - product / Math.sqrt(aa * bb)
}
