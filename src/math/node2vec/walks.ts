/** How walks go: `p` makes it unlikely to step back, `q` to step away from where the walk came from (node2vec, section 3.2). */
export interface WalkOptions {
  /** Walks that begin at each node. */
  readonly walks: number
  /** Nodes of a walk. */
  readonly length: number
  readonly p: number
  readonly q: number
}

/** Walks over a graph of neighbours, from every node that has any; a walk is a list of nodes. */
export function biasedWalks(
  neighbours: readonly ReadonlySet<number>[],
  { walks, length, p, q }: WalkOptions,
  random: () => number,
): readonly Uint32Array[] {
  const lists = neighbours.map((own) => [...own].sort((a, b) => a - b))
  return Array.from({ length: walks }, () =>
    lists.flatMap((own, start) => {
      if (own.length === 0) return []
      const walk = new Uint32Array(length)
      walk[0] = start
      for (let at = 1; at < length; at++) walk[at] = step(walk[at - 1]!, at > 1 ? walk[at - 2] : undefined)
      return [walk]
    }),
  ).flat()

  function step(node: number, before: number | undefined): number {
    const own = lists[node]!
    if (before === undefined || (p === 1 && q === 1)) return own[Math.floor(random() * own.length)]!
    const weights = own.map((next) => (next === before ? 1 / p : neighbours[before]!.has(next) ? 1 : 1 / q))
    let left = random() * weights.reduce((sum, weight) => sum + weight, 0)
    const place = weights.findIndex((weight) => (left -= weight) < 0)
    return own[place < 0 ? own.length - 1 : place]!
  }
}
