import type { SparseRows } from './graph.ts'

/**
 * The number of the connected component of every node of a symmetric graph, from 0 in the order of their first nodes. An edge k (an index
 * into `targets`) of a node joins two nodes unless `joins` says otherwise.
 */
export function connectedComponents(
  { offsets, targets }: Pick<SparseRows, 'offsets' | 'targets'>,
  joins: (node: number, k: number) => boolean = () => true,
): Uint32Array {
  const nodes = offsets.length - 1
  const unseen = nodes
  const components = new Uint32Array(nodes).fill(unseen)
  let count = 0
  for (let first = 0; first < nodes; first++) {
    if (components[first] !== unseen) continue
    const reached = [first]
    components[first] = count
    for (let node = reached.pop(); node !== undefined; node = reached.pop()) {
      for (let k = offsets[node]!; k < offsets[node + 1]!; k++) {
        const target = targets[k]!
        if (components[target] !== unseen || !joins(node, k)) continue
        components[target] = count
        reached.push(target)
      }
    }
    count++
  }
  return components
}
