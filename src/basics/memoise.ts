/** The value that `make` gives, made at the first call. */
export function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}

/** The value that `make` gives for each object, made once and kept as long as the object is. */
export const memoiseWeakly = <K extends object, V>(make: (key: K) => V): ((key: K) => V) =>
  memoisedIn(new WeakMap<K, { readonly value: V }>(), make)

/** The value that `make` gives for each key, made at the first call with that key. */
export const memoise = <K, V>(make: (key: K) => V): ((key: K) => V) =>
  memoisedIn(new Map<K, { readonly value: V }>(), make)

interface Store<K, V> {
  get(key: K): { readonly value: V } | undefined
  set(key: K, entry: { readonly value: V }): unknown
}

function memoisedIn<K, V>(store: Store<K, V>, make: (key: K) => V): (key: K) => V {
  return (key) => {
    let entry = store.get(key)
    if (!entry) store.set(key, (entry = { value: make(key) }))
    return entry.value
  }
}

/** Remembers the results of a function of one text: between half of `most` and `most` texts asked last. */
export function remembered<T>(most: number, make: (text: string) => T): (text: string) => T {
  let [young, old] = [new Map<string, Kept<T>>(), new Map<string, Kept<T>>()]
  return (text) => {
    const met = young.get(text)
    if (met) return met.made
    const entry = old.get(text) ?? keptOf(copied(text), make)
    if (young.size >= most / 2) [young, old] = [new Map<string, Kept<T>>(), young]
    young.set(entry.text, entry)
    return entry.made
  }
}

interface Kept<T> {
  readonly text: string
  readonly made: T
}

const keptOf = <T>(text: string, make: (text: string) => T): Kept<T> => ({ text, made: make(text) })

/** A part of a long text keeps the whole of it in memory; a copy does not. */
function copied(text: string): string {
  const copy = Buffer.from(text).toString()
  // a lone surrogate has no UTF-8
  return copy === text ? copy : text
}
