/** Ranks from 1 in the order of the values, equal ones sharing their mean rank; and the sizes of the groups of equal values. */
export function midRanks(values: readonly number[]): { readonly ranks: number[]; readonly ties: number[] } {
  const order = values.map((_, index) => index).sort((a, b) => values[a]! - values[b]!)
  const ranks = new Array<number>(values.length)
  const ties: number[] = []
  for (let from = 0; from < order.length; from += ties.at(-1)!) {
    let to = from + 1
    while (to < order.length && values[order[to]!] === values[order[from]!]) to++
    for (let i = from; i < to; i++) ranks[order[i]!] = (from + 1 + to) / 2
    ties.push(to - from)
  }
  return { ranks, ties }
}

/** Σ(t³ - t) over the groups of equal values: what ties take from a variance of ranks. */
export const tieTerm = (ties: readonly number[]): number => ties.reduce((sum, size) => sum + size * (size ** 2 - 1), 0)
