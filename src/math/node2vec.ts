import { exp } from './portable.ts'

/** How walks go: large `p` keeps them from stepping back, large `q` from moving away (node2vec, section 3.2). */
interface WalkOptions {
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

/** How vectors are learnt from walks (skip-gram with negative samples, as word2vec does). */
interface SkipGramOptions {
  readonly dimensions: number
  /** Nodes on either side that count as neighbours of one, at most; each time a number up to this is drawn. */
  readonly window: number
  readonly negatives: number
  readonly epochs: number
  /** Learning rate at the beginning; it falls in a line to almost 0. */
  readonly rate: number
}

/** A vector for each of so many nodes, near where walks meet both; zeros for a node that no walk meets. */
export function skipGram(
  nodes: number,
  walks: readonly Uint32Array[],
  { dimensions, window, negatives, epochs, rate: highest }: SkipGramOptions,
  random: () => number,
): readonly Float32Array[] {
  const met = new Float64Array(nodes)
  for (const walk of walks) for (const node of walk) met[node]!++
  const draw = drawer(met, random)
  const centre = Float32Array.from({ length: nodes * dimensions }, () => (random() - 0.5) / dimensions)
  const context = new Float32Array(nodes * dimensions)
  const change = new Float32Array(dimensions)
  const steps = epochs * walks.length
  for (let walked = 0; walked < steps; walked++) {
    const walk = walks[walked % walks.length]!
    const rate = Math.max(1e-4 * highest, highest * (1 - walked / steps))
    for (const [place, node] of walk.entries()) {
      const reach = 1 + Math.floor(random() * window)
      for (let other = Math.max(0, place - reach); other <= Math.min(walk.length - 1, place + reach); other++)
        if (other !== place) learn(node, walk[other]!, rate)
    }
  }
  return Array.from({ length: nodes }, (_, node) =>
    met[node] ? centre.slice(node * dimensions, (node + 1) * dimensions) : new Float32Array(dimensions),
  )

  /** Moves a node towards one that it was met with, and away from nodes that are drawn. */
  function learn(node: number, near: number, rate: number): void {
    const from = near * dimensions
    change.fill(0)
    for (let sample = 0; sample <= negatives; sample++) {
      const target = sample === 0 ? node : draw()
      if (sample > 0 && target === node) continue
      const to = target * dimensions
      let score = 0
      for (let at = 0; at < dimensions; at++) score += centre[from + at]! * context[to + at]!
      const pull = rate * ((sample === 0 ? 1 : 0) - 1 / (1 + exp(-score)))
      for (let at = 0; at < dimensions; at++) {
        change[at]! += pull * context[to + at]!
        context[to + at]! += pull * centre[from + at]!
      }
    }
    for (let at = 0; at < dimensions; at++) centre[from + at]! += change[at]!
  }
}

/** Draws nodes as often as the power 3/4 of how often they are met. */
function drawer(met: Float64Array, random: () => number): () => number {
  const sums = met.map((count) => Math.sqrt(count) * Math.sqrt(Math.sqrt(count)))
  for (let node = 1; node < sums.length; node++) sums[node]! += sums[node - 1]!
  const all = sums.at(-1) ?? 0
  return () => {
    const wanted = random() * all
    let [low, high] = [0, sums.length - 1]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (sums[middle]! > wanted) high = middle
      else low = middle + 1
    }
    return low
  }
}
