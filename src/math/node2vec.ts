import { exp } from './portable.ts'

interface WalkOptions {
  /** Walks that begin at each node. */
  readonly walks: number
  /** Nodes of a walk. */
  readonly length: number
}

/**
 * Random walks from every node that has neighbours; a walk is a list of nodes. Steps are uniform: node2vec's p and q
 * are 1 in the code of Graph of Records.
 */
export function randomWalks(
  neighbours: readonly ReadonlySet<number>[],
  { walks, length }: WalkOptions,
  random: () => number,
): readonly Uint32Array[] {
  const lists = neighbours.map((set) => [...set].sort((a, b) => a - b))
  const walkFrom = (start: number): Uint32Array => {
    const walk = new Uint32Array(length).fill(start, 0, 1)
    for (let at = 1; at < length; at++) {
      const candidates = lists[walk[at - 1]!]!
      walk[at] = candidates[Math.floor(random() * candidates.length)]!
    }
    return walk
  }
  return Array.from({ length: walks }, () =>
    lists.flatMap((list, start) => (list.length === 0 ? [] : [walkFrom(start)])),
  ).flat()
}

/** Parameters of skip-gram with negative sampling (word2vec). */
interface SkipGramOptions {
  readonly dimensions: number
  /** Maximum context on either side; the actual size is drawn uniformly per position. */
  readonly window: number
  readonly negatives: number
  readonly epochs: number
  /** Initial learning rate, decaying linearly. */
  readonly rate: number
}

/** A vector per node; zeros for nodes that no walk visits. */
export function skipGram(
  nodes: number,
  walks: readonly Uint32Array[],
  { dimensions, window, negatives, epochs, rate: highest }: SkipGramOptions,
  random: () => number,
): readonly Float32Array[] {
  const visits = new Float64Array(nodes)
  for (const walk of walks) for (const node of walk) visits[node]!++
  const draw = weightedSampler(visits, random)
  const centre = Float32Array.from({ length: nodes * dimensions }, () => (random() - 0.5) / dimensions)
  const context = new Float32Array(nodes * dimensions)
  const change = new Float32Array(dimensions)
  const steps = epochs * walks.length
  for (let walkIndex = 0; walkIndex < steps; walkIndex++) {
    const walk = walks[walkIndex % walks.length]!
    const rate = Math.max(1e-4 * highest, highest * (1 - walkIndex / steps))
    for (const [place, node] of walk.entries()) {
      const reach = 1 + Math.floor(random() * window)
      for (
        let nearPlace = Math.max(0, place - reach);
        nearPlace <= Math.min(walk.length - 1, place + reach);
        nearPlace++
      )
        if (nearPlace !== place) learn(node, walk[nearPlace]!, rate)
    }
  }
  return Array.from({ length: nodes }, (_, node) =>
    visits[node] ? centre.slice(node * dimensions, (node + 1) * dimensions) : new Float32Array(dimensions),
  )

  /** One positive update of a pair, and updates for its negative samples. */
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

/** Samples nodes by their visit counts to the power 3/4. */
function weightedSampler(visits: Float64Array, random: () => number): () => number {
  const sums = visits.map((count) => Math.sqrt(count) * Math.sqrt(Math.sqrt(count)))
  for (let node = 1; node < sums.length; node++) sums[node]! += sums[node - 1]!
  const all = sums.at(-1) ?? 0
  return () => {
    const mark = random() * all
    let low = 0
    let high = sums.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (sums[middle]! > mark) high = middle
      else low = middle + 1
    }
    return low
  }
}
