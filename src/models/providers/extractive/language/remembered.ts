/** Remembers the results of a function of one text; the least recently asked goes when there are more than `most`. */
export function remembered<T>(most: number, make: (text: string) => T): (text: string) => T {
  const kept = new Map<string, { readonly made: T }>()
  return (text) => {
    const entry = kept.get(text) ?? { made: make(text) }
    kept.delete(text)
    kept.set(text, entry)
    const oldest = kept.keys().next()
    if (kept.size > most && oldest.done !== true) kept.delete(oldest.value)
    return entry.made
  }
}
