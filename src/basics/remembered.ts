/** Remembers the results of a function of one text; the least recently asked goes when there are more than `most`. */
export function remembered<T>(most: number, make: (text: string) => T): (text: string) => T {
  const kept = new Map<string, { readonly made: T }>()
  return (text) => {
    const known = kept.get(text)
    if (known) kept.delete(text)
    const entry = known ?? { made: make(text) }
    kept.set(known ? text : copied(text), entry)
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
