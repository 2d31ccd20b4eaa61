import { groupBy, itemAt } from '../basics/collections.ts'

/** Interleaves the lists; of items with equal keys keeps the first. */
export function roundRobin<T>(lists: readonly (readonly T[])[], keyOf: (item: T) => unknown): readonly T[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const items = Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat()
  return Array.from(groupBy(items, keyOf).values(), ([first]) => first)
}

/**
 * Items of lists by quotas that fall linearly from `most` for the first list to 1 for the last, rounded half to even
 * (LightRAG 1.5.7, `pick_by_weighted_polling`). Unused quotas go to the first list that has items left.
 */
export function linearPolling<T>(lists: readonly (readonly T[])[], most: number): readonly T[] {
  if (most <= 0) return []
  const last = lists.length - 1
  const quotas = lists.map((_, place) => (last === 0 ? most : roundHalfToEven(most - (place / last) * (most - 1))))
  const first = lists.flatMap((list, place) => list.slice(0, itemAt(quotas, place)))
  const rest = lists.flatMap((list, place) => list.slice(itemAt(quotas, place)))
  return [...first, ...rest.slice(0, quotas.reduce((sum, quota) => sum + quota, 0) - first.length)]
}

function roundHalfToEven(value: number): number {
  const below = Math.floor(value)
  return value - below === 0.5 ? below + (below % 2) : Math.round(value)
}
