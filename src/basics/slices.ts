/** A list in slices of `size` items, the last one shorter where it must be. */
export function* slices<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size)
}
