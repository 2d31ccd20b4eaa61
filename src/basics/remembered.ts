/** Remembers the results of a function of one text; the least recently asked goes when there are more than `most`. */
export function remembered<T>(most: number, make: (text: string) => T): (text: string) => T {
  const kept = new Map<string, { readonly text: string; readonly made: T }>()
  return (text) => {
    const entry = kept.get(text) ?? { text: copied(text), made: make(text) }
    kept.delete(text)
    kept.set(entry.text, entry)
    const oldest = kept.keys().next()
    if (kept.size > most && oldest.done !== true) kept.delete(oldest.value)
    return entry.made
  }
}

/** A part of a long text keeps the whole of it in memory; a copy does not. */
function copied(text: string): string {
  const copy = Buffer.from(text).toString()
  // a lone surrogate has no UTF-8
  return copy === text ? copy : text
}
