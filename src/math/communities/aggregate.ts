import { transpose, type SparseGraph } from '../graph.ts'

/** The graph whose nodes are the `count` parts of another: edges between parts add up, those within become self-loops. */
export function aggregate(
  { offsets, targets, weights, degrees }: SparseGraph,
  parts: Uint32Array,
  count: number,
): SparseGraph {
  const members = byPart(parts, count)
  const rows = { offsets: new Uint32Array(count + 1), targets: targets.slice(), weights: weights.slice() }
  const total = new Float64Array(count)
  const seenIn = new Int32Array(count).fill(-1)
  const merged = { degrees: new Float64Array(count), entries: 0 }
  for (let part = 0; part < count; part++) {
    const first = merged.entries
    for (let place = members.offsets[part]!; place < members.offsets[part + 1]!; place++) {
      const node = members.nodes[place]!
      merged.degrees[part]! += degrees[node]!
      const end = offsets[node + 1]!
      for (let k = offsets[node]!; k < end; k++) {
        const target = parts[targets[k]!]!
        if (seenIn[target] !== part) {
          seenIn[target] = part
          total[target] = 0
          rows.targets[merged.entries++] = target
        }
        total[target]! += weights[k]!
      }
    }
    for (let k = first; k < merged.entries; k++) rows.weights[k] = total[rows.targets[k]!]!
    rows.offsets[part + 1] = merged.entries
  }
  const trimmed = {
    offsets: rows.offsets,
    targets: rows.targets.subarray(0, merged.entries),
    weights: rows.weights.subarray(0, merged.entries),
  }
  // it is symmetric, so its transpose is itself with the neighbours in ascending order
  return { nodes: count, directed: false, ...transpose(trimmed), degrees: merged.degrees }
}

/** The nodes of each part, one part after the other. */
function byPart(parts: Uint32Array, count: number) {
  const offsets = new Uint32Array(count + 1)
  for (const part of parts) offsets[part + 1]!++
  for (let part = 0; part < count; part++) offsets[part + 1]! += offsets[part]!
  const next = offsets.slice()
  const nodes = new Uint32Array(parts.length)
  parts.forEach((part, node) => (nodes[next[part]!++] = node))
  return { offsets, nodes }
}
