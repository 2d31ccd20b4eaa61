/** How edges carry messages: from materials to responses, or both ways. */
export type Direction = 'toResponse' | 'both'

/** A self-loop where there is a self-edge already: counted once, or twice as in the reference code (section 9, point 4). */
export type DuplicateSelfLoop = 'merge' | 'keep'

/** Messages sorted by destination, then source: those into node n are `first[n]` to `first[n + 1]`. */
export interface Messages {
  readonly source: Uint32Array
  readonly destination: Uint32Array
  readonly first: Uint32Array
}

/** The messages of a graph of so many nodes: its edges, in one direction or both, and a self-loop on every node. */
export function messagesOf(
  nodes: number,
  edges: readonly (readonly [source: number, destination: number])[],
  { direction, duplicateSelfLoop }: { readonly direction: Direction; readonly duplicateSelfLoop: DuplicateSelfLoop },
): Messages {
  const there = new Set(edges.map(([from, to]) => from * nodes + to))
  const reverse = direction === 'both' ? edges.filter(([from, to]) => !there.has(to * nodes + from)) : []
  const loops = Array.from({ length: nodes }, (_, node) => [node, node] as const)
  const own = duplicateSelfLoop === 'merge' ? edges.filter(([from, to]) => from !== to) : edges
  const all = [...own, ...reverse.map(([from, to]) => [to, from] as const), ...loops]
  all.sort((a, b) => a[1] - b[1] || a[0] - b[0])
  const first = new Uint32Array(nodes + 1)
  for (const [, to] of all) first[to + 1]!++
  for (let node = 0; node < nodes; node++) first[node + 1]! += first[node]!
  return {
    source: Uint32Array.from(all, ([from]) => from),
    destination: Uint32Array.from(all, ([, to]) => to),
    first,
  }
}

/** The messages of several graphs as those of one, whose nodes follow one another. */
export function joined(graphs: readonly Messages[]): Messages {
  const nodes = graphs.reduce((sum, { first }) => sum + first.length - 1, 0)
  const messages = graphs.reduce((sum, { source }) => sum + source.length, 0)
  const all = {
    source: new Uint32Array(messages),
    destination: new Uint32Array(messages),
    first: new Uint32Array(nodes + 1),
  }
  let [node, message] = [0, 0]
  for (const { source, destination, first } of graphs) {
    const [nodeOffset, messageOffset] = [node, message]
    all.source.set(
      source.map((one) => one + nodeOffset),
      message,
    )
    all.destination.set(
      destination.map((one) => one + nodeOffset),
      message,
    )
    all.first.set(
      first.map((one) => one + messageOffset),
      node,
    )
    node += first.length - 1
    message += source.length
  }
  return all
}
