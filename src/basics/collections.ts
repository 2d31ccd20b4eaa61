/** Groups items by key, both in order of first occurrence. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, [T, ...T[]]> {
  const groups = new Map<K, [T, ...T[]]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}

/** Counts of items, in order of first occurrence. */
export function countEach<T>(items: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

/** The most frequent of some values, the first in ties. Throws TypeError for none. */
export const mostFrequent = <T>(values: readonly T[]): T =>
  [...countEach(values)].reduce((best, candidate) => (candidate[1] > best[1] ? candidate : best))[0]

/** The value of a key. Throws Error where it is missing. */
export function valueOf<K, V>(values: ReadonlyMap<K, V>, key: K): V {
  const value = values.get(key)
  if (value === undefined) throw new Error(`there is nothing known of ${JSON.stringify(key)}`)
  return value
}

/** The item at an index; negative ones count from the end. Throws Error where there is none. */
export function itemAt<T>(items: ArrayLike<T | undefined>, index: number): T {
  const item = items[index < 0 ? items.length + index : index]
  if (item === undefined) throw new Error(`a list of ${items.length} has no item ${index}`)
  return item
}

/** Slices of `size` items; the last may be shorter. */
export function* slices<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}

/** A lazy map. */
export function* lazily<T, R>(items: Iterable<T>, make: (item: T) => R): Generator<R> {
  for (const item of items) yield make(item)
}

/** Adds records field by field; missing fields count 0. */
export function addFields(...records: readonly Readonly<Record<string, number | undefined>>[]): Record<string, number> {
  const sum: Record<string, number> = {}
  for (const record of records)
    for (const [field, value = 0] of Object.entries(record)) sum[field] = (sum[field] ?? 0) + value
  return sum
}
