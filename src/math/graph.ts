/** Edges as three parallel lists: node numbers from 0, weights finite and not negative. */
export interface Edges {
  readonly from: ArrayLike<number>
  readonly to: ArrayLike<number>
  readonly weight: ArrayLike<number>
}

/** The rows of a sparse matrix (CSR): row i holds `targets` and `weights` from `offsets[i]` up to `offsets[i + 1]`. */
export interface SparseRows {
  readonly offsets: Uint32Array
  readonly targets: Uint32Array
  readonly weights: Float64Array
}

/** A weighted graph: each row its neighbours in ascending order, none twice; `degrees` the sums of the rows. */
export interface SparseGraph extends SparseRows {
  readonly nodes: number
  readonly directed: boolean
  readonly degrees: Float64Array
}

/**
 * Builds a graph in linear time. Parallel edges add; without `directed` an edge is stored in both rows, so a self-loop
 * of weight w adds 2w (igraph, networkx). Throws RangeError for a bad count, end or weight.
 */
export function buildGraph(nodes: number, edges: Edges, { directed = false } = {}): SparseGraph {
  check(nodes, edges)
  // transposing sorts the rows
  const rows = mergeParallel(transpose(rowsByTarget(nodes, edges, directed)))
  return { nodes, directed, ...rows, degrees: rowSums(rows) }
}

/** The transpose of a square matrix, each row in ascending order. */
export function transpose({ offsets, targets, weights }: SparseRows): SparseRows {
  const nodes = offsets.length - 1
  const result = emptyRows(countsToOffsets(nodes, targets))
  const next = result.offsets.slice()
  for (let row = 0; row < nodes; row++) {
    const end = offsets[row + 1]!
    for (let k = offsets[row]!; k < end; k++) {
      const place = next[targets[k]!]!++
      result.targets[place] = row
      result.weights[place] = weights[k]!
    }
  }
  return result
}

function rowsByTarget(nodes: number, { from, to, weight }: Edges, directed: boolean): SparseRows {
  const rows = emptyRows(directed ? countsToOffsets(nodes, to) : countsToOffsets(nodes, to, from))
  const next = rows.offsets.slice()
  const put = (source: number, target: number, value: number) => {
    const place = next[target]!++
    rows.targets[place] = source
    rows.weights[place] = value
  }
  for (let edge = 0; edge < weight.length; edge++) {
    put(from[edge]!, to[edge]!, weight[edge]!)
    if (!directed) put(to[edge]!, from[edge]!, weight[edge]!)
  }
  return rows
}

function countsToOffsets(nodes: number, ...rowOfEntry: readonly ArrayLike<number>[]): Uint32Array {
  const offsets = new Uint32Array(nodes + 1)
  for (const rows of rowOfEntry) for (let k = 0; k < rows.length; k++) offsets[rows[k]! + 1]!++
  for (let node = 0; node < nodes; node++) offsets[node + 1]! += offsets[node]!
  return offsets
}

function emptyRows(offsets: Uint32Array): SparseRows {
  const entries = offsets.at(-1)!
  return { offsets, targets: new Uint32Array(entries), weights: new Float64Array(entries) }
}

/** Merges adjacent entries of the same target, in place. */
function mergeParallel({ offsets, targets, weights }: SparseRows): SparseRows {
  const newOffsets = new Uint32Array(offsets.length)
  let last = -1
  for (let row = 0; row + 1 < offsets.length; row++) {
    const first = last + 1
    for (let k = offsets[row]!; k < offsets[row + 1]!; k++) {
      if (last >= first && targets[last] === targets[k]) weights[last]! += weights[k]!
      else {
        last++
        targets[last] = targets[k]!
        weights[last] = weights[k]!
      }
    }
    newOffsets[row + 1] = last + 1
  }
  return { offsets: newOffsets, targets: targets.slice(0, last + 1), weights: weights.slice(0, last + 1) }
}

function rowSums({ offsets, weights }: SparseRows): Float64Array {
  const sums = new Float64Array(offsets.length - 1)
  for (let row = 0; row < sums.length; row++) {
    for (let k = offsets[row]!; k < offsets[row + 1]!; k++) sums[row]! += weights[k]!
  }
  return sums
}

function check(nodes: number, { from, to, weight }: Edges): void {
  if (!Number.isSafeInteger(nodes) || nodes < 0) throw new RangeError(`a graph cannot have ${nodes} nodes`)
  if (from.length !== to.length || from.length !== weight.length) {
    throw new RangeError(`edges differ in length: ${from.length} from, ${to.length} to, ${weight.length} weights`)
  }
  const isNode = (node: number) => Number.isInteger(node) && node >= 0 && node < nodes
  for (let edge = 0; edge < weight.length; edge++) {
    const source = from[edge]!
    const target = to[edge]!
    const value = weight[edge]!
    if (!isNode(source) || !isNode(target)) {
      throw new RangeError(`edge ${edge} (${source}, ${target}) leaves the nodes 0 to ${nodes - 1}`)
    }
    if (!(value >= 0 && value < Infinity)) throw new RangeError(`edge ${edge} (${source}, ${target}) weighs ${value}`)
  }
}

/**
 * The number of the connected component of every node of a symmetric graph, from 0 in the order of their first nodes.
 * `joins` may exclude edge k (an index into `targets`) of a node.
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
    const stack = [first]
    components[first] = count
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      for (let k = offsets[node]!; k < offsets[node + 1]!; k++) {
        const target = targets[k]!
        if (components[target] !== unseen || !joins(node, k)) continue
        components[target] = count
        stack.push(target)
      }
    }
    count++
  }
  return components
}

/** The nodes of each group, ascending, by the number of the group. */
export function groupsOf(membership: Uint32Array): readonly Uint32Array[] {
  const groups: number[][] = []
  membership.forEach((group, node) => void (groups[group] ??= []).push(node))
  return groups.map((nodes) => Uint32Array.from(nodes))
}

/** Gives induced subgraphs, with their degrees: nodes in ascending order, renumbered from 0. */
export function subgraphs({ offsets, targets, weights }: SparseRows) {
  const numbers = new Int32Array(offsets.length - 1).fill(-1)
  return (nodes: Uint32Array): SparseRows & { readonly degrees: Float64Array } => {
    nodes.forEach((node, number) => (numbers[node] = number))
    const entries = nodes.reduce((sum, node) => sum + offsets[node + 1]! - offsets[node]!, 0)
    const inner = { targets: new Uint32Array(entries), weights: new Float64Array(entries) }
    const starts = new Uint32Array(nodes.length + 1)
    let next = 0
    for (const [number, node] of nodes.entries()) {
      for (let k = offsets[node]!; k < offsets[node + 1]!; k++) {
        const target = numbers[targets[k]!]!
        if (target < 0) continue
        inner.targets[next] = target
        inner.weights[next++] = weights[k]!
      }
      starts[number + 1] = next
    }
    for (const node of nodes) numbers[node] = -1
    const rows = { offsets: starts, targets: inner.targets.subarray(0, next), weights: inner.weights.subarray(0, next) }
    return { ...rows, degrees: rowSums(rows) }
  }
}
