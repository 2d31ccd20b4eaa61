/** The items of each key, in their order; keys in the order of their first items. */
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

/** How often each item occurs, in the order of first occurrence. */
export function countEach<T>(items: Iterable<T>): Map<T, number> {
  const counts = new Map<T, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

/** The value of a key that must be there. Throws Error where it is not. */
export function valueOf<K, V>(values: ReadonlyMap<K, V>, key: K): V {
  const value = values.get(key)
  if (value === undefined) throw new Error(`there is nothing known of ${JSON.stringify(key)}`)
  return value
}

/** The item of a list at an index that must have one; a negative one counts from the end. Throws Error without one. */
export function itemAt<T>(items: ArrayLike<T | undefined>, index: number): T {
  const item = items[index < 0 ? items.length + index : index]
  if (item === undefined) throw new Error(`a list of ${items.length} has no item ${index}`)
  return item
}

/** A list in slices of `size` items, the last one shorter where it must be. */
export function* slices<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}

/** What is made of each item, one after the other as they are asked for. */
export function* lazily<T, R>(items: Iterable<T>, make: (item: T) => R): Generator<R> {
  for (const item of items) yield make(item)
}

/** The sum of records of numbers, field by field; a field that one lacks counts 0 there. */
export function addFields(...records: readonly Readonly<Record<string, number | undefined>>[]): Record<string, number> {
  const sum: Record<string, number> = {}
  for (const record of records)
    for (const [field, value = 0] of Object.entries(record)) sum[field] = (sum[field] ?? 0) + value
  return sum
}
