/** A row of a search and its score. */
export interface ScoredIndex {
  readonly index: number
  readonly score: number
}

/** The k largest scores with their indices: best first, equal scores by lower index. */
export function highest(scores: ArrayLike<number>, k: number): ScoredIndex[] {
  const size = Math.min(Math.max(0, k), scores.length)
  if (size === 0) return []
  const worse = (a: number, b: number) => scores[a]! < scores[b]! || (scores[a]! === scores[b]! && a > b)
  const heap = new Uint32Array(size).map((_, index) => index) // a min-heap: the worst retained index is at the root
  for (let root = (size >>> 1) - 1; root >= 0; root--) sink(heap, root, worse)
  // at equal scores the earlier index wins
  let least = scores[heap[0]!]!
  for (let index = size; index < scores.length; index++) {
    if (!(least < scores[index]!)) continue
    heap[0] = index
    sink(heap, 0, worse)
    least = scores[heap[0]]!
  }
  return Array.from(heap)
    .sort((a, b) => (worse(a, b) ? 1 : -1))
    .map((index) => ({ index, score: scores[index]! }))
}

function sink(heap: Uint32Array, root: number, worse: (a: number, b: number) => boolean): void {
  for (;;) {
    let child = 2 * root + 1
    if (child >= heap.length) return
    if (child + 1 < heap.length && worse(heap[child + 1]!, heap[child]!)) child++
    if (!worse(heap[child]!, heap[root]!)) return
    const parent = heap[root]!
    heap[root] = heap[child]!
    heap[child] = parent
    root = child
  }
}
