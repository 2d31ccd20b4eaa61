/** The value that `make` gives, made at the first call. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** The value that `make` gives for each object, made at the first call with that object and kept as long as the object is. */
export function memoiseWeakly<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, { readonly value: V }>()
  return (key) => {
    let found = known.get(key)
    if (!found) known.set(key, (found = { value: make(key) }))
    return found.value
  }
}

/** The value that `make` gives for each key, made at the first call with that key. */
export function memoise<K, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, { readonly value: V }>()
  return (key) => {
    let found = known.get(key)
    if (!found) known.set(key, (found = { value: make(key) }))
    return found.value
  }
}
