/** A lazy value. */
export function once<T>(make: () => T): () => T {
  let result: { readonly value: T } | undefined
  return () => (result ??= { value: make() }).value
}

/** Memoises by object, as long as the object lives. */
export const memoiseWeakly = <K extends object, V>(make: (key: K) => V): ((key: K) => V) =>
  memoiseIn(new WeakMap<K, { readonly value: V }>(), make)

/** Memoises by key. */
export const memoise = <K, V>(make: (key: K) => V): ((key: K) => V) =>
  memoiseIn(new Map<K, { readonly value: V }>(), make)

interface Store<K, V> {
  get(key: K): { readonly value: V } | undefined
  set(key: K, entry: { readonly value: V }): unknown
}

function memoiseIn<K, V>(store: Store<K, V>, make: (key: K) => V): (key: K) => V {
  return (key) => {
    let entry = store.get(key)
    if (!entry) store.set(key, (entry = { value: make(key) }))
    return entry.value
  }
}

/** Memoises a function of a text for the `most` / 2 to `most` most recent texts. */
export function memoiseRecent<T>(most: number, make: (text: string) => T): (text: string) => T {
  let young = new Map<string, CacheEntry<T>>()
  let old = new Map<string, CacheEntry<T>>()
  return (text) => {
    const recent = young.get(text)
    if (recent) return recent.value
    const entry = old.get(text) ?? entryOf(detachText(text), make)
    if (young.size >= most / 2) [young, old] = [new Map<string, CacheEntry<T>>(), young]
    young.set(entry.text, entry)
    return entry.value
  }
}

interface CacheEntry<T> {
  readonly text: string
  readonly value: T
}

const entryOf = <T>(text: string, make: (text: string) => T): CacheEntry<T> => ({ text, value: make(text) })

/** Copies a substring, which would otherwise keep its whole source text in memory. */
function detachText(text: string) {
  const copy = Buffer.from(text).toString()
  // a lone surrogate has no UTF-8
  return copy === text ? copy : text
}
